"""A store that lives and dies with the process, for tests and for running without a disk."""

import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal

from webquarry.errors import BadInputError
from webquarry.storage.locks import hold
from webquarry.storage.store import Clock, Lease, StoredValue, Value, expiry, next_token

_Name = tuple[Literal["value", "counter"], str]
_OVERHEAD = 256  # what Python spends on one entry besides its name and value
_FULL = 7 / 8  # how much of a store that overflowed is kept


@dataclass(slots=True)
class _Log:
    values: list[bytes]
    expires_at: float | None


@dataclass(frozen=True, slots=True)
class _Holder:
    owner: str
    expires_at: float


class MemoryStore:
    """`Store` in a dictionary that forgets the least recently used beyond `max_bytes`."""

    def __init__(self, *, max_bytes: int = 64 * 1024 * 1024, clock: Clock = time.time) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._entries: OrderedDict[_Name, StoredValue] = OrderedDict()
        self._bytes = 0
        self._logs: dict[str, _Log] = {}  # never forgotten early: nothing could bring them back
        self._holders: dict[str, _Holder] = {}
        self._last_token = 0

    async def get(self, key: str) -> StoredValue | None:
        return self._find(("value", key))

    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        now = self._clock()
        self._put(("value", key), StoredValue(value, now, expiry(now, ttl)))

    async def set_all(self, values: Iterable[Value]) -> None:
        for key, value, ttl in values:
            await self.set(key, value, ttl=ttl)

    async def delete(self, key: str) -> bool:
        names: tuple[_Name, _Name] = (("value", key), ("counter", key))
        there = [self._find(name) is not None for name in names]
        for name in names:
            self._drop(name)
        there.append(self._log(key) is not None)
        self._logs.pop(key, None)
        return any(there)

    async def ttl(self, key: str) -> float | None:
        entry = self._find(("value", key)) or self._find(("counter", key)) or self._log(key)
        if entry is None:
            return None
        return math.inf if entry.expires_at is None else entry.expires_at - self._clock()

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        for name in list(self._entries):
            kind, key = name
            if kind == "value" and key.startswith(prefix) and self._find(name, touch=False):
                yield key

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        now = self._clock()
        expires_at = expiry(now, ttl)
        old = self._find(("counter", key)) or StoredValue(b"0", now, expires_at)
        count = int(old.value) + by
        self._put(("counter", key), StoredValue(b"%d" % count, now, old.expires_at))
        return count

    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        expires_at = expiry(self._clock(), ttl)
        log = self._log(key)
        if log is None:
            if not create:
                return None
            log = self._logs[key] = _Log([], expires_at)
        log.values.append(value)
        log.expires_at = expires_at
        return len(log.values)

    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        log = self._log(key)
        return None if log is None else log.values[start:]

    async def renew(self, key: str, *, ttl: float) -> bool:
        expires_at = expiry(self._clock(), ttl)
        log = self._log(key)
        if log is not None:
            log.expires_at = expires_at
        return log is not None

    async def logs(self, prefix: str) -> AsyncIterator[str]:
        for key in list(self._logs):
            if key.startswith(prefix) and self._log(key):
                yield key

    def lock(
        self, key: str, *, ttl: float, wait: float = 0.0
    ) -> AbstractAsyncContextManager[Lease]:
        return hold(self, key, ttl=ttl, wait=wait)

    async def take(self, key: str, owner: str, ttl: float) -> int | None:
        """Make `owner` the holder and return the fencing token, or None when it is taken."""
        now = self._clock()
        holder = self._holders.get(key)
        if holder is not None and holder.expires_at > now:
            return None
        self._holders[key] = _Holder(owner, now + ttl)
        self._last_token = next_token(self._last_token, now)
        return self._last_token

    async def drop(self, key: str, owner: str) -> bool:
        """Free the lock if `owner` still holds it; return whether it did."""
        holder = self._holders.get(key)
        if holder is None or holder.owner != owner:
            return False
        del self._holders[key]
        return holder.expires_at > self._clock()

    async def sweep(self) -> int:
        now = self._clock()
        expired = [name for name, entry in self._entries.items() if entry.expired(now)]
        for name in expired:
            self._drop(name)
        old = [key for key in self._logs if self._log(key) is None]
        for key in old:
            del self._logs[key]
        for key in [key for key, holder in self._holders.items() if holder.expires_at <= now]:
            del self._holders[key]
        return len(expired) + len(old)

    async def close(self) -> None:
        self._entries.clear()
        self._logs.clear()
        self._bytes = 0

    def _log(self, key: str) -> _Log | None:
        log = self._logs.get(key)
        ended = log is not None and log.expires_at is not None and log.expires_at <= self._clock()
        return None if ended else log

    def _find(self, name: _Name, *, touch: bool = True) -> StoredValue | None:
        entry = self._entries.get(name)
        if entry is None or entry.expired(self._clock()):
            return None
        if touch:
            self._entries.move_to_end(name)
        return entry

    def _put(self, name: _Name, entry: StoredValue) -> None:
        size = _size(name, entry)
        if size > self._max_bytes:
            raise BadInputError(
                f"a value of {len(entry.value)} bytes does not fit into a memory store of"
                f" {self._max_bytes} bytes"
            )
        self._drop(name)
        self._entries[name] = entry
        self._bytes += size
        if self._bytes > self._max_bytes:
            self._shrink()

    def _shrink(self) -> None:
        now = self._clock()
        for name in [name for name, entry in self._entries.items() if entry.expired(now)]:
            self._drop(name)
        # some room is made at once, or a full store would search for it at every `set`
        while self._bytes > self._max_bytes * _FULL and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _drop(self, name: _Name) -> None:
        entry = self._entries.pop(name, None)
        if entry is not None:
            self._bytes -= _size(name, entry)


def _size(name: _Name, entry: StoredValue) -> int:
    return len(name[1]) + len(entry.value) + _OVERHEAD
