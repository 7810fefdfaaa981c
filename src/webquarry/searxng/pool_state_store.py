"""State of the pool that survives a restart: the health of instances, never a query."""

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
_TTL = 14 * 86_400.0


@dataclass(frozen=True)
class StoredPoolState:
    """Stored instances, and when they were stored."""

    instances: tuple[Instance, ...] = ()
    stored_at: float = 0.0
    source: str = ""


class PoolStateStore:
    """Stores the state of the pool. If the store fails, the pool starts without history."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    async def load_instances(self) -> StoredPoolState:
        """Return the instances as last saved."""
        return await self._load(_STATE)

    async def save_instances(self, instances: Sequence[Instance]) -> None:
        """Save the instances."""
        await self._save(_STATE, instances, "")

    async def load_catalogue(self, source: str) -> StoredPoolState:
        """Return the instances that a catalogue listed when it was last read."""
        stored = await self._load(_CATALOGUE)
        return stored if stored.source == source else StoredPoolState()

    async def save_catalogue(self, instances: Sequence[Instance], source: str) -> None:
        """Save the instances that a catalogue lists."""
        await self._save(_CATALOGUE, instances, source)

    async def _load(self, key: str) -> StoredPoolState:
        if self._store is None:
            return StoredPoolState()
        try:
            entry = await self._store.get(key)
            if entry is None:
                return StoredPoolState()
            data = json.loads(entry.value)
            instances = tuple(Instance.restore(row) for row in _rows(data["instances"]))
            return StoredPoolState(instances, entry.stored_at, str(data["source"]))
        except (WebquarryError, ValueError, TypeError, KeyError) as error:
            logger.warning("cannot load the state of the SearXNG instances: %s", error)
            return StoredPoolState()

    async def _save(self, key: str, instances: Sequence[Instance], source: str) -> None:
        if self._store is None:
            return
        data = {"source": source, "instances": [i.record() for i in instances]}
        try:
            await self._store.set(key, compact_json(data).encode(), ttl=_TTL)
        except WebquarryError as error:
            logger.warning("cannot store the state of the SearXNG instances: %s", error)


def _rows(data: Any) -> Iterable[dict[str, Any]]:
    if not isinstance(data, list):
        raise TypeError("not a list of instances")
    return cast("list[dict[str, Any]]", data)
