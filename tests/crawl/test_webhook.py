"""Who asked for it is told that a crawl has ended."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.crawl.lab import ME, crawled, crawling_in
from tests.crawl.site import MISSING, Handler, Reply, Site, running_site, tree
from tests.replay import StillClock
from webquarry.crawl.service import CrawlService
from webquarry.crawl.webhook import CrawlWebhook
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

TAKEN, BUSY, WRONG = Reply(b"ok"), Reply(b"", status=503), Reply(b"", status=400)


def answering(*replies: Reply) -> Handler:
    left = list(replies)
    return lambda path, headers: left.pop(0)


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """The pauses between two tries, which take no time."""
    clock = StillClock()
    made = partial(CrawlWebhook, clock=clock.clock())
    monkeypatch.setattr("webquarry.wiring.open_crawling.Webhook", made)
    return clock


@asynccontextmanager
async def told(directory: Path, hook: Site, pages: Handler, tries: int) -> AsyncGenerator[CrawlJob]:
    """A crawl that has ended and called so many times."""
    with running_site(pages) as site:
        async with crawling_in(directory) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/hook?token=1")
            job = await crawling.start(request, ME)
            await hook.hears(tries)
            yield await crawling.job(job.id, ME)


async def all_is_done(crawling: CrawlService, site: Site) -> None:
    """Wait for a second crawl: in the only place it begins when the first has done all it does."""
    job = await crawled(crawling, CrawlRequest(url=f"{site.url}/1"))
    assert job.state == "completed"


async def test_the_end_of_a_crawl_is_told(tmp_path: Path, still: StillClock) -> None:
    with running_site(answering(TAKEN)) as hook:
        async with told(tmp_path, hook, tree(3), 1) as job:
            pass

    ((path, body),) = hook.bodies
    assert path == "/hook?token=1"
    assert json.loads(body) == {
        "crawlId": job.id,
        "status": "completed",
        "pagesFound": 3,
        "pagesCrawled": 3,
        "error": None,
    }
    assert still.slept == []


async def test_a_failure_is_told_with_its_reason(tmp_path: Path, still: StillClock) -> None:
    with running_site(answering(TAKEN)) as hook:
        async with told(tmp_path, hook, lambda path, headers: MISSING, 1) as job:
            pass

    assert json.loads(hook.bodies[0][1]) == {
        "crawlId": job.id,
        "status": "failed",
        "pagesFound": 1,
        "pagesCrawled": 0,
        "error": "no page could be read: http_404",
    }
    assert still.slept == []


async def test_who_is_busy_is_called_again_with_the_same(tmp_path: Path, still: StillClock) -> None:
    with running_site(answering(BUSY, BUSY, TAKEN)) as hook:
        async with told(tmp_path, hook, tree(3), 3):
            pass

    assert len(hook.bodies) == 3
    assert len(set(hook.bodies)) == 1
    assert still.slept == [2.0, 4.0]


@pytest.mark.parametrize(("replies", "calls"), [((BUSY, BUSY, BUSY), 3), ((WRONG,), 1)])
async def test_calls_end_after_a_while(
    tmp_path: Path, still: StillClock, replies: tuple[Reply, ...], calls: int
) -> None:
    with running_site(answering(*replies)) as hook, running_site(tree(2)) as site:
        async with crawling_in(tmp_path, {"CRAWL_JOBS": "1"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/hook")
            await crawling.start(request, ME)
            await hook.hears(calls)
            await all_is_done(crawling, site)

    assert len(hook.bodies) == calls


async def test_a_webhook_the_guard_refuses_is_not_called(tmp_path: Path, still: StillClock) -> None:
    with running_site(answering()) as hook, running_site(tree(2)) as site:
        settings = {"ALLOWED_DOMAINS": "127.0.0.1", "CRAWL_JOBS": "1"}
        async with crawling_in(tmp_path, settings) as crawling:
            url = hook.url.replace("127.0.0.1", "localhost")
            job = await crawling.start(CrawlRequest(url=f"{site.url}/0", webhook=f"{url}/x"), ME)
            await all_is_done(crawling, site)
            last = await crawling.job(job.id, ME)

    assert last.state == "completed"
    assert (hook.log, still.slept) == ([], [])
