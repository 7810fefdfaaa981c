"""Pages that are to be indexed when there is time.

Taking a page apart into words costs as much as reading it did, and nobody needs that before they
look for the page. So it waits until no more pages come; many together cost less than each alone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webquarry.errors import WebquarryError

_IDLE = 1.0  # seconds without another page
_MOST_CHARS = 8_000_000  # of pages that wait

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class IndexedPage:
    """A page as it is searched: its address and its text."""

    url: str
    title: str
    text: str
    published: str | None = None  # RFC 3339 in UTC
    read_at: float | None = None  # seconds since 1970; None: now, when it is added


Owned = tuple[IndexedPage, str, str]  # with its tenant and owner


class IndexQueue:
    """Pages that wait, each once."""

    def __init__(self, put: Callable[[list[Owned]], Awaitable[None]]) -> None:
        self._put = put
        self._waiting: dict[tuple[str, str, str], Owned] = {}
        self._chars = 0
        self._last = 0.0  # when the latest of them came, by the clock of the event loop
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the timer
        self._task: asyncio.Task[None] | None = None

    def add(self, page: IndexedPage, tenant: str, owner: str) -> None:
        """Let a page wait; what was read of the same address before is not indexed any more."""
        self._waiting[tenant, owner, page.url] = (page, tenant, owner)
        self._chars += len(page.text)
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        if self._chars >= _MOST_CHARS:
            self._wait(loop, 0.0)
        elif self._timer is None or self._loop is not loop:
            self._wait(loop, _IDLE)

    async def finish(self) -> None:
        """Return when nothing waits any more."""
        if self._waiting:
            self._begin()
        if self._task:
            await asyncio.shield(self._task)

    def _wait(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._loop, self._timer = loop, loop.call_later(seconds, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin, unless another page came meanwhile: setting a timer anew for each costs more."""
        left = self._last + _IDLE - loop.time()
        if left > 0 and self._chars < _MOST_CHARS:
            self._wait(loop, left)
        else:
            self._begin()

    def _begin(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._index_all())

    async def _index_all(self) -> None:
        while self._waiting:
            pages = list(self._waiting.values())
            self._waiting, self._chars = {}, 0
            try:
                await self._put(pages)
            except WebquarryError as error:  # they were read; only finding them again is harder
                logger.warning("%d pages are not in the local index: %s", len(pages), error)
