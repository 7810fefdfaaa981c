"""Extracts the content of web pages, in this process or in worker processes.

One process uses one core. While several pages are being read, a worker process extracts some of
them. The first worker starts when a large page comes, or when the small pages extracted here have
cost as much as a start does; it ends by itself when it is idle. A page never waits for a worker:
if none is free, or it fails, the page is extracted here.
"""

import asyncio
import logging
import os
from functools import partial
from typing import Any

import anyio
from pydantic import ValidationError

from webquarry.models.reading import Reading
from webquarry.reading.documents.worker_process import Worker, WorkerDiedError

_INLINE_BYTES = 65_536  # handing a smaller page to a thread costs more than it gains
_MIN_WORKER_BYTES = 4_096  # handing a smaller page to a process does, too
_LARGE_BYTES = 32_768  # a page that justifies the start of a worker
_START_BYTES = 1_500_000  # extracting so many bytes of small pages costs as much as a start
_USE_WORKER_PAGES = 2  # pages in flight from which a running worker is used
_START_WORKER_PAGES = 3  # pages in flight from which a worker is started
_PAGE_SECONDS = 30.0
_WORKER_MEMORY = 1024 * 2**20
_IDLE_SECONDS = 60.0
_WARM_UP_PAGE = b"<title>x</title><p>x</p>"

_log = logging.getLogger(__name__)


class HtmlExtractor:
    """Turns HTML into readings."""

    def __init__(self, workers: int | None = None, *, start_bytes: int = _START_BYTES) -> None:
        """Use at most so many worker processes; by default one for each further core, up to 2.

        A worker starts for small pages after `start_bytes` of them were extracted here.
        """
        spare_cores = (os.cpu_count() or 1) - 1
        self._max_workers = min(2, spare_cores) if workers is None else workers
        self._start_bytes = start_bytes
        self._free: list[Worker] = []
        self._workers: set[Worker] = set()
        self._starting: asyncio.Task[None] | None = None
        self._extracted_here = 0  # bytes a worker could have taken, since one was started
        self.pages_in_flight = 0  # pages being fetched or extracted; callers count them
        self.pages_by_workers = 0

    async def wait_for_start(self) -> None:
        """Wait for a worker that is being started."""
        if self._starting:
            await self._starting

    async def read(self, content: bytes, **options: Any) -> Reading:
        """Return the content of a page; `options` are those of `read_html`."""
        # imported here: the parsers and the content model are slow to load
        from webquarry.content.html.read_html import read_html

        if self.pages_in_flight >= _USE_WORKER_PAGES and len(content) >= _MIN_WORKER_BYTES:
            worker = self._take_worker(len(content))
            if worker and (reading := await self._read_by(worker, content, options)):
                self.pages_by_workers += 1
                return reading
            self._extracted_here += len(content)
        if len(content) >= _INLINE_BYTES:
            return await anyio.to_thread.run_sync(partial(read_html, content, **options))
        if self.pages_in_flight >= _USE_WORKER_PAGES:
            # receive what has arrived first, then extract page after page: code and data of
            # the extraction stay in the processor's cache
            await asyncio.sleep(0)
        return read_html(content, **options)

    async def aclose(self) -> None:
        """End the workers."""
        self._max_workers = 0
        if self._starting:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        for worker in tuple(self._workers):
            await worker.end()

    def _take_worker(self, size: int) -> Worker | None:
        """Return a free worker; None without one, and then start one if that pays."""
        while self._free:
            worker = self._free.pop()
            if worker.is_alive:
                return worker
            self._workers.discard(worker)
        pays = size >= _LARGE_BYTES or self._extracted_here >= self._start_bytes
        is_starting = self._starting is not None and not self._starting.done()
        has_room = len(self._workers) < self._max_workers
        if pays and has_room and not is_starting and self.pages_in_flight >= _START_WORKER_PAGES:
            self._extracted_here = 0
            self._starting = asyncio.create_task(self._start())
        return None

    async def _start(self) -> None:
        worker = await Worker.start(memory_bytes=_WORKER_MEMORY, idle_seconds=_IDLE_SECONDS)
        self._workers.add(worker)
        # the first page makes a worker import the parsers; no caller should wait for that
        await self._read_by(worker, _WARM_UP_PAGE, {"url": "", "content_type": "text/html"})

    async def _read_by(
        self, worker: Worker, content: bytes, options: dict[str, Any]
    ) -> Reading | None:
        """Return what a worker extracted; None when it failed, and then it was ended."""
        try:
            async with asyncio.timeout(_PAGE_SECONDS):
                header = {"page": options, "seconds": _PAGE_SECONDS}
                reply = await worker.request_bytes(header, content)
            reading = Reading.model_validate_json(reply)
        except (WorkerDiedError, TimeoutError, ValidationError) as error:
            _log.warning("a worker process could not extract a page: %r", error)
            await self._drop(worker)
            return None
        except BaseException:  # cancelled: the next request would receive the unread reply
            await self._drop(worker)
            raise
        self._free.append(worker)
        return reading

    async def _drop(self, worker: Worker) -> None:
        self._workers.discard(worker)
        await worker.end()
