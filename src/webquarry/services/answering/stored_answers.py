"""Cached answers. Each is for one person: only that person can verify its quotations."""

import hashlib

from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store

CACHE_SECONDS = 3600.0


class StoredAnswers:
    """Caches answers for an hour, each for one person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, question: AnswerQuery) -> WrittenAnswer | None:
        """Return the cached answer to the same question; it has no cost."""
        entry = await self._store.get(_name(question))
        if entry is None:
            return None
        return WrittenAnswer.model_validate_json(entry.value).model_copy(update={"cost": 0.0})

    async def store(self, question: AnswerQuery, answer: WrittenAnswer) -> None:
        """Cache an answer."""
        value = answer.model_dump_json().encode()
        await self._store.set(_name(question), value, ttl=CACHE_SECONDS)


def _name(question: AnswerQuery) -> str:
    digest = hashlib.sha256(question.text.encode("utf-8", "surrogatepass")).hexdigest()
    return name_of("answer", question.asker.tenant, question.asker.user, digest)
