"""The storage port: what every store promises, whichever database is behind it.

A store has four kinds of things, each with names of its own, so that `"x"` may be a value, a
counter, a log and a lock at once: values (`get`, `set`, `scan`), counters (`increment`), logs that
only grow (`append`, `entries`, `renew`, `logs`) and locks (`lock`). `delete` and `ttl` answer for
values, counters and logs alike.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from webquarry.errors import BadInputError, DeadlineError

Clock = Callable[[], float]
Value = tuple[str, bytes, float | None]  # name, value, and the seconds it is kept

MAX_TTL = 100 * 365 * 86400.0  # Redis counts milliseconds in 64 bits; nobody needs more


class LockedError(DeadlineError):
    """Somebody else kept the lock for as long as the caller was willing to wait."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A stored value with the times, in unix seconds, that belong to it."""

    value: bytes
    stored_at: float
    expires_at: float | None = None

    def expired(self, now: float) -> bool:
        """Return whether the entry is no longer valid at `now`."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Lease:
    """A lock that is held. A later holder of any lock always has a greater `token`.

    Write the token next to what the lock protects and refuse smaller ones: then a holder that was
    paused past its expiry cannot overwrite its successor.
    """

    key: str
    token: int


class Store(Protocol):
    """Keeps bytes under names, with an expiry, for several processes at once."""

    async def get(self, key: str) -> StoredValue | None:
        """Return the value, or None when there is none, it has expired or it was damaged."""
        ...

    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        """Keep `value` for `ttl` seconds, or for ever; on return it survives a killed process."""
        ...

    async def set_all(self, values: Iterable[Value]) -> None:
        """Keep several values, as `set` does, for less than that costs; they may fail together."""
        ...

    async def delete(self, key: str) -> bool:
        """Remove the value, the counter and the log of that name; return whether there was one."""
        ...

    async def ttl(self, key: str) -> float | None:
        """Return the seconds left, `math.inf` when it never expires, None when nothing is there.

        The value of that name is asked first, then the counter, then the log.
        """
        ...

    def scan(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names of the values that start with `prefix`, in no particular order.

        A prefix with a colon (`"job:"`, `"job:7"`) reads only the names with the same part before
        their first colon; one without a colon reads every name there is.
        """
        ...

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        """Add to a counter and return its new value; the increment that creates it sets `ttl`."""
        ...

    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        """Add to the end of a log, which then lives for `ttl` seconds; return its new length.

        What is in the log already is not written again, however long it is. Without `create`,
        None says that there is no such log and nothing was written.
        """
        ...

    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        """Return what was appended after the first `start`, a damaged entry as no bytes at all.

        None says that there is no such log.
        """
        ...

    async def renew(self, key: str, *, ttl: float) -> bool:
        """Let a log live for `ttl` seconds from now; return whether there is one."""
        ...

    def logs(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names of the logs that start with `prefix`, as `scan` does for values."""
        ...

    def lock(
        self, key: str, *, ttl: float, wait: float = 0.0
    ) -> AbstractAsyncContextManager[Lease]:
        """Hold `key` alone for at most `ttl` seconds; `LockedError` after `wait` seconds."""
        ...

    async def sweep(self) -> int:
        """Drop what has expired; return how many values and counters were dropped."""
        ...

    async def close(self) -> None:
        """Release files and connections."""
        ...


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
