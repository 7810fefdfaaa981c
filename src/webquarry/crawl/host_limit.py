"""How many requests one process has open to a host, whichever crawls they are for."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable


class HostLimit:
    """Lets so many in at a time; where several machines share a crawl, each has its part."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._inside: Counter[bytes] = Counter()
        self._waiting: defaultdict[bytes, deque[asyncio.Future[None]]] = defaultdict(deque)

    async def enter(self, host: bytes, part: Callable[[], int]) -> None:
        """Wait until fewer than `part` are inside, and be one of them until `leave`."""
        while self._inside[host] >= min(self.limit, part()):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[host].append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._wake(host)  # the place was ours and goes to the next
                raise
        self._inside[host] += 1
        if host in self._waiting and self._inside[host] < min(self.limit, part()):
            self._wake(host)  # the part has grown

    def inside(self, host: bytes) -> int:
        """Return how many are inside."""
        return self._inside.get(host, 0)

    def leave(self, host: bytes) -> None:
        """Make room for the next."""
        self._inside[host] -= 1
        if host in self._waiting:
            self._wake(host)
        if not self._inside[host]:
            del self._inside[host]

    def _wake(self, host: bytes) -> None:
        waiting = self._waiting[host]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break
        if not waiting:
            del self._waiting[host]
