"""How many requests one process has open to a host, whichever crawls they are for."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Gate:
    """Lets so many in at a time; where several machines share a crawl, each has its part."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._inside: Counter[bytes] = Counter()
        self._waiting: defaultdict[bytes, deque[asyncio.Future[None]]] = defaultdict(deque)

    @asynccontextmanager
    async def inside(self, host: bytes, share: int) -> AsyncGenerator[None]:
        """Wait for a place, and have it inside the block."""
        while self._inside[host] >= max(1, self._limit // share):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[host].append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._wake(host)  # the place was ours and goes to the next
                raise
        self._inside[host] += 1
        try:
            yield
        finally:
            self._inside[host] -= 1
            self._wake(host)

    def _wake(self, host: bytes) -> None:
        waiting = self._waiting[host]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[host]
        if not self._inside[host]:
            del self._inside[host]
