"""Limits of one process for a host, for all its crawls: concurrent requests, and pauses."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable


class HostLimit:
    """A semaphore for each host; if several machines share a crawl, each has its share."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: Counter[bytes] = Counter()
        self._waiting: defaultdict[bytes, deque[asyncio.Future[None]]] = defaultdict(deque)
        self._paused_until: dict[bytes, float] = {}

    async def acquire(self, host: bytes, share: Callable[[], int]) -> None:
        """Wait until fewer than `share()` requests are open; hold one of them until `release`."""
        while self._open[host] >= self._allowed(host, share):
            released: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[host].append(released)
            try:
                await released
            except asyncio.CancelledError:
                if released.done() and not released.cancelled():
                    self._wake(host)  # passes the slot on to the next
                raise
        self._open[host] += 1
        if host in self._waiting and self._open[host] < self._allowed(host, share):
            self._wake(host)  # the share has grown

    def pause(self, host: bytes, until: float) -> None:
        """Remember that a host asked to wait."""
        self._paused_until[host] = max(until, self._paused_until.get(host, 0.0))

    def is_paused(self, host: bytes, now: float) -> bool:
        """Whether a host asked to wait and the time is not over."""
        return self._paused_until.get(host, now) > now

    def resume(self, host: bytes, now: float) -> None:
        """Lift the limit of one request after a pause: the host has answered it."""
        if not self.is_paused(host, now):
            self._paused_until.pop(host, None)

    def open_requests(self, host: bytes) -> int:
        """Return how many requests are open."""
        return self._open.get(host, 0)

    def release(self, host: bytes) -> None:
        """End a request and wake the next waiting one."""
        self._open[host] -= 1
        if host in self._waiting:
            self._wake(host)
        if not self._open[host]:
            del self._open[host]

    def _allowed(self, host: bytes, share: Callable[[], int]) -> int:
        # after a pause a single request finds out whether the host serves again
        return 1 if host in self._paused_until else min(self.limit, share())

    def _wake(self, host: bytes) -> None:
        waiting = self._waiting[host]
        while waiting:
            released = waiting.popleft()
            if not released.done():
                released.set_result(None)
                break
        if not waiting:
            del self._waiting[host]
