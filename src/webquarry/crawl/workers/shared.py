"""Crawls shared by workers on any number of machines; docket on Redis dispatches them.

Redis only announces that there is work. The jobs, claims and results are in Postgres, so nothing is
lost with Redis and a task that is delivered twice does no harm.
"""

import asyncio
import logging
import uuid
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import TYPE_CHECKING

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.workers.runner import CrawlRunner
from webquarry.errors import NetworkError, WebquarryError

if TYPE_CHECKING:
    from docket import Docket

logger = logging.getLogger(__name__)

TASK = "work_on_crawl"
WORKERS_PER_JOB = 4
_NAME = "webquarry-crawls"
_RETRY_AFTER = timedelta(seconds=1)  # until a busy worker returns a task to the queue
_REDELIVERY_TIMEOUT = timedelta(seconds=30)
_CHECK_INTERVAL = timedelta(milliseconds=25)
_POLL_SECONDS = 3.0  # between two checks for crawls without a run
_SWEEP_SECONDS = 600.0


class SharedWorkers:
    """Dispatches crawls to workers. Workers themselves find crawls that Redis has lost."""

    def __init__(self, redis_url: str) -> None:
        self._url = redis_url
        self._stack = AsyncExitStack()
        self._docket: Docket | None = None
        self._opening = asyncio.Lock()

    async def dispatch(self, job_id: str) -> None:
        """Announce a crawl; if Redis is down, workers find it later."""
        try:
            docket = await self._open()
            for _ in range(WORKERS_PER_JOB):
                await docket.add(TASK, key=f"{job_id}:{uuid.uuid4().hex[:12]}")(job_id)
        except _redis_errors() as error:
            logger.warning("crawl %s could not be announced to workers: %s", job_id, error)

    def resume_unfinished(self) -> None:
        """Do nothing: workers find unfinished crawls."""

    async def stop(self) -> None:
        """Disconnect."""
        await self._stack.aclose()

    async def _open(self) -> "Docket":
        async with self._opening:
            if self._docket is None:
                docket = make_docket(self._url)
                docket.register(_not_in_server, names=[TASK])
                self._docket = await self._stack.enter_async_context(docket)
            return self._docket


def make_docket(redis_url: str) -> "Docket":
    """Return the queue that servers and workers share."""
    from docket import Docket

    return Docket(name=_NAME, url=redis_url, execution_ttl=timedelta(hours=1))


async def run_worker(
    redis_url: str, runner: CrawlRunner, store: CrawlStore, *, max_jobs: int
) -> None:
    """Work on crawls until cancelled."""
    from docket import Perpetual, Worker

    until_ended = Perpetual(every=_RETRY_AFTER)

    async def work_on_crawl(job_id: str, repeat: Perpetual = until_ended) -> None:
        if await runner.run(job_id):
            repeat.cancel()

    # it logs every task, and there is one every second
    logging.getLogger("docket").setLevel(logging.WARNING)
    async with make_docket(redis_url) as docket:
        docket.register(work_on_crawl, names=[TASK])
        supervising = asyncio.create_task(_supervise(docket, store))
        try:
            async with Worker(
                docket,
                name=f"webquarry-{uuid.uuid4().hex[:8]}",
                concurrency=max_jobs,
                redelivery_timeout=_REDELIVERY_TIMEOUT,
                minimum_check_interval=_CHECK_INTERVAL,
            ) as worker:
                await worker.run_forever()
        except _redis_errors() as error:
            raise NetworkError("Redis (REDIS_URL) cannot be reached") from error
        finally:
            supervising.cancel()


async def _supervise(docket: "Docket", store: CrawlStore) -> None:
    """Announce crawls without a run, and once those that other workers have started."""
    loop = asyncio.get_running_loop()
    swept = loop.time()
    joined: set[str] = set()
    while True:
        try:
            abandoned = await store.jobs_without_run()
            for job_id in {*abandoned, *(await store.unfinished()) - joined}:
                await docket.add(TASK, key=f"{job_id}:{uuid.uuid4().hex[:12]}")(job_id)
                joined.add(job_id)
            if loop.time() - swept > _SWEEP_SECONDS:
                await store.sweep()
                swept = loop.time()
        except (WebquarryError, *_redis_errors()) as error:
            logger.warning("unfinished crawls cannot be checked now: %s", error)
        await asyncio.sleep(_POLL_SECONDS)


async def _not_in_server(job_id: str) -> None:
    raise RuntimeError(f"crawl {job_id} must be run by a worker")  # servers only announce


def _redis_errors() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return (RedisError, OSError)
