"""Write-behind: values are readable at once and written a moment later, many together.

For caches and the page index, whose callers do not wait for the write: what is pending when the
process is killed is lost.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.storage.store import Clock, Store, StoreWrite

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

_IDLE_SECONDS = 0.05
_MAX_DELAY = 0.5  # seconds; readers wait for the processor while values are written

logger = logging.getLogger(__name__)


class WriteQueue(Generic[K, T]):
    """Collects items, the last of each key, and writes them when no more arrive for a while."""

    def __init__(
        self,
        write: Callable[[list[T]], Awaitable[None]],
        *,
        name: str,
        idle: float,
        max_delay: float = math.inf,
        max_size: float = math.inf,
    ) -> None:
        """Write after `idle` seconds without an item, after `max_delay`, or above `max_size`."""
        self._write = write
        self._name = name  # of the items, in log lines
        self._idle = idle
        self._max_delay = max_delay
        self._max_size = max_size
        self._pending: dict[K, T] = {}
        self._in_flight: dict[K, T] = {}
        self._size = 0
        self._last_put = 0.0  # by the clock of the event loop
        self._delaying: asyncio.Task[None] | None = None
        self._writing: asyncio.Task[None] | None = None

    def enqueue(self, key: K, item: T, size: int = 0) -> None:
        """Queue an item; it replaces a queued item of the same key."""
        self._pending[key] = item
        self._size += size
        loop = asyncio.get_running_loop()
        self._last_put = loop.time()
        if self._delaying is None or self._delaying.done():
            self._delaying = loop.create_task(self._write_when_idle(loop))
        if self._size >= self._max_size:
            self._start_writing()

    async def flush(self) -> None:
        """Write all items queued so far."""
        while self._writing and not self._writing.done():
            await asyncio.shield(self._writing)
        if self._pending:
            await asyncio.shield(self._start_writing())

    async def _write_when_idle(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._pending:
            deadline, left = loop.time() + self._max_delay, self._idle
            while left > 0:
                await asyncio.sleep(left)
                left = min(self._last_put + self._idle, deadline) - loop.time()
            await self.flush()

    def _start_writing(self) -> asyncio.Task[None]:
        if self._writing is None or self._writing.done():
            # a task of its own, so that cancelling a caller of `flush` does not interrupt it
            self._writing = asyncio.create_task(self._write_pending())
        return self._writing

    async def _write_pending(self) -> None:
        self._in_flight, self._pending, self._size = self._pending, {}, 0
        try:
            await self._write(list(self._in_flight.values()))
        except WebquarryError as error:  # they can be fetched again
            logger.warning("%d %s could not be stored: %s", len(self._in_flight), self._name, error)
        finally:
            self._in_flight = {}


@dataclass(frozen=True)
class PendingValue(Generic[T]):
    """A value that is not written yet."""

    key: str
    value: T
    ttl: float
    stored_at: float
    owners: tuple[Caller | None, ...]


class WriteBehind(WriteQueue[str, PendingValue[T]]):
    """Stores values of a shared namespace in the background."""

    def __init__(
        self,
        store: Callable[[], Store],
        encode: Callable[[T], bytes],
        clock: Clock = time.time,
        *,
        max_delay: float = _MAX_DELAY,
    ) -> None:
        super().__init__(self._write_values, name="values", idle=_IDLE_SECONDS, max_delay=max_delay)
        self._store = store
        self._encode = encode
        self._clock = clock

    def get(self, key: str) -> tuple[T, float] | None:
        """Return a value that is not written yet, and its age in seconds."""
        pending = self._pending.get(key) or self._in_flight.get(key)
        age = max(0.0, self._clock() - pending.stored_at) if pending else 0.0
        return (pending.value, age) if pending and age < pending.ttl else None

    def put(self, key: str, value: T, ttl: float, *, owner: Caller | None) -> None:
        """Store the value in the background, marked as the owner's.

        A queued value of the same key is replaced; the new value keeps its owners.
        """
        queued = self._pending.get(key)
        owners = tuple(dict.fromkeys((*(queued.owners if queued else ()), owner)))
        self.enqueue(key, PendingValue(key, value, ttl, self._clock(), owners))

    async def _write_values(self, values: list[PendingValue[T]]) -> None:
        now = self._clock()
        left = [(pending, pending.ttl - (now - pending.stored_at)) for pending in values]
        await self._store().set_all(
            StoreWrite(pending.key, encoded, ttl, owner)
            for pending, ttl in left
            if ttl > 0
            for encoded in (self._encode(pending.value),)
            for owner in pending.owners
        )
