"""Spaces out requests to an upstream that allows so many per second."""

from typing import Protocol

from webquarry.net.clock import Clock
from webquarry.net.upstream.status_errors import rate_limited
from webquarry.storage.store import LockedError, Store

_LONGEST = 15.0  # seconds that anyone waits for their turn
_HELD = 5.0  # seconds after which a process that died in its turn is forgotten


class LimitsRate(Protocol):
    """Says when a request may go."""

    @property
    def wait(self) -> float:
        """Seconds until a request may go, as far as this process knows."""
        ...

    async def turn(self) -> None:
        """Wait for one's turn."""
        ...


class RateLimiter:
    """Lets requests through one interval apart, after a burst of a few at once."""

    def __init__(self, per_second: float, *, burst: int, clock: Clock) -> None:
        self._interval = 1 / per_second if per_second else 0.0
        self._slack = self._interval * (burst - 1)
        self._clock = clock
        self._due = float("-inf")  # when the next request may go without any burst left

    @property
    def wait(self) -> float:
        """Seconds until a request may go."""
        return max(0.0, self._due - self._slack - self._clock.now())

    async def turn(self) -> None:
        """Wait for one's turn."""
        wait = self.wait
        # taken before waiting, so that the next in line queues behind
        self._due = max(self._due, self._clock.now()) + self._interval
        if wait:
            await self._clock.sleep(wait)


class SharedRateLimiter:
    """Lets the requests of all processes with the same store through one interval apart."""

    def __init__(
        self, store: Store, name: str, per_second: float, *, clock: Clock, patience: float = _HELD
    ) -> None:
        self._patience = patience  # seconds to wait for whoever is taking their turn
        self._store = store
        self._name = name
        self._key = f"pace:{name}"
        self._interval = 1 / per_second
        self._clock = clock

    @property
    def wait(self) -> float:
        """Nothing is known before one asks the store."""
        return 0.0

    async def turn(self) -> None:
        """Wait for one's turn; a queue that is too long is a RateLimitError."""
        try:
            async with self._store.lock(self._key, ttl=_HELD, wait=self._patience):
                wait = await self._take()
        except LockedError as error:
            raise rate_limited(self._name, _HELD) from error
        if wait:
            await self._clock.sleep(wait)

    async def _take(self) -> float:
        """Take the next free moment and return the seconds until then."""
        now = self._clock.today()
        entry = await self._store.get(self._key)
        due = float(entry.value) if entry else now
        wait = max(0.0, due - now)
        if wait > _LONGEST + self._interval:  # nobody queues that long: a clock was set back
            wait = 0.0
        if wait > _LONGEST:
            raise rate_limited(self._name, wait)
        moment = repr(now + wait + self._interval).encode()
        await self._store.set(self._key, moment, ttl=4 * _LONGEST)
        return wait
