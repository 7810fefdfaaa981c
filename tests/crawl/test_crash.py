"""Killed at any moment, a crawl loses no page, reads hardly any twice and never goes backwards."""

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

from tests.crawl.lab import ME, crawled, crawling_in
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
READERS = 4
# read and not yet stored when a process is killed: a batch, what came during its storing, and
# what was on its way
WINDOW = BATCH + 4 * READERS
ROOT = Path(__file__).parents[2]


def check_forward(before: CrawlJob, after: CrawlJob) -> None:
    """A status never takes anything back."""
    order = ("queued", "running", "completed")
    assert order.index(before.state) <= order.index(after.state)
    old, new = before.progress, after.progress
    assert old.pagesCrawled <= new.pagesCrawled
    assert old.pagesFound <= new.pagesFound
    assert old.depth <= new.depth


async def check_whole(crawling: CrawlService, job: CrawlJob, site: Site, kills: int) -> None:
    """Every page is there once, and few were asked for again."""
    found: list[str] = []
    while len(found) < job.progress.pagesCrawled:
        pages, _ = await crawling.pages(job.id, ME, len(found), 200, ())
        found += [page.url for page in pages]
    assert (job.state, job.progress.pagesCrawled) == ("completed", PAGES)
    assert sorted(found) == sorted(f"{site.url}/{number}" for number in range(PAGES))
    asked = site.asked()
    again = sum(count - 1 for path, count in asked.items() if path != "/robots.txt")
    assert again <= kills * WINDOW


async def test_twenty_kills_of_the_only_process(tmp_path: Path) -> None:
    settings = {"CRAWL_CONCURRENCY": str(READERS)}
    with (
        running_site(tree(PAGES), latency=0.005) as site,
        Nursery("server", tmp_path, settings) as nursery,
    ):
        async with crawling_in(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ME)
        async with crawling_in(tmp_path) as crawling:  # looks on
            for requests in _moments(5):
                victim = await nursery.start()
                await site.hears(len(site.log) + requests)
                await nursery.kill(victim)
                now = await crawling.job(last.id, ME)
                check_forward(last, now)
                last = now
            await nursery.start()
            assert await nursery.hears() == "done"
            await check_whole(crawling, await crawling.job(last.id, ME), site, KILLS)


async def test_twenty_kills_of_two_workers(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = _shared(tmp_path, redis_url, postgres_url)
    with (
        running_site(tree(PAGES), latency=0.005) as site,
        Nursery("worker", tmp_path, settings) as nursery,
    ):
        workers = [await nursery.start() for _ in range(2)]
        async with crawling_in(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ME)
            for number, requests in enumerate(_moments(7)):
                await site.hears(len(site.log) + requests)
                await nursery.kill(workers[number % 2])
                workers[number % 2] = await nursery.start()
                now = await crawling.job(last.id, ME)
                check_forward(last, now)
                last = now
            async with asyncio.timeout(90):
                async for now in crawling.watch(last.id, ME):
                    check_forward(last, now)
                    last = now
            await check_whole(crawling, last, site, KILLS)


async def test_two_workers_share_a_crawl_and_are_as_polite_as_one(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = _shared(tmp_path, redis_url, postgres_url)
    # one alone cannot take all four places of the host, so the other is sure to get some
    settings |= {"CRAWL_HOST_CONCURRENCY": "4", "CRAWL_CONCURRENCY": "3"}
    with (
        running_site(tree(200), latency=0.01) as site,
        Nursery("worker", tmp_path, settings) as nursery,
    ):
        both = threading.Event()  # most pages have to wait until both are there
        site.holds = lambda path: path[1:].isdigit() and int(path[1:]) > 20 and not both.is_set()
        for _ in range(2):
            await nursery.start()
        async with crawling_in(tmp_path, settings) as crawling:
            job = await crawling.start(_request(site, 200), ME)
            await asyncio.to_thread(_wait_for_runs, postgres_url, 2)
            both.set()
            job = [seen async for seen in crawling.watch(job.id, ME)][-1]

    assert job.progress.pagesCrawled == 200
    assert site.asked() == {f"/{number}": 1 for number in range(200)} | {"/robots.txt": 2}
    assert site.open_most <= 4  # CRAWL_HOST_CONCURRENCY


async def test_workers_keep_the_delay_together(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = _shared(tmp_path, redis_url, postgres_url)
    with running_site(tree(30)) as site, Nursery("worker", tmp_path, settings) as nursery:
        for _ in range(2):
            await nursery.start()
        async with crawling_in(tmp_path, settings) as crawling:
            request = _request(site, 30).model_copy(update={"delay": 0.1})
            job = await crawled(crawling, request)

    assert job.progress.pagesCrawled == 30
    assert job.started is not None
    # each has its time, and a busy machine only makes it later
    early = [n for n, at in enumerate(site.times()) if at < job.started + n * 0.1 - 0.01]
    assert early == []


def _wait_for_runs(database: str, count: int) -> None:
    """Wait until so many workers have claimed something."""
    ends = time.monotonic() + 60
    with psycopg.connect(database, autocommit=True) as db:
        while db.execute(
            "SELECT count(DISTINCT lease) FROM crawl_urls WHERE state = 1"
        ).fetchone() != (count,):
            assert time.monotonic() < ends, "a worker does not take part"
            time.sleep(0.01)


def _moments(seed: int) -> list[int]:
    """How many requests come before each kill; together fewer than there are pages."""
    # a test that fails should fail again
    chance = random.Random(seed)  # noqa: S311
    return [chance.randrange(2, 45) for _ in range(KILLS)]


def _request(site: Site, pages: int) -> CrawlRequest:
    return CrawlRequest(url=f"{site.url}/0", max_depth=20, max_pages=pages, index=False)


def _shared(directory: Path, redis: str, postgres: str) -> dict[str, str]:
    return {
        "REDIS_URL": redis,
        "DATABASE_URL": postgres,
        "CACHE_ENCRYPTION_KEY": "ab" * 32,
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        "CRAWL_CONCURRENCY": str(READERS),
        "CRAWL_HOST_CONCURRENCY": str(2 * READERS),
        "CRAWL_JOBS_PER_USER": "50",
        "LOCAL_INDEX": "off",
    }


class Nursery:
    """Starts processes quickly; see `victim`."""

    def __init__(self, kind: str, directory: Path, settings: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "tests.crawl.victim", kind, str(directory)]
        self._mother = subprocess.Popen(
            [*command, json.dumps(dict(settings))],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._children: list[int] = []

    def __enter__(self) -> "Nursery":
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._mother.kill()
        self._mother.communicate()

    async def start(self) -> int:
        """Return the number of a new process."""
        assert self._mother.stdin is not None
        self._mother.stdin.write("go\n")
        self._mother.stdin.flush()
        self._children.append(int(await self.hears()))
        return self._children[-1]

    async def kill(self, number: int) -> None:
        """Kill a process and wait until it is gone."""
        os.kill(number, signal.SIGKILL)
        with suppress(ProcessLookupError):
            while True:
                os.kill(number, 0)
                await asyncio.sleep(0.001)

    async def hears(self) -> str:
        """Return the next line that any of them writes."""
        assert self._mother.stdout is not None
        async with asyncio.timeout(60):
            return (await asyncio.to_thread(self._mother.stdout.readline)).strip()
