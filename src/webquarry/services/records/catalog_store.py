"""Keeps catalogues in the store: large lists that change slowly and cannot be searched upstream."""

import logging
import time
import zlib
from collections.abc import Awaitable, Callable

from webquarry.errors import WebquarryError
from webquarry.providers.capabilities_records import CachedCatalog
from webquarry.storage.store import LockedError, Store, StoredValue

logger = logging.getLogger(__name__)

DAY = 86_400.0
FRESH = DAY  # seconds until a catalogue is loaded again
KEPT = 90 * DAY  # seconds an old one may stand in when loading fails
PATIENCE = 30.0  # seconds to wait while somebody else is loading the same


class StoreCatalogCache:
    """`Shelf` over the store, so that it outlives the process and is shared between servers."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now

    async def fetch(self, name: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        """Return the catalogue, loading it when it is missing or old."""
        key = f"catalogue:{name}"
        entry = await self._store.get(key)
        if entry and self._fresh(entry):
            return CachedCatalog(zlib.decompress(entry.value))
        try:
            async with self._store.lock(key, ttl=2 * PATIENCE, wait=PATIENCE):
                return await self._load(key, load)
        except LockedError:  # whoever loads it is slow; this call need not wait for them
            return await self._load(key, load)

    async def _load(self, key: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        entry = await self._store.get(key)
        if entry and self._fresh(entry):  # somebody loaded it while we waited for the lock
            return CachedCatalog(zlib.decompress(entry.value))
        try:
            content = await load()
        except WebquarryError as exc:
            if entry is None:
                raise
            logger.warning("%s could not be refreshed: %s", key, exc)
            return CachedCatalog(zlib.decompress(entry.value), (self._excuse(entry, exc),))
        await self._store.set(key, zlib.compress(content), ttl=KEPT)
        return CachedCatalog(content)

    def _fresh(self, entry: StoredValue) -> bool:
        return self._now() - entry.stored_at < FRESH

    def _excuse(self, entry: StoredValue, error: WebquarryError) -> str:
        days = max(1, round((self._now() - entry.stored_at) / DAY))
        return f"The catalogue is {days} days old, because refreshing it failed: {error}"
