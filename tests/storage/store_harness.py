"""Stores of every kind for tests, each with a clock that the test advances."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Protocol, cast

from redis.asyncio import Redis

from webquarry.storage.cipher import Keyring
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store

KEY = bytes(range(32))
OTHER_KEY = bytes(range(32, 64))
START = 1_700_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class StoreHarness(ABC):
    """Opens stores on the same data, as several processes would."""

    def __init__(self) -> None:
        self.clock = Clock()
        self._opened: list[Store] = []

    def open(self, key: bytes = KEY, previous: bytes | None = None) -> Store:
        store = self._make(Keyring(key, previous))
        self._opened.append(store)
        return store

    async def advance(self, seconds: float) -> None:
        self.clock.now += seconds

    async def close(self) -> None:
        for store in self._opened:
            await store.close()

    @abstractmethod
    def _make(self, keyring: Keyring) -> Store: ...


class MemoryHarness(StoreHarness):
    def __init__(self) -> None:
        super().__init__()
        self._store = MemoryStore(clock=self.clock)

    def _make(self, keyring: Keyring) -> Store:
        return self._store


class SharedHarness(StoreHarness):
    """A harness whose data other processes can open, and whose raw bytes can be read."""

    location: str

    @abstractmethod
    async def raw_bytes(self) -> bytes: ...


class SqliteHarness(SharedHarness):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.location = str(path)

    async def raw_bytes(self) -> bytes:
        return b"\n".join(path.read_bytes() for path in sorted(self.path.parent.iterdir()))

    def _make(self, keyring: Keyring) -> Store:
        return SqliteStore(self.path, keyring, clock=self.clock)


class RedisHarness(SharedHarness):
    def __init__(self, url: str, admin: Redis) -> None:
        super().__init__()
        self.admin = admin
        self.location = url

    async def advance(self, seconds: float) -> None:
        await super().advance(seconds)
        # Redis has its own clock, so every expiry is moved forward instead
        for name in await self.names():
            left = await self.admin.pttl(name)
            if left >= 0:
                await self.admin.pexpire(name, left - round(seconds * 1000))

    async def names(self) -> list[bytes]:
        names: list[bytes] = await self._execute("KEYS", "*")
        return names

    async def clear(self) -> None:
        await self._execute("FLUSHALL")

    async def drop_connections(self) -> None:
        await self._execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    async def raw_bytes(self) -> bytes:
        names = await self.names()
        found = [name + b"=" + await self._content(name) for name in names]
        return b"\n".join(found)

    async def _content(self, name: bytes) -> bytes:
        if await self._execute("TYPE", name) == b"hash":
            return b",".join(await self._execute("HVALS", name))
        if await self._execute("TYPE", name) == b"list":
            return b",".join(await self._execute("LRANGE", name, "0", "-1"))
        return await self._execute("GET", name)

    async def _execute(self, *command: bytes | str) -> Any:
        return await cast("_Commands", self.admin).execute_command(*command)

    def _make(self, keyring: Keyring) -> Store:
        return RedisStore(self.location, keyring, clock=self.clock)


class _Commands(Protocol):
    """The generic command of the client, which the library leaves untyped."""

    def execute_command(self, *command: bytes | str) -> Awaitable[Any]: ...
