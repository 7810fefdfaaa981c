"""Findings a person wants to find again in later sessions."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import log

from webquarry.content.claims.claim_sentences import stems
from webquarry.models.people import MemoryEntry
from webquarry.observe.timestamp import rfc3339
from webquarry.services.people.note_keys import new_id
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import OwnedValues
from webquarry.storage.store import Store

MOST = 5000  # of one person; beyond it the oldest go
_KIND = "memory"


class Memories(OwnedValues):
    """Each finding is a value of its own, encrypted, and goes when its time is over."""

    def __init__(
        self, store: Store, retention: float, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(store, _KIND)
        self._retention = retention
        self._clock = clock

    async def save(self, entry: MemoryEntry) -> MemoryEntry:
        """Keep a finding under a new name; beyond the most, the oldest is forgotten."""
        now = self._clock()
        kept = entry.model_copy(update={"id": new_id(now), "createdAt": rfc3339(now)})
        name = name_of(_KIND, kept.tenantId, kept.userId, kept.id)
        await self._store.set(name, kept.model_dump_json().encode(), ttl=self._retention)
        for old in (await self._names(kept.tenantId, kept.userId))[MOST:]:
            await self._store.delete(old)
        return kept

    async def recall(
        self, tenant: str, user: str, *, topic: str | None, words: str | None, limit: int
    ) -> list[MemoryEntry]:
        """Return a person's own findings, the newest first, or those that fit the words best."""
        names = await self._names(tenant, user)
        found: list[MemoryEntry] = []
        for name in names:
            if entry := await self._store.get(name):
                memory = MemoryEntry.model_validate_json(entry.value)
                if topic is None or (memory.topic or "").casefold() == topic.casefold():
                    found.append(memory)
            if not words and len(found) == limit:
                break
        return (best(found, words) if words else found)[:limit]

    async def _names(self, tenant: str, user: str) -> list[str]:
        """Return the names of a person's findings, the newest first."""
        prefix = name_of(_KIND, tenant, user, "")
        return sorted([name async for name in self._store.scan(prefix)], reverse=True)


def best(memories: Sequence[MemoryEntry], words: str) -> list[MemoryEntry]:
    """Return the findings that have any of the words, those with the rarest first."""
    wanted = frozenset(stems(words))
    texts = [wanted & frozenset(stems(_text(memory))) for memory in memories]
    held = Counter(term for terms in texts for term in terms)
    scores = [sum(log(1 + len(memories) / held[term]) for term in terms) for terms in texts]
    order = sorted(range(len(memories)), key=lambda place: -scores[place])
    return [memories[place] for place in order if scores[place] > 0]


def _text(memory: MemoryEntry) -> str:
    return " ".join((memory.topic or "", memory.note, *memory.tags, memory.url or ""))
