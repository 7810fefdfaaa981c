"""Reads web pages: here, or in a process beside us while several are read at once.

One process does what one core can. While several pages are on their way, a second process reads
some of them; it is started when that first happens to a page of some size, or when reading small
ones has cost as much as starting it does, and leaves by itself when there is no more work.
A page is never kept waiting for it: when it is busy, or fails, the page is read here.
"""

import asyncio
import logging
import os
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import anyio
from pydantic import ValidationError

from webquarry.models.page import PageContent
from webquarry.reading.documents.worker_process import Worker, WorkerDiedError

_AT_ONCE = 65_536  # bytes: below this handing over to a thread costs more than it gains
_LEAST = 4_096  # bytes: below this talking to a process does
_LARGE = 32_768  # bytes: from this on it is worth starting one
_WORTH = 1_500_000  # bytes of smaller pages: reading them costs what starting one does
_COMPANY = 2  # pages on their way: a process that is there reads one of them
_CROWD = 3  # pages on their way: one may be started
_SECONDS = 30.0  # for one page
_MEMORY = 1024 * 2**20
_IDLE_SECONDS = 60.0
_TINY = b"<title>x</title><p>x</p>"

_log = logging.getLogger(__name__)


class _Coming:
    """Counts the pages on their way, each while its block runs."""

    def __init__(self) -> None:
        self.pages = 0

    def __enter__(self) -> None:
        self.pages += 1

    def __exit__(self, *_: object) -> None:
        self.pages -= 1


class HtmlExtractor:
    """Turns bytes of HTML into content."""

    def __init__(self, workers: int | None = None, *, worth: int = _WORTH) -> None:
        """Use so many processes beside this one; by default one for each further core, up to 2.

        Small pages of `worth` bytes must have been read before one is started for them.
        """
        spare = (os.cpu_count() or 1) - 1
        self._most = min(2, spare) if workers is None else workers
        self._worth = worth
        self._free: list[Worker] = []
        self._all: set[Worker] = set()
        self._starting: asyncio.Task[None] | None = None
        self._coming = _Coming()
        self._read_here = 0  # bytes that a process could have read, since one was started
        self.asked = 0  # pages read by other processes

    async def settled(self) -> None:
        """Wait for a process that is being started."""
        if self._starting:
            await self._starting

    def expecting(self) -> AbstractContextManager[None]:
        """Tell that a page is on its way."""
        return self._coming

    async def page(self, content: bytes, **about: Any) -> PageContent:
        """Return the content of a page; `about` is what `read_html` takes besides."""
        if self._coming.pages >= _COMPANY and len(content) >= _LEAST:
            worker = self._take(len(content))
            if worker and (found := await self._ask(worker, content, about)):
                self.asked += 1
                return found
            self._read_here += len(content)
        if len(content) < _AT_ONCE:
            if self._coming.pages >= _COMPANY:
                # others that have arrived are taken in first, so that pages are read one after
                # the other: what that takes is then still near the processor
                await asyncio.sleep(0)
            return _read(content, about)
        return await anyio.to_thread.run_sync(partial(_read, content, about))

    async def aclose(self) -> None:
        """End the processes."""
        self._most = 0
        if self._starting:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        for worker in tuple(self._all):
            await worker.end()

    def _take(self, size: int) -> Worker | None:
        """Return a process that has nothing to do; have another one started if that pays."""
        while self._free:
            worker = self._free.pop()
            if worker.is_alive:
                return worker
            self._all.discard(worker)
        pays = size >= _LARGE or self._read_here >= self._worth
        idle = self._starting is None or self._starting.done()
        room = len(self._all) < self._most and self._coming.pages >= _CROWD
        if pays and idle and room:
            self._read_here = 0
            self._starting = asyncio.create_task(self._start())
        return None

    async def _start(self) -> None:
        worker = await Worker.start(memory_bytes=_MEMORY, idle_seconds=_IDLE_SECONDS)
        self._all.add(worker)
        # its first page makes it load what it needs; nobody should wait for that
        await self._ask(worker, _TINY, {"url": "", "content_type": "text/html"})

    async def _ask(
        self, worker: Worker, content: bytes, about: dict[str, Any]
    ) -> PageContent | None:
        """Return what a process made of a page; None when it failed, and then it is gone."""
        try:
            async with asyncio.timeout(_SECONDS):
                header = {"page": about, "seconds": _SECONDS}
                answer = await worker.ask_for_json(header, content)
            found = PageContent.model_validate_json(answer)
        except (WorkerDiedError, TimeoutError, ValidationError) as error:
            _log.warning("a page was not read by a process of its own: %r", error)
            await self._drop(worker)
            return None
        except BaseException:  # cancelled: an answer nobody reads would be taken for the next one
            await self._drop(worker)
            raise
        self._free.append(worker)
        return found

    async def _drop(self, worker: Worker) -> None:
        self._all.discard(worker)
        await worker.end()


def _read(content: bytes, about: dict[str, Any]) -> PageContent:
    # imported here: parsers and the model of what content looks like are slow to load
    from webquarry.content.html.read_html import read_html

    return read_html(content, **about)
