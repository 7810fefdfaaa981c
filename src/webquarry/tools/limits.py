"""How often a caller may call: per minute, per second, per day."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from webquarry.errors import RateLimitError
from webquarry.models.caller import Caller
from webquarry.storage.base import Store

DAY = 86_400


class Counts(Protocol):
    """Counts calls in a window; the count starts again when the window's key changes."""

    async def __call__(self, key: str, *, ttl: float) -> int: ...


class LocalCounts:
    """`Counts` for one process. Windows that have passed are forgotten."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._windows: dict[str, tuple[int, float]] = {}
        self._next_sweep = 0.0

    @property
    def windows(self) -> int:
        """Return how many windows are remembered."""
        return len(self._windows)

    async def __call__(self, key: str, *, ttl: float) -> int:
        now = self._clock()
        if now >= self._next_sweep:
            self._windows = {k: w for k, w in self._windows.items() if w[1] > now}
            self._next_sweep = now + 60
        count, ends = self._windows.get(key, (0, now + ttl))
        self._windows[key] = (count + 1, ends)
        return count + 1


class StoreCounts:
    """`Counts` that several servers share through their store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, key: str, *, ttl: float) -> int:
        return await self._store.increment(key, ttl=ttl)


@dataclass(frozen=True)
class Limit:
    """At most `most` calls per `seconds` for each value of `scope`; 0 means no limit."""

    name: str
    most: int
    seconds: int
    scope: Callable[[Caller], str]
    what: str


class Limiter:
    """Refuses a call that would exceed a limit, saying which one and when to come back."""

    def __init__(
        self, limits: tuple[Limit, ...], counts: Counts, clock: Callable[[], float] = time.time
    ) -> None:
        self._limits = tuple(limit for limit in limits if limit.most > 0)
        self._counts = counts
        self._clock = clock

    async def admit(self, caller: Caller) -> None:
        """Count one call of `caller`."""
        for limit in self._limits:
            window, into = divmod(self._clock(), limit.seconds)
            key = f"limit:{limit.name}:{limit.scope(caller)}:{int(window)}"
            if await self._counts(key, ttl=2 * limit.seconds) > limit.most:
                wait = limit.seconds - into
                raise RateLimitError(
                    f"Rate limited: {limit.what} ({limit.name}={limit.most}). "
                    f"Wait {max(1, round(wait))} seconds and retry.",
                    retry_after=wait,
                )


def http_limits(*, per_tenant: int, overall: int, daily: int) -> tuple[Limit, ...]:
    """Return the limits of a server that several people share."""
    return (
        Limit("RATE_LIMIT_GLOBAL", overall, 1, lambda _: "", "the server is busy"),
        Limit("RATE_LIMIT_PER_TENANT", per_tenant, 60, _tenant, "too many calls this minute"),
        Limit("DAILY_QUOTA_PER_TENANT", daily, DAY, _tenant, "the daily quota is used up"),
    )


def personal_limit(most: int) -> Limit:
    """Return the cap on one person's calls per UTC day."""
    return Limit("MAX_CALLS_PER_DAY", most, DAY, _person, "your daily calls are used up")


def _tenant(caller: Caller) -> str:
    return caller.tenant


def _person(caller: Caller) -> str:
    return f"{caller.tenant}:{caller.user}"
