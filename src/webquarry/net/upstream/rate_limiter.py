"""Rate limiters: they space requests to an upstream, in one process or across processes."""

from typing import Protocol

from webquarry.net.clock import Clock
from webquarry.net.upstream.status_errors import rate_limited
from webquarry.storage.store import LockedError, Store

_MAX_WAIT = 15.0  # seconds in the queue
# after which the lock of a process that died is free again; a busy one may be held up for seconds
_LOCK_SECONDS = 15.0


class LimitsRate(Protocol):
    """Delays requests to keep a rate."""

    @property
    def wait(self) -> float:
        """Seconds until a request may be sent, as far as this process knows."""
        ...

    async def acquire(self) -> None:
        """Wait until a request may be sent."""
        ...


class RateLimiter:
    """Sends requests one interval apart, after a burst."""

    def __init__(self, per_second: float, *, burst: int, clock: Clock) -> None:
        self._interval = 1 / per_second if per_second else 0.0
        self._burst_seconds = self._interval * (burst - 1)
        self._clock = clock
        self._next = float("-inf")  # when the next request may be sent, without a burst

    @property
    def wait(self) -> float:
        """Seconds until a request may be sent."""
        return max(0.0, self._next - self._burst_seconds - self._clock.monotonic())

    async def acquire(self) -> None:
        """Wait until a request may be sent."""
        wait = self.wait
        # reserved before waiting, so that the next caller queues behind this one
        self._next = max(self._next, self._clock.monotonic()) + self._interval
        if wait:
            await self._clock.sleep(wait)


class SharedRateLimiter:
    """Sends the requests of all processes that share a store one interval apart."""

    def __init__(
        self,
        store: Store,
        name: str,
        per_second: float,
        *,
        clock: Clock,
        lock_wait: float = _LOCK_SECONDS,
    ) -> None:
        self._lock_wait = lock_wait  # seconds to wait for the lock
        self._store = store
        self._name = name
        self._key = f"pace:{name}"
        self._interval = 1 / per_second
        self._clock = clock

    @property
    def wait(self) -> float:
        """Always 0: only the store knows."""
        return 0.0

    async def acquire(self) -> None:
        """Wait until a request may be sent; raise `RateLimitError` if the queue is too long."""
        try:
            async with self._store.lock(self._key, ttl=_LOCK_SECONDS, wait=self._lock_wait):
                wait = await self._reserve()
        except LockedError as error:
            raise rate_limited(self._name, _LOCK_SECONDS) from error
        if wait:
            await self._clock.sleep(wait)

    async def _reserve(self) -> float:
        """Reserve the next free slot and return the seconds until then."""
        now = self._clock.time()
        entry = await self._store.get(self._key)
        slot = float(entry.value) if entry else now
        wait = max(0.0, slot - now)
        if wait > _MAX_WAIT + self._interval:  # longer than any queue: a clock was set back
            wait = 0.0
        if wait > _MAX_WAIT:
            raise rate_limited(self._name, wait)
        next_slot = repr(now + wait + self._interval).encode()
        await self._store.set(self._key, next_slot, ttl=4 * _MAX_WAIT)
        return wait
