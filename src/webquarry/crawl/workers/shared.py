"""Crawls shared by workers on any number of machines.

Redis only announces that there is work. The jobs, claims and results are in Postgres, so nothing is
lost with Redis, and a crawl that is announced twice or never does no harm.
"""

import asyncio
import logging
from contextlib import suppress

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.deliveries import Delivery
from webquarry.crawl.webhook_delivery import WebhookDeliveries
from webquarry.crawl.workers.announcements import Announcements
from webquarry.crawl.workers.runner import CrawlRunner
from webquarry.errors import InternalError, WebquarryError

logger = logging.getLogger(__name__)

_POLL_SECONDS = 3.0  # between two checks of the database
_RETRY_SECONDS = 1.0  # until a crawl that has not ended is continued
_REFUSED_SECONDS = 60.0  # until a crawl that this worker cannot read is tried again
_RECONNECT_SECONDS = 3.0
_SWEEP_SECONDS = 600.0


class SharedWorkers:
    """Dispatches crawls to workers. Workers themselves find crawls that Redis has lost."""

    def __init__(self, announcements: Announcements) -> None:
        self._announcements = announcements

    async def dispatch(self, job_id: str) -> None:
        """Announce a crawl; if Redis is down, workers find it later."""
        try:
            await self._announcements.announce(job_id)
        except WebquarryError as error:
            logger.warning("crawl %s could not be announced to workers: %s", job_id, error)

    def resume_unfinished(self) -> None:
        """Do nothing: workers find unfinished crawls."""

    async def finish_deliveries(self, job_id: str, seconds: float) -> int:
        """Return 0: workers send the notifications."""
        return 0

    async def stop(self) -> None:
        """Disconnect."""
        await self._announcements.close()


class SharedWorker:
    """Works on all crawls that are announced or in the database, up to `max_jobs` at a time."""

    def __init__(
        self,
        announcements: Announcements,
        runner: CrawlRunner,
        store: CrawlStore,
        deliveries: WebhookDeliveries[Delivery],
        *,
        max_jobs: int,
    ) -> None:
        self._announcements = announcements
        self._deliveries = deliveries
        self._runner = runner
        self._store = store
        self._max_jobs = max_jobs
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._not_before: dict[str, float] = {}
        self._announced: dict[str, None] = {}  # ordered
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Work on crawls and send their notifications until cancelled."""
        listening = asyncio.create_task(self._listen())
        sending = asyncio.create_task(self._deliveries.run())
        try:
            await self._supervise()
        finally:
            tasks: list[asyncio.Task[object]] = [listening, sending, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> None:
        """Start announced crawls at once, instead of at the next check of the database."""
        is_connected = True
        while True:
            try:
                jobs = await self._announcements.receive()
                is_connected = True
            except WebquarryError as error:
                if is_connected:
                    logger.warning("announcements of crawls cannot be read now: %s", error)
                is_connected = False
                await asyncio.sleep(_RECONNECT_SECONDS)
                continue
            if jobs:
                self._announced |= dict.fromkeys(jobs)
                self._wake.set()

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        swept = loop.time()
        while True:
            try:
                await self._start_jobs()
                if loop.time() - swept > _SWEEP_SECONDS:
                    await self._store.sweep()
                    swept = loop.time()
            except WebquarryError as error:
                logger.warning("unfinished crawls cannot be checked now: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()
            self._wake.clear()

    async def _start_jobs(self) -> None:
        """Start crawls: those without a run first, then help other workers with theirs."""
        if len(self._tasks) >= self._max_jobs:
            return
        abandoned = dict.fromkeys(await self._store.jobs_without_run())
        unfinished = await self._store.unfinished()
        # an announced id counts only if the database knows the crawl
        candidates = abandoned | self._announced | dict.fromkeys(sorted(unfinished))
        self._announced = {}
        now = asyncio.get_running_loop().time()
        self._not_before = {job: at for job, at in self._not_before.items() if at > now}
        for job_id in candidates:
            if len(self._tasks) >= self._max_jobs:
                return
            if job_id in unfinished and not {job_id} & {*self._tasks, *self._not_before}:
                self._start(job_id)

    def _start(self, job_id: str) -> None:
        task = asyncio.create_task(self._runner.run(job_id))
        self._tasks[job_id] = task
        task.add_done_callback(lambda done: self._ended(job_id, done))

    def _ended(self, job_id: str, task: "asyncio.Task[bool]") -> None:
        self._tasks.pop(job_id, None)
        if task.cancelled():
            return
        loop, pause = asyncio.get_running_loop(), _RETRY_SECONDS
        error = task.exception()
        if isinstance(error, InternalError):
            pause = _REFUSED_SECONDS
            logger.warning(
                "crawl %s cannot run in this worker: %s; check that servers and workers have the"
                " same CACHE_ENCRYPTION_KEY",
                job_id,
                error,
            )
        elif error:
            logger.warning("crawl %s was interrupted: %s", job_id, error)
        if error or not task.result():
            self._not_before[job_id] = loop.time() + pause
            loop.call_later(pause, self._wake.set)
        self._wake.set()
