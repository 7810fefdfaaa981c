"""The store that several machines share: Redis or Valkey.

Values are hashes of an encrypted label and body under blinded names; counters are plain numbers
under blinded names. Redis does the expiring, so clocks that disagree cannot free a lock early.
"""

import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import AuthenticationError, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from webquarry.errors import AccessError, NetworkError, ProviderError, SettingsError
from webquarry.storage.cipher import Keyring, Kind, Part
from webquarry.storage.locks import hold
from webquarry.storage.redis_logs import APPEND, opened_log
from webquarry.storage.store import Clock, Lease, StoredValue, Value, expiry, next_token

_CONNECTIONS = 32
_TIMEOUT = 5.0

# a counter of the key before this one is carried on under its new name
_INCREMENT = """
if KEYS[2] and redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[1])
end
local created = redis.call('EXISTS', KEYS[1]) == 0
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if created and ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return count
"""
# the first name is the fencing counter, the others are the lock under each key we know
_TAKE = """
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
_DROP = """
local freed = 0
for i = 1, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then freed = freed + redis.call('DEL', KEYS[i]) end
end
return freed
"""


class RedisStore:
    """`Store` in Redis. A connection lost half-way may count one increment twice."""

    def __init__(
        self, url: str, keyring: Keyring, *, prefix: str = "webquarry", clock: Clock = time.time
    ) -> None:
        """Use the server at `url`; it is contacted by the first call, not here."""
        self._keys = keyring
        self._prefix = prefix
        self._clock = clock
        self._client = _client(url)
        self._increment = self._client.register_script(_INCREMENT)
        self._take = self._client.register_script(_TAKE)
        self._drop = self._client.register_script(_DROP)
        self._append = self._client.register_script(APPEND)

    async def get(self, key: str) -> StoredValue | None:
        return await self._find("body", key)

    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        await self.set_all([(key, value, ttl)])

    async def set_all(self, values: Iterable[Value]) -> None:
        now = self._clock()
        async with _border(), self._client.pipeline(transaction=True) as batch:
            for key, value, ttl in values:
                new = self._keys.seal("value", key, StoredValue(value, now, expiry(now, ttl)))
                names = self._names("value", key)
                batch.delete(*names)  # whatever is there, also with another expiry or type
                batch.hset(names[0], mapping={"label": new.label, "body": new.body})
                if ttl is not None:
                    batch.pexpire(names[0], _milliseconds(ttl))
            await batch.execute()

    async def delete(self, key: str) -> bool:
        async with _border():
            gone = await self._client.delete(
                *self._names("value", key), *self._names("counter", key), *self._names("log", key)
            )
        return gone > 0

    async def ttl(self, key: str) -> float | None:
        label = await self._find("label", key)
        if label is not None:
            return math.inf if label.expires_at is None else label.expires_at - self._clock()
        for name in (*self._names("counter", key), *self._names("log", key)):
            async with _border():
                left = await self._client.pttl(name)
            # minus two is a missing one, minus one is one that never expires
            if left != -2:
                return math.inf if left == -1 else left / 1000
        return None

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        groups = [group.hex() for group in self._keys.groups_to_scan(prefix)] or ["*"]
        seen: set[str] = set()  # Redis may report a name twice
        for group in groups:
            async for key, label in self._labels(
                f"{self._prefix}:value:{group}:*", "hget", "label"
            ):
                fresh = key not in seen and not label.expired(self._clock())
                if fresh and key.startswith(prefix):
                    seen.add(key)
                    yield key

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        expiry(0.0, ttl)
        arguments = [by, "" if ttl is None else _milliseconds(ttl)]
        async with _border():
            return int(await self._increment(self._names("counter", key), arguments))

    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        now = self._clock()
        expiry(now, ttl)
        label = self._keys.seal("log", key, StoredValue(b"", now)).label
        name = self._keys.names("log", key)[0]
        body = self._keys.seal_part("body", name, StoredValue(value, now))
        life = "" if ttl is None else _milliseconds(ttl)
        async with _border():
            length = await self._append(self._names("log", key), [label, body, life, int(create)])
        return None if length is None else int(length)

    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        names = self._keys.names("log", key)
        for address in self._names("log", key):
            async with _border():
                # the label comes along, which tells an empty rest from a missing log
                found = await opened_log(self._client, address, start)
            if found is not None:
                opened = ([self._keys.open("body", n, blob) for n in names] for blob in found)
                return [next((e.value for e in tries if e), b"") for tries in opened]
        return None

    async def renew(self, key: str, *, ttl: float) -> bool:
        expiry(self._clock(), ttl)
        async with _border():
            renewed = [
                await self._client.pexpire(address, _milliseconds(ttl))
                for address in self._names("log", key)
            ]
        return any(renewed)

    async def logs(self, prefix: str) -> AsyncIterator[str]:
        groups = [group.hex() for group in self._keys.groups_to_scan(prefix)] or ["*"]
        seen: set[str] = set()
        for group in groups:
            async for key, _ in self._labels(f"{self._prefix}:log:{group}:*", "lindex", 0):
                if key not in seen and key.startswith(prefix):
                    seen.add(key)
                    yield key

    def lock(
        self, key: str, *, ttl: float, wait: float = 0.0
    ) -> AbstractAsyncContextManager[Lease]:
        return hold(self, key, ttl=ttl, wait=wait)

    async def take(self, key: str, owner: str, ttl: float) -> int | None:
        """Make `owner` the holder and return the fencing token, or None when it is taken."""
        names = [f"{self._prefix}:fence", *self._names("lock", key)]
        arguments = [owner, _milliseconds(ttl), next_token(0, self._clock())]
        async with _border():
            token = await self._take(names, arguments)
        return None if token is None else int(token)

    async def drop(self, key: str, owner: str) -> bool:
        """Free the lock if `owner` still holds it; return whether it did."""
        names = self._names("lock", key)
        async with _border():
            return int(await self._drop(names, [owner])) == len(names)

    async def sweep(self) -> int:
        return 0  # Redis drops what has expired by itself

    async def close(self) -> None:
        await self._client.aclose()

    def _names(self, kind: Kind, key: str) -> list[str]:
        names = [name.hex() for name in self._keys.names(kind, key)]
        if kind in ("value", "log"):
            groups = [group.hex() for group in self._keys.groups(key)]
            names = [f"{group}:{name}" for group, name in zip(groups, names, strict=True)]
        return [f"{self._prefix}:{kind}:{name}" for name in names]

    async def _find(self, part: Part, key: str) -> StoredValue | None:
        """Return the first genuine entry under the names that `key` has."""
        blinded = self._keys.names("value", key)
        for name, address in zip(blinded, self._names("value", key), strict=True):
            entry = self._keys.open(part, name, await self._field(address, part))
            if entry is not None and not entry.expired(self._clock()):
                return entry
        return None

    async def _field(self, address: str, part: Part) -> object:
        async with _border():
            try:
                return await self._client.hget(address, part)
            except ResponseError as exc:
                # somebody put something else there, which is no value of ours
                if str(exc).startswith("WRONGTYPE"):
                    return None
                raise

    async def _labels(
        self, pattern: str, read: str, field: str | int
    ) -> AsyncIterator[tuple[str, StoredValue]]:
        cursor = 0
        while True:
            async with _border(), self._client.pipeline(transaction=False) as batch:
                cursor, found = await cast("_Scans", self._client).scan(
                    cursor, match=pattern, count=1000
                )
                for address in found:
                    getattr(batch, read)(address, field)
                labels = await batch.execute(raise_on_error=False)
            for address, label in zip(found, labels, strict=True):
                named = self._keys.open_key(_blinded(address), label)
                if named is not None:
                    yield named
            if cursor == 0:
                return


@asynccontextmanager
async def _border() -> AsyncGenerator[None]:
    """Translate the errors of the client library."""
    try:
        yield
    except (RedisError, OSError) as exc:
        raise _translated(exc) from exc


def _translated(exc: Exception) -> ProviderError:
    # the library wraps a refused password, which happens while it connects
    if isinstance(exc, AuthenticationError) or isinstance(exc.__cause__, AuthenticationError):
        return AccessError(f"Redis refused the credentials in REDIS_URL: {exc}", provider="redis")
    if isinstance(exc, RedisConnectionError | RedisTimeoutError | OSError):
        told = f"Redis did not answer: {exc}; check REDIS_URL and that the server is running"
        return NetworkError(told, provider="redis")
    return ProviderError(f"Redis refused a command: {exc}", provider="redis")


class _Scans(Protocol):
    """The one call whose types the client library leaves open."""

    def scan(self, cursor: int, *, match: str, count: int) -> Awaitable[tuple[int, list[bytes]]]:
        """Return the next cursor and some of the names that match."""
        ...


def _client(url: str) -> Redis:
    try:
        address = parse_url(url)
    except ValueError as exc:
        raise SettingsError(
            f"REDIS_URL is not valid: {exc}; it looks like redis://user:password@host:6379/0"
        ) from exc
    return Redis.from_pool(
        BlockingConnectionPool(
            max_connections=_CONNECTIONS,
            timeout=_TIMEOUT,
            socket_timeout=_TIMEOUT,
            socket_connect_timeout=_TIMEOUT,
            health_check_interval=30,
            retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), 2),
            **address,
        )
    )


def _blinded(address: bytes) -> bytes | None:
    try:
        return bytes.fromhex(address.rpartition(b":")[2].decode("ascii"))
    except ValueError:
        return None


def _milliseconds(seconds: float) -> int:
    return math.ceil(seconds * 1000)
