"""Answers kept for whoever asked: only they can check the quotations in them."""

import hashlib

from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store

SECONDS = 3600.0


class StoredAnswers:
    """Remembers answers for an hour, each for one person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, question: AnswerQuery) -> WrittenAnswer | None:
        """Return the answer to the same question of a moment ago; it costs nothing again."""
        entry = await self._store.get(_name(question))
        if entry is None:
            return None
        return WrittenAnswer.model_validate_json(entry.value).model_copy(update={"cost": 0.0})

    async def keep(self, question: AnswerQuery, answered: WrittenAnswer) -> None:
        """Remember an answer."""
        await self._store.set(_name(question), answered.model_dump_json().encode(), ttl=SECONDS)


def _name(question: AnswerQuery) -> str:
    asked = hashlib.sha256(question.text.encode("utf-8", "surrogatepass")).hexdigest()
    return name_of("answer", question.asker.tenant, question.asker.user, asked)
