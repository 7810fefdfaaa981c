"""Runs crawls inside this process: new ones, and those an earlier process left unfinished."""

import asyncio
import logging
from contextlib import suppress

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.deliveries import Delivery
from webquarry.crawl.webhook_delivery import WebhookDeliveries
from webquarry.crawl.workers.runner import CrawlRunner
from webquarry.errors import WebquarryError

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
SWEEP_SECONDS = 600.0


class EmbeddedWorker:
    """Starts a task for each unfinished crawl in the database, up to `max_jobs` at a time."""

    def __init__(
        self,
        store: CrawlStore,
        runner: CrawlRunner,
        deliveries: WebhookDeliveries[Delivery],
        *,
        max_jobs: int = 4,
    ) -> None:
        self._store = store
        self._runner = runner
        self._deliveries = deliveries
        self._max_jobs = max_jobs
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._wake = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None
        self._sender: asyncio.Task[None] | None = None

    def resume_unfinished(self) -> None:
        """Run the unfinished crawls and send the notifications in the database from now on."""
        self._wake.set()
        if self._supervisor is None or self._supervisor.done():
            self._supervisor = asyncio.create_task(self._supervise())
        self._deliveries.wake()
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._deliveries.run())

    async def finish_deliveries(self, job_id: str, seconds: float) -> int:
        """Send webhook notifications now; return how many of a crawl are left."""
        return await self._deliveries.finish(job_id, seconds)

    async def dispatch(self, job_id: str) -> None:
        """Start a new crawl."""
        self.resume_unfinished()

    async def stop(self) -> None:
        """Stop all crawls; results are stored and the next start continues."""
        tasks: list[asyncio.Task[object]] = [*self._tasks.values()]
        tasks += [task for task in (self._supervisor, self._sender) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        swept = loop.time() - SWEEP_SECONDS + 30
        while True:
            try:
                await self._start_jobs()
                if loop.time() - swept > SWEEP_SECONDS:
                    await self._store.sweep()
                    swept = loop.time()
            except WebquarryError as error:
                logger.warning("unfinished crawls cannot be checked now: %s", error)
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._wake.wait()

    async def _start_jobs(self) -> None:
        if len(self._tasks) >= self._max_jobs:
            return
        for job_id in await self._store.jobs_without_run():
            if len(self._tasks) >= self._max_jobs:
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
