"""Values on their way into the store: found at once by this process, stored a moment later.

For caches, which promise nothing: nobody waits for them to be written, and what comes together is
written together. A store may remember whose call made a value, so each is written on behalf of
whoever brought it.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Generic, TypeVar

from webquarry.errors import WebquarryError
from webquarry.storage.store import Store

T = TypeVar("T")

_PAUSE = 0.05  # seconds without another value, after which those that wait are stored
_LONGEST = 0.5  # seconds that values wait for such a pause; storing takes time from those who read
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PendingWrite(Generic[T]):
    """A value that is not stored yet."""

    value: T
    ttl: float
    since: float
    whose: object
    context: Context  # of the call that brought it


class WriteBehind(Generic[T]):
    """Stores values under keys, in the background."""

    def __init__(
        self,
        store: Callable[[], Store],
        encode: Callable[[T], bytes],
        clock: Callable[[], float] = time.time,
        *,
        whose: Callable[[], object] = object,  # somebody else each time
    ) -> None:
        """Store what `encode` makes of values; those of one `whose` may be written in one go."""
        self._store = store
        self._encode = encode
        self._clock = clock
        self._whose = whose
        self._waiting: dict[str, PendingWrite[T]] = {}
        self._latest = 0.0  # when the latest value came, by the clock of the event loop
        self._writing: asyncio.Task[None] | None = None

    def get(self, key: str) -> tuple[T, float] | None:
        """Return a value that is still waiting, and how many seconds ago it came."""
        found = self._waiting.get(key)
        age = max(0.0, self._clock() - found.since) if found else 0.0
        return (found.value, age) if found and age < found.ttl else None

    def put(self, key: str, value: T, ttl: float) -> None:
        """Store the value soon."""
        self._waiting[key] = PendingWrite(value, ttl, self._clock(), self._whose(), copy_context())
        loop = asyncio.get_running_loop()
        self._latest = loop.time()
        if self._writing is None:
            self._writing = loop.create_task(self._write_soon(loop))

    async def close(self) -> None:
        """Store what is still waiting."""
        if self._writing:
            self._writing.cancel()
        await self._write()

    async def _write_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while self._waiting:
                end, left = loop.time() + _LONGEST, _PAUSE
                while left > 0:
                    await asyncio.sleep(left)
                    left = min(self._latest + _PAUSE, end) - loop.time()
                await self._write()
        finally:
            self._writing = None

    async def _write(self) -> None:
        batch = dict(self._waiting)
        groups: dict[object, dict[str, PendingWrite[T]]] = {}
        for key, item in batch.items():
            groups.setdefault(item.whose, {})[key] = item
        loop = asyncio.get_running_loop()
        try:
            await asyncio.gather(
                *(
                    loop.create_task(self._set(group), context=next(iter(group.values())).context)
                    for group in groups.values()
                )
            )
        except WebquarryError as exc:
            logger.warning("%d values are not kept: %s", len(batch), exc)
        for key, item in batch.items():
            if self._waiting.get(key) is item:
                del self._waiting[key]

    async def _set(self, group: dict[str, PendingWrite[T]]) -> None:
        now = self._clock()
        left = {key: item.ttl - (now - item.since) for key, item in group.items()}
        await self._store().set_all(
            (key, self._encode(item.value), left[key])
            for key, item in group.items()
            if left[key] > 0
        )
