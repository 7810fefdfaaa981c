"""The store that several machines share: Redis or Valkey.

Values are hashes of an encrypted label and body under blinded names; counters are plain numbers
under blinded names. Redis expires them, so clocks that disagree cannot release a lock early.
"""

import math
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Protocol, cast

from redis.exceptions import ResponseError

from webquarry.storage.cipher import Keyring, Kind, Part
from webquarry.storage.redis_connection import connect_redis, translated_redis_errors
from webquarry.storage.redis_logs import APPEND, sealed_entries
from webquarry.storage.store import Clock, Store, StoredValue, StoreWrite, expiry, next_token

# a counter of the previous encryption key continues under its new name
_INCREMENT = """
if KEYS[2] and redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[1])
end
local created = redis.call('EXISTS', KEYS[1]) == 0
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if created and ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return count
"""
# the first name is the fencing counter, the others are the lock under each encryption key
_TAKE_LOCK = """
for i = 2, #KEYS do
  local owner = redis.call('GET', KEYS[i])
  if owner and owner ~= ARGV[1] then return false end
end
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local token = math.max(last + 1, tonumber(ARGV[3]))
redis.call('SET', KEYS[1], string.format('%d', token))
return token
"""
_RELEASE_LOCK = """
local freed = 0
for i = 1, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then freed = freed + redis.call('DEL', KEYS[i]) end
end
return freed
"""


class RedisStore(Store):
    """`Store` in Redis. A connection lost midway may count one increment twice."""

    def __init__(
        self, url: str, keyring: Keyring, *, prefix: str = "webquarry", clock: Clock = time.time
    ) -> None:
        """Use the server at `url`; the first call connects to it."""
        self._keys = keyring
        self._prefix = prefix
        self._clock = clock
        self._client = connect_redis(url)
        self._increment_script = self._client.register_script(_INCREMENT)
        self._take_script = self._client.register_script(_TAKE_LOCK)
        self._release_script = self._client.register_script(_RELEASE_LOCK)
        self._append_script = self._client.register_script(APPEND)

    async def _read(self, key: str) -> StoredValue | None:
        return await self._find("body", key)

    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        now = self._clock()
        async with translated_redis_errors(), self._client.pipeline(transaction=True) as batch:
            for key, value, ttl, _ in writes:
                new = self._keys.seal("value", key, StoredValue(value, now, expiry(now, ttl)))
                names = self._redis_keys("value", key)
                batch.delete(*names)  # also an entry with another expiry or type
                batch.hset(names[0], mapping={"label": new.label, "body": new.body})
                if ttl is not None:
                    batch.pexpire(names[0], _milliseconds(ttl))
            await batch.execute()

    async def delete(self, key: str) -> bool:
        async with translated_redis_errors():
            deleted = await self._client.delete(
                *self._redis_keys("value", key),
                *self._redis_keys("counter", key),
                *self._redis_keys("log", key),
            )
        return deleted > 0

    async def ttl(self, key: str) -> float | None:
        label = await self._find("label", key)
        if label is not None:
            return math.inf if label.expires_at is None else label.expires_at - self._clock()
        for name in (*self._redis_keys("counter", key), *self._redis_keys("log", key)):
            async with translated_redis_errors():
                left = await self._client.pttl(name)
            # -2: it does not exist; -1: it never expires
            if left != -2:
                return math.inf if left == -1 else left / 1000
        return None

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        namespaces = [name.hex() for name in self._keys.namespaces_to_scan(prefix)] or ["*"]
        seen: set[str] = set()  # Redis may report a name twice
        for namespace in namespaces:
            async for key, label in self._labels(
                f"{self._prefix}:value:{namespace}:*", "hget", "label"
            ):
                is_new = key not in seen and not label.expired(self._clock())
                if is_new and key.startswith(prefix):
                    seen.add(key)
                    yield key

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        expiry(0.0, ttl)
        arguments = [by, "" if ttl is None else _milliseconds(ttl)]
        async with translated_redis_errors():
            return int(await self._increment_script(self._redis_keys("counter", key), arguments))

    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        now = self._clock()
        expiry(now, ttl)
        label = self._keys.seal("log", key, StoredValue(b"", now)).label
        name = self._keys.names("log", key)[0]
        body = self._keys.seal_part("body", name, StoredValue(value, now))
        expires_in = "" if ttl is None else _milliseconds(ttl)
        arguments = [label, body, expires_in, int(create)]
        async with translated_redis_errors():
            length = await self._append_script(self._redis_keys("log", key), arguments)
        return None if length is None else int(length)

    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        names = self._keys.names("log", key)
        for redis_key in self._redis_keys("log", key):
            async with translated_redis_errors():
                blobs = await sealed_entries(self._client, redis_key, start)
            if blobs is not None:
                unsealed = ([self._keys.unseal("body", n, blob) for n in names] for blob in blobs)
                return [next((e.value for e in tries if e), b"") for tries in unsealed]
        return None

    async def renew(self, key: str, *, ttl: float) -> bool:
        expiry(self._clock(), ttl)
        async with translated_redis_errors():
            renewed = [
                await self._client.pexpire(redis_key, _milliseconds(ttl))
                for redis_key in self._redis_keys("log", key)
            ]
        return any(renewed)

    async def logs(self, prefix: str) -> AsyncIterator[str]:
        namespaces = [name.hex() for name in self._keys.namespaces_to_scan(prefix)] or ["*"]
        seen: set[str] = set()
        for namespace in namespaces:
            async for key, _ in self._labels(f"{self._prefix}:log:{namespace}:*", "lindex", 0):
                if key not in seen and key.startswith(prefix):
                    seen.add(key)
                    yield key

    async def _take_lock(self, key: str, holder: str, ttl: float) -> int | None:
        names = [f"{self._prefix}:fence", *self._redis_keys("lock", key)]
        arguments = [holder, _milliseconds(ttl), next_token(0, self._clock())]
        async with translated_redis_errors():
            token = await self._take_script(names, arguments)
        return None if token is None else int(token)

    async def _release_lock(self, key: str, holder: str) -> bool:
        names = self._redis_keys("lock", key)
        async with translated_redis_errors():
            return int(await self._release_script(names, [holder])) == len(names)

    async def sweep(self) -> int:
        return 0  # Redis itself deletes what has expired

    async def close(self) -> None:
        await self._client.aclose()

    def _redis_keys(self, kind: Kind, key: str) -> list[str]:
        names = [name.hex() for name in self._keys.names(kind, key)]
        if kind in ("value", "log"):
            namespaces = [name.hex() for name in self._keys.namespaces(key)]
            names = [":".join(pair) for pair in zip(namespaces, names, strict=True)]
        return [f"{self._prefix}:{kind}:{name}" for name in names]

    async def _find(self, part: Part, key: str) -> StoredValue | None:
        """Return the first authentic entry under the names of `key`."""
        blinded = self._keys.names("value", key)
        for name, redis_key in zip(blinded, self._redis_keys("value", key), strict=True):
            entry = self._keys.unseal(part, name, await self._field(redis_key, part))
            if entry is not None and not entry.expired(self._clock()):
                return entry
        return None

    async def _field(self, redis_key: str, part: Part) -> object:
        async with translated_redis_errors():
            try:
                return await self._client.hget(redis_key, part)
            except ResponseError as exc:
                # an entry of another type is not ours
                if str(exc).startswith("WRONGTYPE"):
                    return None
                raise

    async def _labels(
        self, pattern: str, read: str, field: str | int
    ) -> AsyncIterator[tuple[str, StoredValue]]:
        cursor = 0
        while True:
            async with translated_redis_errors(), self._client.pipeline(transaction=False) as batch:
                cursor, keys = await cast("_Scans", self._client).scan(
                    cursor, match=pattern, count=1000
                )
                for redis_key in keys:
                    getattr(batch, read)(redis_key, field)
                labels = await batch.execute(raise_on_error=False)
            for redis_key, label in zip(keys, labels, strict=True):
                entry = self._keys.unseal_key(_blinded_name(redis_key), label)
                if entry is not None:
                    yield entry
            if cursor == 0:
                return


class _Scans(Protocol):
    """The one method that the client library does not type."""

    def scan(self, cursor: int, *, match: str, count: int) -> Awaitable[tuple[int, list[bytes]]]:
        """Return the next cursor and some of the names that match."""
        ...


def _blinded_name(redis_key: bytes) -> bytes | None:
    try:
        return bytes.fromhex(redis_key.rpartition(b":")[2].decode("ascii"))
    except ValueError:
        return None


def _milliseconds(seconds: float) -> int:
    return math.ceil(seconds * 1000)
