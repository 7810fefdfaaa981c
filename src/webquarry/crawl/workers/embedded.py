"""Runs crawls inside this process: those it was given, and those a process before it left."""

import asyncio
import logging
from contextlib import suppress

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.workers.runner import CrawlRunner
from webquarry.errors import WebquarryError

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
SWEEP_SECONDS = 600.0


class EmbeddedWorker:
    """Starts a task per crawl, a few at a time; the database says which are to be run."""

    def __init__(self, crawls: CrawlStore, runner: CrawlRunner, *, at_once: int = 4) -> None:
        self._crawls = crawls
        self._runner = runner
        self._at_once = at_once
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._wake = asyncio.Event()
        self._minder: asyncio.Task[None] | None = None

    def mind(self) -> None:
        """Look after the crawls in the database from now on."""
        self._wake.set()
        if self._minder is None or self._minder.done():
            self._minder = asyncio.create_task(self._mind())

    async def dispatch(self, job_id: str) -> None:
        """See that a new crawl is run."""
        self.mind()

    async def stop(self) -> None:
        """Put everything down; what was read is stored and the rest goes on at the next start."""
        tasks: list[asyncio.Task[object]] = [*self._tasks.values()]
        if self._minder:
            tasks.append(self._minder)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _mind(self) -> None:
        loop = asyncio.get_running_loop()
        swept = loop.time() - SWEEP_SECONDS + 30
        while True:
            try:
                await self._start_waiting()
                if loop.time() - swept > SWEEP_SECONDS:
                    await self._crawls.sweep()
                    swept = loop.time()
            except WebquarryError as error:
                logger.warning("the crawls cannot be looked after just now: %s", error)
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._wake.wait()

    async def _start_waiting(self) -> None:
        if len(self._tasks) >= self._at_once:
            return
        for job_id in await self._crawls.waiting():
            if len(self._tasks) >= self._at_once:
                return
            if job_id not in self._tasks:
                task = asyncio.create_task(self._runner.run(job_id))
                self._tasks[job_id] = task
                task.add_done_callback(lambda done, name=job_id: self._ended(name, done))

    def _ended(self, job_id: str, task: "asyncio.Task[bool]") -> None:
        self._tasks.pop(job_id, None)
        self._wake.set()
        if not task.cancelled() and (error := task.exception()):
            logger.warning("crawl %s was interrupted: %s", job_id, error)
