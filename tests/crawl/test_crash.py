"""Killed at any moment, a crawl loses no page, reads hardly any twice and never goes backwards."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crawl.lab import ME, crawled, crawling_in
from tests.crawl.site import Site, running_site, tree
from tests.postgres_server import postgres_url
from tests.redis_server import redis_url
from webquarry.crawl.run import BATCH
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.services.crawling import Crawling

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


async def check_whole(crawling: Crawling, job: CrawlJob, site: Site, kills: int) -> None:
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
    # a test that fails should fail again
    chance = random.Random(5)  # noqa: S311
    with (
        running_site(tree(PAGES), latency=0.03) as site,
        Nursery("server", tmp_path, settings) as nursery,
    ):
        async with crawling_in(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ME)
        for _ in range(KILLS):
            victim = await nursery.start()
            assert await nursery.hears() == "crawling"
            await asyncio.sleep(chance.uniform(0.0, 0.2))
            os.kill(victim, signal.SIGKILL)
            last = await _looked_at(tmp_path, last)
        await nursery.start()
        assert await nursery.hears() == "crawling"
        assert await nursery.hears() == "done"
        job = await _looked_at(tmp_path, last)
        async with crawling_in(tmp_path) as crawling:
            await check_whole(crawling, job, site, KILLS)


async def _looked_at(directory: Path, before: CrawlJob) -> CrawlJob:
    async with crawling_in(directory) as crawling:
        after = await crawling.job(before.id, ME)
    check_forward(before, after)
    return after


async def test_twenty_kills_of_two_workers(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = _shared(tmp_path, redis_url, postgres_url)
    # a test that fails should fail again
    chance = random.Random(7)  # noqa: S311
    with (
        running_site(tree(PAGES), latency=0.03) as site,
        Nursery("worker", tmp_path, settings) as nursery,
    ):
        workers = [await nursery.start() for _ in range(2)]
        async with crawling_in(tmp_path, settings) as crawling:
            last = await crawling.start(_request(site, PAGES), ME)
            for _ in range(KILLS):
                await asyncio.sleep(chance.uniform(0.2, 0.8))
                which = chance.randrange(2)
                os.kill(workers[which], signal.SIGKILL)
                workers[which] = await nursery.start()
                now = await crawling.job(last.id, ME)
                check_forward(last, now)
                last = now
            async with asyncio.timeout(90):
                async for now in crawling.watch(last.id, ME):
                    check_forward(last, now)
                    last = now
            await check_whole(crawling, last, site, KILLS)


async def test_two_workers_are_faster_than_one_and_as_polite(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = _shared(tmp_path, redis_url, postgres_url)
    settings |= {"CRAWL_CONCURRENCY": "2", "CRAWL_HOST_CONCURRENCY": "4"}
    rates: list[float] = []
    for count in (1, 2):
        with (
            running_site(tree(240), latency=0.05) as site,
            Nursery("worker", tmp_path, settings) as nursery,
        ):
            for _ in range(count):
                await nursery.start()
            async with crawling_in(tmp_path, settings) as crawling:
                job = await crawled(crawling, _request(site, 240))
        assert job.progress.pagesCrawled == 240
        times = sorted(at for at, path in site.log if path != "/robots.txt")
        # from the server's log, without the first pages: by then everybody is there
        rates.append((len(times) - 100) / (times[-1] - times[100]))
        assert site.open_most <= 4 + 1  # CRAWL_HOST_CONCURRENCY, and a robots.txt

    assert rates[1] / rates[0] >= 1.6, rates


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
    gaps = site.gaps()
    # a request may be a moment late, and the next one then looks early
    assert sum(gaps) >= 29 * 0.1 * 0.95
    assert sum(gap < 0.05 for gap in gaps) <= 3, gaps


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

    async def hears(self) -> str:
        """Return the next line that any of them writes."""
        assert self._mother.stdout is not None
        async with asyncio.timeout(60):
            return (await asyncio.to_thread(self._mother.stdout.readline)).strip()
