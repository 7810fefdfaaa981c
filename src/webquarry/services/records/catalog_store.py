"""Caches catalogues in the store: large lists that the provider's API cannot search."""

import logging
import time
import zlib
from collections.abc import Awaitable, Callable

from webquarry.errors import WebquarryError
from webquarry.providers.capabilities_records import CachedCatalog
from webquarry.storage.store import LockedError, Store, StoredValue

logger = logging.getLogger(__name__)

DAY = 86_400.0
MAX_AGE = DAY  # seconds until a catalogue is reloaded
CACHE_TTL = 90 * DAY  # seconds that an old one may be used when reloading fails
LOCK_WAIT = 30.0  # seconds to wait while another task loads the same catalogue


class StoreCatalogCache:
    """`CatalogCache` in the store: survives a restart and is shared between servers."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now

    async def fetch(self, name: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        """Return the catalogue, loading it when it is missing or old."""
        key = f"catalogue:{name}"
        entry = await self._store.get(key)
        if entry and self._is_fresh(entry):
            return CachedCatalog(zlib.decompress(entry.value))
        try:
            async with self._store.lock(key, ttl=2 * LOCK_WAIT, wait=LOCK_WAIT):
                return await self._load(key, load)
        except LockedError:  # the other loader is slow; load it here, too
            return await self._load(key, load)

    async def _load(self, key: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        entry = await self._store.get(key)
        if entry and self._is_fresh(entry):  # loaded while we waited for the lock
            return CachedCatalog(zlib.decompress(entry.value))
        try:
            content = await load()
        except WebquarryError as exc:
            if entry is None:
                raise
            logger.warning("%s could not be refreshed: %s", key, exc)
            days = max(1, round((self._now() - entry.stored_at) / DAY))
            note = f"The catalogue is {days} days old, because refreshing it failed: {exc}"
            return CachedCatalog(zlib.decompress(entry.value), (note,))
        await self._store.set(key, zlib.compress(content), ttl=CACHE_TTL)
        return CachedCatalog(content)

    def _is_fresh(self, entry: StoredValue) -> bool:
        return self._now() - entry.stored_at < MAX_AGE
