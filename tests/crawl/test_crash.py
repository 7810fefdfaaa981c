"""When processes are killed, a crawl loses no page, repeats few requests and keeps its progress."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import Site, running_site, tree
from tests.postgres_server import postgres_url
from tests.redis_server import redis_url
from webquarry.crawl.run import BATCH
from webquarry.crawl.service import CrawlService
from webquarry.models.crawl import CrawlJob, CrawlRequest

__all__ = ["postgres_url", "redis_url"]

pytestmark = pytest.mark.anyio

PAGES = 1000
KILLS = 20
CONCURRENCY = 4
# pages that may be read but not stored when a process is killed: a batch, the pages read while it
# is stored, and the requests in flight
WINDOW = BATCH + 4 * CONCURRENCY
ROOT = Path(__file__).parents[2]


def check_forward(before: CrawlJob, after: CrawlJob) -> None:
    """Check that progress never decreases."""
    order = ("queued", "running", "completed")
    assert order.index(before.state) <= order.index(after.state)
    old, new = before.progress, after.progress
    assert old.pagesCrawled <= new.pagesCrawled
    assert old.pagesFound <= new.pagesFound
    assert old.depth <= new.depth


async def check_complete(crawling: CrawlService, job: CrawlJob, site: Site, kills: int) -> None:
    """Check that every page is stored once and that few requests were repeated."""
    urls: list[str] = []
    while len(urls) < job.progress.pagesCrawled:
        pages, _ = await crawling.pages(job.id, ALICE, len(urls), 200, ())
        urls += [page.url for page in pages]
    assert (job.state, job.progress.pagesCrawled) == ("completed", PAGES)
    assert sorted(urls) == sorted(f"{site.url}/{index}" for index in range(PAGES))
    counts = site.request_counts()
    repeated = sum(count - 1 for path, count in counts.items() if path != "/robots.txt")
    assert repeated <= kills * WINDOW


async def test_a_crawl_survives_twenty_kills_of_its_only_process(tmp_path: Path) -> None:
    settings = {"CRAWL_CONCURRENCY": str(CONCURRENCY)}
    with (
        running_site(tree(PAGES), latency=0.005) as site,
        ProcessFactory("server", tmp_path, settings) as factory,
    ):
        async with open_crawl_service(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ALICE)
        async with open_crawl_service(tmp_path) as crawling:  # only observes
            for requests in _requests_before_kills(5):
                pid = await factory.start()
                await site.wait_for_requests(len(site.log) + requests)
                await factory.kill(pid)
                now = await crawling.job(last.id, ALICE)
                check_forward(last, now)
                last = now
            await factory.start()
            assert await factory.read_line() == "done"
            await check_complete(crawling, await crawling.job(last.id, ALICE), site, KILLS)


async def test_a_crawl_survives_twenty_kills_of_two_workers(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared_settings(tmp_path, redis_url, postgres_url)
    with (
        running_site(tree(PAGES), latency=0.005) as site,
        ProcessFactory("worker", tmp_path, settings) as factory,
    ):
        workers = [await factory.start() for _ in range(2)]
        async with open_crawl_service(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ALICE)
            for index, requests in enumerate(_requests_before_kills(7)):
                await site.wait_for_requests(len(site.log) + requests)
                await factory.kill(workers[index % 2])
                workers[index % 2] = await factory.start()
                now = await crawling.job(last.id, ALICE)
                check_forward(last, now)
                last = now
            async with asyncio.timeout(90):
                async for now in crawling.watch(last.id, ALICE):
                    check_forward(last, now)
                    last = now
            await check_complete(crawling, last, site, KILLS)


async def test_two_workers_share_a_crawl_and_its_host_concurrency(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared_settings(tmp_path, redis_url, postgres_url)
    # one worker cannot use all four requests of the host, so the other is sure to get one
    settings |= {"CRAWL_HOST_CONCURRENCY": "4", "CRAWL_CONCURRENCY": "3"}
    with (
        running_site(tree(200), latency=0.01) as site,
        ProcessFactory("worker", tmp_path, settings) as factory,
    ):
        both = threading.Event()  # most pages wait until both workers have started
        site.is_held = lambda path: path[1:].isdigit() and int(path[1:]) > 20 and not both.is_set()
        for _ in range(2):
            await factory.start()
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await crawling.start(_request(site, 200), ALICE)
            await asyncio.to_thread(_wait_for_runs, postgres_url, 2)
            both.set()
            job = [update async for update in crawling.watch(job.id, ALICE)][-1]

    assert job.progress.pagesCrawled == 200
    assert site.request_counts() == {f"/{index}": 1 for index in range(200)} | {"/robots.txt": 2}
    assert site.max_open <= 4  # CRAWL_HOST_CONCURRENCY


async def test_workers_share_the_crawl_delay(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared_settings(tmp_path, redis_url, postgres_url)
    with running_site(tree(30)) as site, ProcessFactory("worker", tmp_path, settings) as factory:
        for _ in range(2):
            await factory.start()
        async with open_crawl_service(tmp_path, settings) as crawling:
            request = _request(site, 30).model_copy(update={"delay": 0.1})
            job = await run_crawl(crawling, request)

    assert job.progress.pagesCrawled == 30
    assert job.started is not None
    # a busy machine may only delay a request
    early = [n for n, at in enumerate(site.times()) if at < job.started + n * 0.1 - 0.01]
    assert early == []


def _wait_for_runs(database: str, count: int) -> None:
    """Wait until this many workers have claimed a URL."""
    deadline = time.monotonic() + 60
    with psycopg.connect(database, autocommit=True) as db:
        while db.execute(
            "SELECT count(DISTINCT lease) FROM crawl_urls WHERE state = 1"
        ).fetchone() != (count,):
            assert time.monotonic() < deadline, "a worker claims no URL"
            time.sleep(0.01)


def _requests_before_kills(seed: int) -> list[int]:
    """Return the number of requests before each kill; together fewer than there are pages."""
    # seeded, so that a failure can be reproduced
    rng = random.Random(seed)  # noqa: S311
    return [rng.randrange(2, 45) for _ in range(KILLS)]


def _request(site: Site, pages: int) -> CrawlRequest:
    return CrawlRequest(url=f"{site.url}/0", max_depth=20, max_pages=pages, index=False)


def shared_settings(directory: Path, redis: str, postgres: str) -> dict[str, str]:
    """Return the settings of workers that share a database."""
    return {
        "REDIS_URL": redis,
        "DATABASE_URL": postgres,
        "CACHE_ENCRYPTION_KEY": "ab" * 32,
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        "CRAWL_CONCURRENCY": str(CONCURRENCY),
        "CRAWL_HOST_CONCURRENCY": str(2 * CONCURRENCY),
        "CRAWL_JOBS_PER_USER": "50",
        "LOCAL_INDEX": "off",
    }


class ProcessFactory:
    """Starts and kills processes; see `forked_processes`."""

    def __init__(self, kind: str, directory: Path, settings: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "tests.crawl.forked_processes", kind, str(directory)]
        self._parent = subprocess.Popen(
            [*command, json.dumps(dict(settings))],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._children: list[int] = []

    def __enter__(self) -> "ProcessFactory":
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._parent.kill()
        self._parent.communicate()

    async def start(self) -> int:
        """Start a process and return its id."""
        assert self._parent.stdin is not None
        self._parent.stdin.write("go\n")
        self._parent.stdin.flush()
        self._children.append(int(await self.read_line()))
        return self._children[-1]

    async def kill(self, pid: int) -> None:
        """Kill a process and wait until it has ended."""
        os.kill(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                await asyncio.sleep(0.001)

    async def read_line(self) -> str:
        """Return the next line that a process prints."""
        assert self._parent.stdout is not None
        async with asyncio.timeout(60):
            return (await asyncio.to_thread(self._parent.stdout.readline)).strip()
