"""Notes that a person saved for later sessions."""

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

MAX_MEMORIES = 5000  # of one person; then the oldest are deleted
_KIND = "memory"


class Memories(OwnedValues):
    """Each note is one encrypted value that expires after the retention time."""

    def __init__(
        self, store: Store, retention: float, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(store, _KIND)
        self._retention = retention
        self._clock = clock

    async def save(self, entry: MemoryEntry) -> MemoryEntry:
        """Store a note under a new id; delete the oldest beyond the maximum."""
        now = self._clock()
        saved = entry.model_copy(update={"id": new_id(now), "createdAt": rfc3339(now)})
        name = name_of(_KIND, saved.tenantId, saved.userId, saved.id)
        await self._store.set(name, saved.model_dump_json().encode(), ttl=self._retention)
        for old in (await self._names(saved.tenantId, saved.userId))[MAX_MEMORIES:]:
            await self._store.delete(old)
        return saved

    async def recall(
        self, tenant: str, user: str, *, topic: str | None, words: str | None, limit: int
    ) -> list[MemoryEntry]:
        """Return a person's own notes, the newest first, or the best matches for the words."""
        names = await self._names(tenant, user)
        found: list[MemoryEntry] = []
        for name in names:
            if entry := await self._store.get(name):
                memory = MemoryEntry.model_validate_json(entry.value)
                if topic is None or (memory.topic or "").casefold() == topic.casefold():
                    found.append(memory)
            if not words and len(found) == limit:
                break
        return (best_matches(found, words) if words else found)[:limit]

    async def _names(self, tenant: str, user: str) -> list[str]:
        """Return the keys of a person's notes, the newest first."""
        prefix = name_of(_KIND, tenant, user, "")
        return sorted([name async for name in self._store.scan(prefix)], reverse=True)


def best_matches(memories: Sequence[MemoryEntry], words: str) -> list[MemoryEntry]:
    """Return the notes that contain any of the words; rare words count more."""
    query = frozenset(stems(words))
    matches = [query & frozenset(stems(_text(memory))) for memory in memories]
    frequency = Counter(term for terms in matches for term in terms)
    scores = [sum(log(1 + len(memories) / frequency[t]) for t in terms) for terms in matches]
    order = sorted(range(len(memories)), key=lambda index: -scores[index])
    return [memories[index] for index in order if scores[index] > 0]


def _text(memory: MemoryEntry) -> str:
    return " ".join((memory.topic or "", memory.note, *memory.tags, memory.url or ""))
