"""Crawls that workers on any number of machines share: docket on Redis hands them out.

Redis only says that there is work. What the work is, who does which part of it and what came of it
is in Postgres, so nothing is lost with Redis and a task that comes twice does no harm.
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
HELPERS = 4  # workers that are called to one crawl
_NAME = "webquarry-crawls"
_AGAIN = timedelta(seconds=1)  # until a worker that has its hands full passes a task on
_REDELIVERY = timedelta(seconds=30)
_CHECK = timedelta(milliseconds=25)
_LOOK = 3.0  # seconds between two looks for crawls that nobody works on
_SWEEP = 600.0


class SharedWorkers:
    """Calls workers. Crawls that Redis forgot are found by the workers themselves."""

    def __init__(self, redis_url: str) -> None:
        self._url = redis_url
        self._stack = AsyncExitStack()
        self._docket: Docket | None = None
        self._opening = asyncio.Lock()

    async def dispatch(self, job_id: str) -> None:
        """Call for helpers; that Redis is away only delays them."""
        try:
            docket = await self._open()
            for _ in range(HELPERS):
                await docket.add(TASK, key=f"{job_id}:{uuid.uuid4().hex[:12]}")(job_id)
        except _unreachable() as error:
            logger.warning("workers could not be called to crawl %s: %s", job_id, error)

    def mind(self) -> None:
        """Do nothing: workers look for unfinished crawls."""

    async def stop(self) -> None:
        """Disconnect."""
        await self._stack.aclose()

    async def _open(self) -> "Docket":
        async with self._opening:
            if self._docket is None:
                docket = make_docket(self._url)
                docket.register(_elsewhere, names=[TASK])
                self._docket = await self._stack.enter_async_context(docket)
            return self._docket


def make_docket(redis_url: str) -> "Docket":
    """Return the queue that servers and workers share."""
    from docket import Docket

    return Docket(name=_NAME, url=redis_url, execution_ttl=timedelta(hours=1))


async def work(redis_url: str, runner: CrawlRunner, crawls: CrawlStore, *, at_once: int) -> None:
    """Work on crawls until cancelled."""
    from docket import Perpetual, Worker

    asked_for = Perpetual(every=_AGAIN)

    async def work_on_crawl(job_id: str, again: Perpetual = asked_for) -> None:
        if await runner.run(job_id):
            again.cancel()

    # it tells about every task, and one comes back every second
    logging.getLogger("docket").setLevel(logging.WARNING)
    async with make_docket(redis_url) as docket:
        docket.register(work_on_crawl, names=[TASK])
        looking = asyncio.create_task(_look_after(docket, crawls))
        try:
            async with Worker(
                docket,
                name=f"webquarry-{uuid.uuid4().hex[:8]}",
                concurrency=at_once,
                redelivery_timeout=_REDELIVERY,
                minimum_check_interval=_CHECK,
            ) as worker:
                await worker.run_forever()
        except _unreachable() as error:
            raise NetworkError("Redis (REDIS_URL) cannot be reached") from error
        finally:
            looking.cancel()


async def _look_after(docket: "Docket", crawls: CrawlStore) -> None:
    """Call workers to crawls that nobody works on, and join those that were under way."""
    loop = asyncio.get_running_loop()
    swept = loop.time()
    joined: set[str] = set()
    while True:
        try:
            abandoned = await crawls.waiting()
            for job_id in {*abandoned, *(await crawls.unfinished()) - joined}:
                await docket.add(TASK, key=f"{job_id}:{uuid.uuid4().hex[:12]}")(job_id)
                joined.add(job_id)
            if loop.time() - swept > _SWEEP:
                await crawls.sweep()
                swept = loop.time()
        except (WebquarryError, *_unreachable()) as error:
            logger.warning("the crawls cannot be looked after just now: %s", error)
        await asyncio.sleep(_LOOK)


async def _elsewhere(job_id: str) -> None:
    raise RuntimeError(f"crawl {job_id} is for workers")  # a server runs no tasks


def _unreachable() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return (RedisError, OSError)
