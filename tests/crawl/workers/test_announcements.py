"""Who can write to Redis can wake workers at most: nothing in Redis is executed."""

import asyncio
import logging
import os
import pickle
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from redis.asyncio import Redis
from redis.typing import EncodableT, FieldT

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import running_site, tree
from tests.crawl.test_crash import ProcessFactory
from tests.postgres_server import postgres_url
from tests.redis_server import redis_url
from webquarry.app import open_app
from webquarry.models.crawl import CrawlRequest
from webquarry.settings.load import load
from webquarry.storage.redis_connection import connect_redis
from webquarry.wiring.open_crawling import run_crawl_worker

__all__ = ["postgres_url", "redis_url"]

pytestmark = pytest.mark.anyio

STREAM = "webquarry:crawl-announcements"


class MakeDirectory:
    """Unpickling it creates a directory."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self._path),)


async def forge_messages(redis: Redis, path: Path) -> None:
    """Write what an attacker may write: to the stream of announcements, and to a docket."""
    attack = pickle.dumps(MakeDirectory(path))
    task: dict[FieldT, EncodableT] = {
        "key": "k", "when": "2026-01-01T00:00:00+00:00", "function": "work_on_crawl",
        "args": attack, "kwargs": attack, "attempt": "1", "generation": "1",
    }  # fmt: skip
    strike: dict[FieldT, EncodableT] = {"direction": "strike", "operator": "==", "value": attack}
    await redis.xadd("webquarry-crawls:stream", task)
    await redis.xadd("webquarry-crawls:strikes", strike)
    for field in ("job", "args", "other"):
        await redis.xadd(STREAM, {field: attack})


async def test_a_forged_message_is_not_executed_and_crawls_go_on(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared(tmp_path, redis_url, postgres_url)
    target = tmp_path / "created-by-the-attack"
    with running_site(tree(20)) as site, ProcessFactory("worker", tmp_path, settings) as factory:
        async with connected(redis_url) as redis:
            await forge_messages(redis, target)  # waits for the workers
            for _ in range(2):
                await factory.start()
            async with open_crawl_service(tmp_path, settings) as crawling, asyncio.timeout(60):
                first = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", index=False))
                await forge_messages(redis, target)  # while they wait
                second = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", index=False))

    assert (first.state, second.state) == ("completed", "completed")
    assert not target.exists()


async def test_a_worker_with_another_key_refuses_announcements_and_says_why(
    tmp_path: Path, redis_url: str, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = shared(tmp_path, redis_url, postgres_url)
    other = {**settings, "CACHE_ENCRYPTION_KEY": "cd" * 32}
    with (
        running_site(tree(5)) as site,
        expected_log("refused an announcement of a crawl") as refused,
        expected_log("cannot run in this worker") as not_run,
    ):
        async with (
            open_crawl_service(tmp_path, settings) as crawling,
            running_worker(tmp_path / "other", other),
        ):
            await wait_for_listener(redis_url)
            job = await crawling.start(CrawlRequest(url=f"{site.url}/0", index=False), ALICE)
            await refused.wait()
            await not_run.wait()
            assert (await crawling.job(job.id, ALICE)).state == "queued"
            async with running_worker(tmp_path / "same", settings):
                ended = [update async for update in crawling.watch(job.id, ALICE)][-1]

    assert (ended.state, ended.progress.pagesCrawled) == ("completed", 5)
    assert "CACHE_ENCRYPTION_KEY" in caplog.text


async def test_a_worker_without_a_message_finds_the_crawl_in_the_database(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared(tmp_path, redis_url, postgres_url)
    with running_site(tree(5)) as site:
        async with (
            open_crawl_service(tmp_path, settings) as crawling,
            connected(redis_url) as redis,
        ):
            job = await crawling.start(CrawlRequest(url=f"{site.url}/0", index=False), ALICE)
            await redis.delete(STREAM)
            await redis.set(STREAM, b"not a stream")
            async with running_worker(tmp_path / "worker", settings):
                ended = [update async for update in crawling.watch(job.id, ALICE)][-1]
            await redis.delete(STREAM)

    assert (ended.state, ended.progress.pagesCrawled) == ("completed", 5)


class LoggedText(logging.Handler):
    """Waits until a text is logged."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._loop = asyncio.get_running_loop()
        self._seen = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if self._text in record.getMessage():
            self._loop.call_soon_threadsafe(self._seen.set)

    async def wait(self) -> None:
        async with asyncio.timeout(60):
            await self._seen.wait()


@contextmanager
def expected_log(text: str) -> Generator[LoggedText]:
    handler = LoggedText(text)
    logger = logging.getLogger("webquarry.crawl.workers")
    logger.addHandler(handler)
    try:
        yield handler
    finally:
        logger.removeHandler(handler)


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[Redis]:
    redis = connect_redis(url)
    try:
        yield redis
    finally:
        await redis.aclose()


async def wait_for_listener(url: str) -> None:
    """Wait until a worker reads announcements; it does not get earlier ones."""
    async with connected(url) as redis, asyncio.timeout(60):
        clients = cast("Any", redis).client_list  # it has no complete type
        # a worker tells nobody that it reads
        while not any(client["cmd"] == "xread" for client in await clients()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@asynccontextmanager
async def running_worker(directory: Path, settings: dict[str, str]) -> AsyncGenerator[None]:
    """Run a worker in this process while the block runs."""
    environ = {**settings, "WEBQUARRY_DATA_DIR": str(directory)}
    loaded = load(environ=environ, directory=directory.parent, flags={}, declared=())
    async with open_app(loaded, "http", tools=()) as app:
        worker = asyncio.create_task(run_crawl_worker(loaded, app.services.crawl_resources))
        try:
            yield
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


def shared(directory: Path, redis: str, postgres: str) -> dict[str, str]:
    return {
        "REDIS_URL": redis,
        "DATABASE_URL": postgres,
        "CACHE_ENCRYPTION_KEY": "ab" * 32,
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        "LOCAL_INDEX": "off",
    }
