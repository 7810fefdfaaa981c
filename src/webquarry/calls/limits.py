"""Rate limits and quotas: calls per second, minute or day."""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from webquarry.errors import DeadlineError, ProviderError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.quota import Quota
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

DAY = 86_400
_NAMESPACE = "limit"


class CallCounter(Protocol):
    """Counts calls by key; each window of a limit has its own key."""

    async def __call__(self, key: str, by: int = 1, *, ttl: float) -> int: ...


class LocalCallCounter:
    """`CallCounter` for one process. Expired windows are dropped."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._windows: dict[str, tuple[int, float]] = {}
        self._next_sweep = 0.0

    @property
    def windows(self) -> int:
        """Return the number of windows in memory."""
        return len(self._windows)

    async def __call__(self, key: str, by: int = 1, *, ttl: float) -> int:
        now = self._clock()
        if now >= self._next_sweep:
            self._windows = {k: w for k, w in self._windows.items() if w[1] > now}
            self._next_sweep = now + 60
        count, ends = self._windows.get(key, (0, now + ttl))
        self._windows[key] = (count + by, ends)
        return count + by


class StoreCallCounter:
    """`CallCounter` in the store: shared by several servers, and kept across restarts.

    While the store is unavailable each server counts alone, which is too lenient but keeps serving.
    """

    def __init__(self, store: Callable[[], Store]) -> None:
        """Take a function, because the store is opened by the first count."""
        self._store = store
        self._local = LocalCallCounter()
        self._unavailable = False

    async def __call__(self, key: str, by: int = 1, *, ttl: float) -> int:
        try:
            count = await self._store().increment(key, by, ttl=ttl)
        except (ProviderError, DeadlineError) as exc:
            if not self._unavailable:
                logger.warning("the store is unavailable, each server counts limits alone: %s", exc)
            self._unavailable = True
            return await self._local(key, by, ttl=ttl)
        self._unavailable = False
        return count


@dataclass(frozen=True)
class Limit:
    """At most `max_calls` per `seconds` for each value of `scope`; 0 means no limit."""

    name: str
    max_calls: int
    seconds: int
    scope: Callable[[Caller], tuple[str, ...]]
    message: str  # what an error says when the limit is reached

    def key(self, caller: Caller, window: float) -> str:
        """Return the key of the counter of one window."""
        return name_of(_NAMESPACE, self.name, *self.scope(caller), str(int(window)))


@dataclass(frozen=True)
class LimitStatus:
    """How many calls a limit still allows, and the seconds until its window ends."""

    limit: Limit
    remaining: int
    resets_in: float


class OverLimitError(RateLimitError):
    """One of our own limits is reached."""

    def __init__(self, status: LimitStatus) -> None:
        limit, wait = status.limit, status.resets_in
        super().__init__(
            f"Rate limited: {limit.message} ({limit.name}={limit.max_calls}). "
            f"Wait {max(1, round(wait))} seconds and retry.",
            retry_after=wait,
        )
        self.status = status


class Limiter:
    """Rejects calls that would exceed a limit; the error says which limit and when to retry."""

    def __init__(
        self,
        limits: tuple[Limit, ...],
        counter: CallCounter,
        clock: Callable[[], float] = time.time,
        *,
        daily: CallCounter | None = None,
    ) -> None:
        """Count with `counter`; daily limits with `daily`, if a restart must not reset them."""
        self._limits = tuple(limit for limit in limits if limit.max_calls > 0)
        self._counter = counter
        self._daily = daily or counter
        self._clock = clock

    async def take(self, caller: Caller) -> tuple[LimitStatus, ...]:
        """Count one call and return the status of each limit; a rejected call does not count."""
        statuses: list[LimitStatus] = []
        for limit in self._limits:
            count, status = await self._count(limit, caller, 1)
            statuses.append(status)
            if count > limit.max_calls:
                for counted in statuses:
                    await self._count(counted.limit, caller, -1)
                raise OverLimitError(status)
        return tuple(statuses)

    async def quotas(self, caller: Caller) -> list[Quota]:
        """Return the remaining calls of each limit, without counting one."""
        statuses = [(await self._count(limit, caller, 0))[1] for limit in self._limits]
        return [
            Quota(
                name=status.limit.name,
                limit=status.limit.max_calls,
                windowSeconds=status.limit.seconds,
                remaining=status.remaining,
                resetsInSeconds=math.ceil(status.resets_in),
            )
            for status in statuses
        ]

    async def _count(self, limit: Limit, caller: Caller, by: int) -> tuple[int, LimitStatus]:
        window, elapsed = divmod(self._clock(), limit.seconds)
        counter = self._daily if limit.seconds == DAY else self._counter
        count = await counter(limit.key(caller, window), by, ttl=2 * limit.seconds)
        remaining = max(0, limit.max_calls - count)
        return count, LimitStatus(limit, remaining, limit.seconds - elapsed)


def http_limits(*, per_tenant: int, overall: int, daily: int) -> tuple[Limit, ...]:
    """Return the limits of a shared server.

    The global one is last, so that calls rejected by a tenant's limit do not count against it.
    """
    return (
        Limit("RATE_LIMIT_PER_TENANT", per_tenant, 60, _tenant, "too many calls this minute"),
        Limit("DAILY_QUOTA_PER_TENANT", daily, DAY, _tenant, "the daily quota is used up"),
        global_limit(overall),
    )


def global_limit(max_calls: int) -> Limit:
    """Return the limit of all requests together, the only one for reads of jobs."""
    return Limit("RATE_LIMIT_GLOBAL", max_calls, 1, lambda _: (), "the server is busy")


def ip_limit(max_calls: int) -> Limit:
    """Return the limit of one IP address, which applies before authentication."""
    message = "too many calls from your address"
    return Limit("RATE_LIMIT_PER_IP", max_calls, 60, lambda c: (c.address or "",), message)


def personal_limit(max_calls: int) -> Limit:
    """Return the limit of one user's calls per UTC day."""
    message = "your daily calls are used up"
    return Limit("MAX_CALLS_PER_DAY", max_calls, DAY, lambda c: (c.tenant, c.user), message)


class CallCounterPersonalData:
    """`KeepsPersonalData` for the daily counters, the only ones whose keys name a user."""

    kinds = (_NAMESPACE,)

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def export(self, tenant: str, user: str) -> list[Record]:
        stored = [(name, await self._store.ttl(name)) for name in self._names(tenant, user)]
        return [{"name": name, "secondsLeft": left} for name, left in stored if left is not None]

    async def erase(self, tenant: str, user: str) -> int:
        return sum([await self._store.delete(name) for name in self._names(tenant, user)])

    def _names(self, tenant: str, user: str) -> list[str]:
        today = self._clock() // DAY
        limit, caller = personal_limit(1), Caller(tenant=tenant, user=user)
        # a counter expires after two windows
        return [limit.key(caller, today - days) for days in range(3)]


def _tenant(caller: Caller) -> tuple[str, ...]:
    return (caller.tenant,)
