"""Answers kept for whoever asked: only they can check the quotations in them."""

import hashlib

from webquarry.models.synthesis import Answered, Question
from webquarry.storage.base import Store
from webquarry.storage.naming import name_of

SECONDS = 3600.0


class KeptAnswers:
    """Remembers answers for an hour, each for one person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, question: Question) -> Answered | None:
        """Return the answer to the same question of a moment ago; it costs nothing again."""
        entry = await self._store.get(_name(question))
        if entry is None:
            return None
        return Answered.model_validate_json(entry.value).model_copy(update={"cost": 0.0})

    async def keep(self, question: Question, answered: Answered) -> None:
        """Remember an answer."""
        await self._store.set(_name(question), answered.model_dump_json().encode(), ttl=SECONDS)


def _name(question: Question) -> str:
    asked = hashlib.sha256(question.text.encode("utf-8", "surrogatepass")).hexdigest()
    return name_of("answer", question.asker.tenant, question.asker.user, asked)
