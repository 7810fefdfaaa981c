"""Spaces out requests to an upstream that allows so many per second."""

from webquarry.net.clock import Clock


class Pace:
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
