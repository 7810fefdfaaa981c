"""What the pool remembers over a restart: the health of instances, never a query."""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from webquarry.content.text.token_count import compact_json
from webquarry.errors import WebquarryError
from webquarry.searxng.instance import Instance
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

_STATE = "searxng:pool"
_CATALOGUE = "searxng:catalogue"
_KEPT = 14 * 86_400.0


@dataclass(frozen=True)
class StoredPoolState:
    """Instances as they were stored, and when."""

    instances: tuple[Instance, ...] = ()
    at: float = 0.0
    source: str = ""


class PoolStateStore:
    """Keeps the pool's state in the store. A store that is away costs only the memory."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    async def state(self) -> StoredPoolState:
        """Return the instances as they were last."""
        return await self._load(_STATE)

    async def keep_state(self, instances: Sequence[Instance]) -> None:
        """Remember the instances as they are."""
        await self._save(_STATE, instances, "")

    async def catalogue(self, source: str) -> StoredPoolState:
        """Return what a catalogue listed when it was last read."""
        kept = await self._load(_CATALOGUE)
        return kept if kept.source == source else StoredPoolState()

    async def keep_catalogue(self, instances: Sequence[Instance], source: str) -> None:
        """Remember what a catalogue lists."""
        await self._save(_CATALOGUE, instances, source)

    async def _load(self, key: str) -> StoredPoolState:
        if self._store is None:
            return StoredPoolState()
        try:
            entry = await self._store.get(key)
            if entry is None:
                return StoredPoolState()
            data = json.loads(entry.value)
            found = tuple(Instance.restore(row) for row in _rows(data["instances"]))
            return StoredPoolState(found, entry.stored_at, str(data["source"]))
        except (WebquarryError, ValueError, TypeError, KeyError) as error:
            logger.warning("what was known about SearXNG instances cannot be read: %s", error)
            return StoredPoolState()

    async def _save(self, key: str, instances: Sequence[Instance], source: str) -> None:
        if self._store is None:
            return
        data = {"source": source, "instances": [i.record() for i in instances]}
        try:
            await self._store.set(key, compact_json(data).encode(), ttl=_KEPT)
        except WebquarryError as error:
            logger.warning("what is known about SearXNG instances is not kept: %s", error)


def _rows(data: Any) -> Iterable[dict[str, Any]]:
    if not isinstance(data, list):
        raise TypeError("not a list of instances")
    return cast("list[dict[str, Any]]", data)
