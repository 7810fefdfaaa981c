"""The storage port: what every store promises, whichever database is behind it.

A store has four kinds of things, each with its own names, so that `"x"` may be a value, a counter,
a log and a lock at once: values (`get`, `set`, `scan`), counters (`increment`), append-only logs
(`append`, `entries`, `renew`, `logs`) and locks (`lock`). `delete` and `ttl` work for values,
counters and logs.
"""

import hashlib
import logging
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import anyio

from webquarry.errors import BadInputError, DeadlineError
from webquarry.models.caller import Caller
from webquarry.storage.key_names import name_of
from webquarry.storage.key_namespaces import CACHES, OWNED, SHARED

Clock = Callable[[], float]

MAX_TTL = 100 * 365 * 86400.0  # Redis counts milliseconds in 64 bits
_MARK_TTL = 86_400.0  # of the owner mark of a value that never expires
_GENERATION = re.compile(r"~[0-9a-f]{16}$")  # at the end of the full name of a cached value
_FIRST_LOCK_RETRY = 0.005
_MAX_LOCK_RETRY = 0.1

logger = logging.getLogger(__name__)


class LockedError(DeadlineError):
    """Another holder kept the lock for as long as the caller was willing to wait."""


class _Unspecified(Enum):
    """The owner of a value that belongs to no shared namespace."""

    OWNER = "unspecified"


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A stored value with its times in unix seconds."""

    value: bytes
    stored_at: float
    expires_at: float | None = None

    def expired(self, now: float) -> bool:
        """Return whether the entry is no longer valid at `now`."""
        return self.expires_at is not None and self.expires_at <= now


class StoreWrite(NamedTuple):
    """A value to store for `ttl` seconds, or forever.

    `owner` is required in the shared namespaces and not allowed in others, whose keys name their
    owner: it is the caller whose call produced the value, or None. Only a caller who authenticated
    can own a value.
    """

    key: str
    value: bytes
    ttl: float | None = None
    owner: Caller | _Unspecified | None = _Unspecified.OWNER


@dataclass(frozen=True, slots=True)
class Lease:
    """A lock that is held. A later holder of any lock always has a greater `token`.

    Write the token next to what the lock protects and refuse smaller ones: then a holder that was
    paused past its expiry cannot overwrite its successor.
    """

    key: str
    token: int


class Store(ABC):
    """Stores bytes under names, with an expiry, for several processes at once.

    `get` and `set` add to the keys of caches what their values depend on (`CACHES`): a value that
    was cached with other settings, or by another version, is not found. `scan` yields full names,
    which every method accepts.
    """

    configuration: str = ""  # digest of the settings that values of caches depend on

    async def get(self, key: str) -> StoredValue | None:
        """Return the value, or None if it is missing, expired or damaged."""
        return await self._read(self._full_name(key))

    @abstractmethod
    async def _read(self, key: str) -> StoredValue | None:
        """Return the value of that full name."""

    async def set(
        self,
        key: str,
        value: bytes,
        *,
        ttl: float | None = None,
        owner: Caller | _Unspecified | None = _Unspecified.OWNER,
    ) -> None:
        """Store `value` as `StoreWrite` describes; on return it survives a killed process."""
        await self.set_all([StoreWrite(key, value, ttl, owner)])

    async def set_all(self, writes: Iterable[StoreWrite]) -> None:
        """Store several values at a lower cost than `set` for each; they may fail together."""
        values = [write._replace(key=self._full_name(write.key)) for write in writes]
        # marks first: a value stored without its mark could not be erased with its owner
        await self._write([*(mark for write in values if (mark := _owner_mark(write))), *values])

    def _full_name(self, key: str) -> str:
        version = CACHES.get(key.partition(":")[0])
        if version is None or _GENERATION.search(key):
            return key
        depends_on = f"{version}\0{self.configuration}".encode()
        return f"{key}~{hashlib.sha256(depends_on).hexdigest()[:16]}"

    @abstractmethod
    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        """Store the values in this order, or all at once."""

    @abstractmethod
    async def delete(self, key: str) -> bool:
        """Remove the value, the counter and the log of that name; return whether there was one."""

    @abstractmethod
    async def ttl(self, key: str) -> float | None:
        """Return the seconds left, `math.inf` if it never expires, None if it does not exist.

        The value of that name comes first, then the counter, then the log.
        """

    @abstractmethod
    def scan(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names of the values that start with `prefix`, in no particular order.

        A prefix with a colon (`"job:"`, `"job:7"`) reads only the names with the same part before
        their first colon; one without a colon reads all names.
        """

    @abstractmethod
    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        """Add to a counter and return its new value; the increment that creates it sets `ttl`."""

    @abstractmethod
    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        """Add to the end of a log, which then lives for `ttl` seconds; return its new length.

        The entries already in the log are not rewritten. Without `create`, return None and write
        nothing if the log does not exist.
        """

    @abstractmethod
    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        """Return the entries after the first `start`, a damaged one as empty bytes.

        None means that the log does not exist.
        """

    @abstractmethod
    async def renew(self, key: str, *, ttl: float) -> bool:
        """Let a log live for `ttl` seconds from now; return whether it exists."""

    @abstractmethod
    def logs(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names of the logs that start with `prefix`, as `scan` does for values."""

    @asynccontextmanager
    async def lock(self, key: str, *, ttl: float, wait: float = 0.0) -> AsyncGenerator[Lease]:
        """Hold `key` alone for at most `ttl` seconds; `LockedError` after `wait` seconds."""
        expiry(0.0, ttl)  # rejects a lock that would never expire before it is taken
        holder = secrets.token_hex(16)
        token = await self._wait_for_lock(key, holder, ttl=ttl, wait=wait)
        try:
            yield Lease(key, token)
        finally:
            # a cancelled holder must still release the lock
            with anyio.CancelScope(shield=True):
                if not await self._release_lock(key, holder):
                    logger.warning("a lock expired before its holder was done after %s s", ttl)

    async def _wait_for_lock(self, key: str, holder: str, *, ttl: float, wait: float) -> int:
        deadline = anyio.current_time() + wait
        pause = _FIRST_LOCK_RETRY
        token: int | None = None
        while True:
            # if this were cancelled halfway, the lock might be held without anyone knowing
            with anyio.CancelScope(shield=True):
                token = await self._take_lock(key, holder, ttl)
            if token is not None:
                return token
            left = deadline - anyio.current_time()
            if left <= 0:
                raise LockedError(
                    f"{key!r} is in use by another process after {wait:g} s; try again"
                )
            await anyio.sleep(min(pause, left))
            pause = min(pause * 2, _MAX_LOCK_RETRY)

    @abstractmethod
    async def _take_lock(self, key: str, holder: str, ttl: float) -> int | None:
        """Take the lock and return the fencing token, or None if another holder has it."""

    @abstractmethod
    async def _release_lock(self, key: str, holder: str) -> bool:
        """Release the lock if `holder` still has it; return whether it did."""

    @abstractmethod
    async def sweep(self) -> int:
        """Delete what has expired; return how many values, counters and logs were deleted."""

    @abstractmethod
    async def close(self) -> None:
        """Release files and connections."""


def expiry(now: float, ttl: float | None) -> float | None:
    """Return when something stored `now` for `ttl` seconds expires."""
    if ttl is None:
        return None
    if not 0 < ttl <= MAX_TTL:
        raise BadInputError(f"ttl must be above 0 and at most {MAX_TTL:.0f} seconds, got {ttl}")
    return now + ttl


def next_token(last: int, now: float) -> int:
    """Return a fencing token above `last`, and above those of a database that was lost."""
    return max(last + 1, int(now * 1000))


def _owner_mark(write: StoreWrite) -> StoreWrite | None:
    """Return the entry that records the owner of a shared value, for export and erasure."""
    namespace = write.key.partition(":")[0]
    if write.owner is _Unspecified.OWNER:
        if namespace in SHARED:
            raise TypeError(f"a value in the shared namespace {namespace!r} needs an owner or None")
        return None
    if namespace not in SHARED:
        raise TypeError(f"values in the namespace {namespace!r} take no owner: their keys name it")
    if write.owner is None or not write.owner.proved:
        return None
    name = name_of(OWNED, write.owner.tenant, write.owner.user, write.key)
    return StoreWrite(name, b"{}", write.ttl or _MARK_TTL)
