"""The webhook is called when a crawl ends."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Handler, Reply, Site, running_site, tree
from tests.replay import FakeClock
from webquarry.crawl.service import CrawlService
from webquarry.crawl.webhook import CrawlWebhook
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

OK, BUSY, BAD_REQUEST = Reply(b"ok"), Reply(b"", status=503), Reply(b"", status=400)


def respond_with(*replies: Reply) -> Handler:
    left = list(replies)
    return lambda path, headers: left.pop(0)


@pytest.fixture
def clock_of_retries(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """A clock that records the pauses between retries without waiting."""
    clock = FakeClock()
    patched = partial(CrawlWebhook, clock=clock.clock())
    monkeypatch.setattr("webquarry.wiring.open_crawling.CrawlWebhook", patched)
    return clock


@asynccontextmanager
async def crawl_with_webhook(
    directory: Path, hook: Site, pages: Handler, calls: int
) -> AsyncGenerator[CrawlJob]:
    """Run a crawl until its webhook was called this many times; yield the job."""
    with running_site(pages) as site:
        async with open_crawl_service(directory) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/hook?token=1")
            job = await crawling.start(request, ALICE)
            await hook.wait_for_requests(calls)
            yield await crawling.job(job.id, ALICE)


async def wait_for_the_webhook(crawling: CrawlService, site: Site) -> None:
    """Run a second crawl, which starts only after the webhook calls of the first (CRAWL_JOBS=1)."""
    job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/1"))
    assert job.state == "completed"


async def test_the_webhook_is_called_when_a_crawl_ends(
    tmp_path: Path, clock_of_retries: FakeClock
) -> None:
    with running_site(respond_with(OK)) as hook:
        async with crawl_with_webhook(tmp_path, hook, tree(3), 1) as job:
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
    assert clock_of_retries.slept == []


async def test_the_webhook_reports_why_a_crawl_failed(
    tmp_path: Path, clock_of_retries: FakeClock
) -> None:
    with running_site(respond_with(OK)) as hook:
        async with crawl_with_webhook(tmp_path, hook, lambda path, headers: MISSING, 1) as job:
            pass

    assert json.loads(hook.bodies[0][1]) == {
        "crawlId": job.id,
        "status": "failed",
        "pagesFound": 1,
        "pagesCrawled": 0,
        "error": "no page could be read: http_404",
    }
    assert clock_of_retries.slept == []


async def test_a_busy_webhook_is_retried_with_the_same_body(
    tmp_path: Path, clock_of_retries: FakeClock
) -> None:
    with running_site(respond_with(BUSY, BUSY, OK)) as hook:
        async with crawl_with_webhook(tmp_path, hook, tree(3), 3):
            pass

    assert len(hook.bodies) == 3
    assert len(set(hook.bodies)) == 1
    assert clock_of_retries.slept == [2.0, 4.0]


@pytest.mark.parametrize(("replies", "calls"), [((BUSY, BUSY, BUSY), 3), ((BAD_REQUEST,), 1)])
async def test_a_webhook_call_is_retried_at_most_twice_and_not_after_a_client_error(
    tmp_path: Path, clock_of_retries: FakeClock, replies: tuple[Reply, ...], calls: int
) -> None:
    with running_site(respond_with(*replies)) as hook, running_site(tree(2)) as site:
        async with open_crawl_service(tmp_path, {"CRAWL_JOBS": "1"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/hook")
            await crawling.start(request, ALICE)
            await hook.wait_for_requests(calls)
            await wait_for_the_webhook(crawling, site)

    assert len(hook.bodies) == calls


async def test_a_webhook_that_the_guard_refuses_is_not_called(
    tmp_path: Path, clock_of_retries: FakeClock
) -> None:
    with running_site(respond_with()) as hook, running_site(tree(2)) as site:
        settings = {"ALLOWED_DOMAINS": "127.0.0.1", "CRAWL_JOBS": "1"}
        async with open_crawl_service(tmp_path, settings) as crawling:
            url = hook.url.replace("127.0.0.1", "localhost")
            job = await crawling.start(CrawlRequest(url=f"{site.url}/0", webhook=f"{url}/x"), ALICE)
            await wait_for_the_webhook(crawling, site)
            last = await crawling.job(job.id, ALICE)

    assert last.state == "completed"
    assert (hook.log, clock_of_retries.slept) == ([], [])
