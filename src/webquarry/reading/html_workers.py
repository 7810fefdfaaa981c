"""Extracts the content of web pages, in this process or in worker processes.

One process uses one core. While several pages are being read, an idle worker process extracts some
of them; large pages and those that take long are always extracted by one (`parsing.parsers`). For
small pages, the first worker starts when those extracted here have cost as much as a start does.
"""

import asyncio
import os
from typing import Any

from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask

# a smaller page costs 25 % more CPU time with a worker, and gains less than 10 % of wall time
_MIN_WORKER_BYTES = 8_192
_LARGE_BYTES = 32_768  # a page that justifies the start of a worker
_START_BYTES = 1_500_000  # extracting so many bytes of small pages costs as much as a start
_USE_WORKER_PAGES = 2  # pages in flight from which a running worker is used
_START_WORKER_PAGES = 3  # pages in flight from which a worker is started
_WARM_UP_PAGE = b"<title>x</title><p>x</p>"


class HtmlExtractor:
    """Turns HTML into readings."""

    def __init__(
        self,
        parsers: Parsers | None = None,
        *,
        spare_cores: int | None = None,
        start_bytes: int = _START_BYTES,
    ) -> None:
        """Start at most so many workers for small pages; by default one for each further core.

        A worker starts for small pages after `start_bytes` of them were extracted here.
        """
        self.parsers = parsers or Parsers()
        self._spare_cores = (os.cpu_count() or 1) - 1 if spare_cores is None else spare_cores
        self._start_bytes = start_bytes
        self._starting: asyncio.Task[Reading] | None = None
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

        task = ParseTask(read_html, subject=f"The page {options.get('url', '')}".strip())
        if self.pages_in_flight >= _USE_WORKER_PAGES and len(content) >= _MIN_WORKER_BYTES:
            workers = self.parsers.workers
            # those for large pages may be more than there are cores for
            if workers.is_idle and workers.busy < self._spare_cores:
                self.pages_by_workers += 1
                return await self.parsers.run_in_worker(task, content, **options)
            self._start_worker(len(content))
            self._extracted_here += len(content)
        if self.pages_in_flight >= _USE_WORKER_PAGES:
            # receive what has arrived first, then extract page after page: code and data of
            # the extraction stay in the processor's cache
            await asyncio.sleep(0)
        return await self.parsers.run(task, content, **options)

    async def aclose(self) -> None:
        """Stop starting a worker."""
        if self._starting:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)

    def _start_worker(self, size: int) -> None:
        """Start a worker if that pays."""
        from webquarry.content.html.read_html import read_html

        workers = self.parsers.workers
        pays = size >= _LARGE_BYTES or self._extracted_here >= self._start_bytes
        is_starting = self._starting is not None and not self._starting.done()
        has_room = len(workers.pids) < min(self._spare_cores, workers.max_workers)
        if pays and has_room and not is_starting and self.pages_in_flight >= _START_WORKER_PAGES:
            self._extracted_here = 0
            # the first page makes a worker import the parsers; no caller should wait for that
            task = ParseTask(read_html, subject="The first page of a worker")
            start = self.parsers.run_in_worker(task, _WARM_UP_PAGE, url="")
            self._starting = asyncio.create_task(start)
