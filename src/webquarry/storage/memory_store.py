"""A store in the memory of the process, for tests and for running without a disk."""

import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.errors import BadInputError
from webquarry.storage.store import Clock, Store, StoredValue, StoreWrite, expiry, next_token

_Name = tuple[Literal["value", "counter"], str]
_OVERHEAD = 256  # bytes of one entry besides its name and value
_FILL_AFTER_EVICTION = 7 / 8  # share of `max_bytes`


@dataclass(slots=True)
class _Log:
    values: list[bytes]
    expires_at: float | None


@dataclass(frozen=True, slots=True)
class _HeldLock:
    holder: str
    expires_at: float


class MemoryStore(Store):
    """`Store` in a dictionary that evicts the least recently used values above `max_bytes`."""

    def __init__(self, *, max_bytes: int = 64 * 1024 * 1024, clock: Clock = time.time) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._entries: OrderedDict[_Name, StoredValue] = OrderedDict()
        self._bytes = 0
        self._logs: dict[str, _Log] = {}  # never evicted: they are not a cache
        self._locks: dict[str, _HeldLock] = {}
        self._last_token = 0

    async def _read(self, key: str) -> StoredValue | None:
        return self._find(("value", key))

    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        now = self._clock()
        for write in writes:
            entry = StoredValue(write.value, now, expiry(now, write.ttl))
            self._put(("value", write.key), entry)

    async def delete(self, key: str) -> bool:
        names: tuple[_Name, _Name] = (("value", key), ("counter", key))
        existed = any(self._find(name) for name in names) or self._log(key) is not None
        for name in names:
            self._remove(name)
        self._logs.pop(key, None)
        return existed

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

    async def _take_lock(self, key: str, holder: str, ttl: float) -> int | None:
        now = self._clock()
        held = self._locks.get(key)
        if held is not None and held.expires_at > now:
            return None
        self._locks[key] = _HeldLock(holder, now + ttl)
        self._last_token = next_token(self._last_token, now)
        return self._last_token

    async def _release_lock(self, key: str, holder: str) -> bool:
        held = self._locks.get(key)
        if held is None or held.holder != holder:
            return False
        del self._locks[key]
        return held.expires_at > self._clock()

    async def sweep(self) -> int:
        now = self._clock()
        removed = self._remove_expired()
        expired_logs = [key for key in self._logs if self._log(key) is None]
        for key in expired_logs:
            del self._logs[key]
        self._locks = {key: held for key, held in self._locks.items() if held.expires_at > now}
        return removed + len(expired_logs)

    async def close(self) -> None:
        self._entries.clear()
        self._logs.clear()
        self._bytes = 0

    def _log(self, key: str) -> _Log | None:
        log = self._logs.get(key)
        if log is not None and log.expires_at is not None and log.expires_at <= self._clock():
            return None
        return log

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
        self._remove(name)
        self._entries[name] = entry
        self._bytes += size
        if self._bytes > self._max_bytes:
            self._evict()

    def _evict(self) -> None:
        self._remove_expired()
        # frees more than needed, so that a full store does not evict at every `set`
        while self._bytes > self._max_bytes * _FILL_AFTER_EVICTION and len(self._entries) > 1:
            self._remove(next(iter(self._entries)))

    def _remove_expired(self) -> int:
        now = self._clock()
        expired = [name for name, entry in self._entries.items() if entry.expired(now)]
        for name in expired:
            self._remove(name)
        return len(expired)

    def _remove(self, name: _Name) -> None:
        entry = self._entries.pop(name, None)
        if entry is not None:
            self._bytes -= _size(name, entry)


def _size(name: _Name, entry: StoredValue) -> int:
    return len(name[1]) + len(entry.value) + _OVERHEAD
