"""Opens the store and its encryption keys, as configured."""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass

from webquarry.errors import WebquarryError
from webquarry.settings.load import Settings
from webquarry.storage.encryption_keys import load_or_create_key, parse_key
from webquarry.storage.store import Store
from webquarry.wiring.configuration_digest import configuration_digest

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 600


@dataclass(frozen=True)
class StorageKeys:
    """The encryption key of everything stored, and the previous one."""

    current: bytes
    previous: bytes | None


def storage_keys(settings: Settings) -> StorageKeys:
    """Return the configured keys, or the key in the data directory, created if missing."""
    cache = settings.cache
    previous = cache.encryption_key_prev
    return StorageKeys(
        parse_key(cache.encryption_key, "CACHE_ENCRYPTION_KEY")
        if cache.encryption_key
        else load_or_create_key(settings.server.data_dir / "store.key"),
        parse_key(previous, "CACHE_ENCRYPTION_KEY_PREV") if previous else None,
    )


def open_store(settings: Settings, keys: StorageKeys, stack: AsyncExitStack) -> Store:
    """Open Redis if it is configured, otherwise SQLite in the data directory."""
    store = _create_store(settings, keys)
    store.configuration = configuration_digest(settings, keys.current)
    stack.push_async_callback(store.close)
    sweeping = asyncio.create_task(_sweep_periodically(store))
    stack.callback(sweeping.cancel)
    return store


def _create_store(settings: Settings, keys: StorageKeys) -> Store:
    # imported here because ciphers are slow to load and a server uses only one of the stores
    from webquarry.storage.cipher import Keyring

    keyring = Keyring(keys.current, keys.previous)
    if settings.cache.redis_url:
        from webquarry.storage.redis_store import RedisStore

        return RedisStore(settings.cache.redis_url, keyring)
    from webquarry.storage.sqlite_store import SqliteStore

    return SqliteStore(settings.server.data_dir / "store.sqlite3", keyring)


async def _sweep_periodically(store: Store) -> None:
    """Delete expired entries, so that the store does not grow forever."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            await store.sweep()
        except WebquarryError as exc:  # the next sweep may succeed
            logger.warning("expired entries could not be deleted: %s", exc)
