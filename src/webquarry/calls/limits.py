"""How often a caller may call: per minute, per second, per day."""

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
_PERSONAL = "MAX_CALLS_PER_DAY"
_KIND = "limit"


class CallCounter(Protocol):
    """Counts calls in a window; the count starts again when the window's key changes."""

    async def __call__(self, key: str, by: int = 1, *, ttl: float) -> int: ...


class LocalCallCounter:
    """`CallCounter` for one process. Windows that have passed are forgotten."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._windows: dict[str, tuple[int, float]] = {}
        self._next_sweep = 0.0

    @property
    def windows(self) -> int:
        """Return how many windows are remembered."""
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
    """`CallCounter` that several servers share through their store, and that outlive a restart.

    While the store is away each server counts for itself: too lenient, but it goes on.
    """

    def __init__(self, store: Callable[[], Store]) -> None:
        """Ask for the store when something is counted, not before."""
        self._store = store
        self._meanwhile = LocalCallCounter()
        self._away = False

    async def __call__(self, key: str, by: int = 1, *, ttl: float) -> int:
        try:
            count = await self._store().increment(key, by, ttl=ttl)
        except (ProviderError, DeadlineError) as exc:
            if not self._away:
                logger.warning("limits are counted by each server alone for now: %s", exc)
            self._away = True
            return await self._meanwhile(key, by, ttl=ttl)
        self._away = False
        return count


@dataclass(frozen=True)
class Limit:
    """At most `most` calls per `seconds` for each value of `scope`; 0 means no limit."""

    name: str
    most: int
    seconds: int
    scope: Callable[[Caller], tuple[str, ...]]
    what: str

    def key(self, caller: Caller, window: float) -> str:
        """Return the name of the count of one window."""
        return name_of(_KIND, self.name, *self.scope(caller), str(int(window)))


@dataclass(frozen=True)
class LimitStatus:
    """How much of a limit is left, and for how many seconds it will stay so."""

    limit: Limit
    left: int
    resets_in: float


class OverLimitError(RateLimitError):
    """One of our own limits is reached."""

    def __init__(self, standing: LimitStatus) -> None:
        limit, wait = standing.limit, standing.resets_in
        super().__init__(
            f"Rate limited: {limit.what} ({limit.name}={limit.most}). "
            f"Wait {max(1, round(wait))} seconds and retry.",
            retry_after=wait,
        )
        self.standing = standing


class Limiter:
    """Refuses a call that would exceed a limit, saying which one and when to come back."""

    def __init__(
        self,
        limits: tuple[Limit, ...],
        counts: CallCounter,
        clock: Callable[[], float] = time.time,
        *,
        daily: CallCounter | None = None,
    ) -> None:
        """Count with `counts`; what runs for a day with `daily`, if a restart must not reset it."""
        self._limits = tuple(limit for limit in limits if limit.most > 0)
        self._counts = counts
        self._daily = daily or counts
        self._clock = clock

    async def admit(self, caller: Caller) -> None:
        """Count one call of `caller`."""
        await self.take(caller)

    async def take(self, caller: Caller) -> tuple[LimitStatus, ...]:
        """Count one call of `caller` and return how it stands; a refused call costs nothing."""
        standings: list[LimitStatus] = []
        taken: list[tuple[Limit, str]] = []
        for limit in self._limits:
            window, into = divmod(self._clock(), limit.seconds)
            key = limit.key(caller, window)
            taken.append((limit, key))
            count = await self._count(limit, key, 1)
            standing = LimitStatus(limit, max(0, limit.most - count), limit.seconds - into)
            if count > limit.most:
                for earlier, name in taken:
                    await self._count(earlier, name, -1)
                raise OverLimitError(standing)
            standings.append(standing)
        return tuple(standings)

    async def quotas(self, caller: Caller) -> list[Quota]:
        """Return what is left of each limit, without counting a call."""
        found: list[Quota] = []
        for limit in self._limits:
            window, into = divmod(self._clock(), limit.seconds)
            count = await self._count(limit, limit.key(caller, window), 0)
            found.append(
                Quota(
                    name=limit.name,
                    limit=limit.most,
                    windowSeconds=limit.seconds,
                    remaining=max(0, limit.most - count),
                    resetsInSeconds=math.ceil(limit.seconds - into),
                )
            )
        return found

    async def _count(self, limit: Limit, key: str, by: int) -> int:
        counts = self._daily if limit.seconds == DAY else self._counts
        return await counts(key, by, ttl=2 * limit.seconds)


def http_limits(*, per_tenant: int, overall: int, daily: int) -> tuple[Limit, ...]:
    """Return the limits of a server that several people share.

    That of everyone comes last: whom another limit refuses takes nothing away from the others.
    """
    return (
        Limit("RATE_LIMIT_PER_TENANT", per_tenant, 60, _tenant, "too many calls this minute"),
        Limit("DAILY_QUOTA_PER_TENANT", daily, DAY, _tenant, "the daily quota is used up"),
        Limit("RATE_LIMIT_GLOBAL", overall, 1, lambda _: (), "the server is busy"),
    )


def address_limit(most: int) -> Limit:
    """Return the cap on one address, before it is known who calls from it."""
    what = "too many calls from your address"
    return Limit("RATE_LIMIT_PER_IP", most, 60, lambda c: (c.address or "",), what)


def personal_limit(most: int) -> Limit:
    """Return the cap on one person's calls per UTC day."""
    return Limit(_PERSONAL, most, DAY, _person, "your daily calls are used up")


class CallCounterPersonalData:
    """`KeepsPersonalData` for the daily counts, the only ones that name a person."""

    kinds = (_KIND,)

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def export(self, tenant: str, user: str) -> list[Record]:
        kept = [(name, await self._store.ttl(name)) for name in self._names(tenant, user)]
        return [{"name": name, "secondsLeft": left} for name, left in kept if left is not None]

    async def erase(self, tenant: str, user: str) -> int:
        return sum([await self._store.delete(name) for name in self._names(tenant, user)])

    def _names(self, tenant: str, user: str) -> list[str]:
        today = self._clock() // DAY
        limit, caller = personal_limit(1), Caller(tenant=tenant, user=user)
        # counts live for two windows, so there are no more
        return [limit.key(caller, today - back) for back in range(3)]


def _tenant(caller: Caller) -> tuple[str, ...]:
    return (caller.tenant,)


def _person(caller: Caller) -> tuple[str, ...]:
    return (caller.tenant, caller.user)
