"""When processes are killed, a batch loses no URL and its webhook gets each event under one id."""

import asyncio
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service
from tests.crawl.site import Site, page, running_site
from tests.crawl.test_crash import CONCURRENCY, WINDOW, ProcessFactory, shared_settings
from tests.postgres_server import postgres_url
from tests.redis_server import redis_url
from webquarry.crawl.service import CrawlService
from webquarry.crawl.workers.embedded import EmbeddedWorker
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.models.webhook import Webhook

__all__ = ["postgres_url", "redis_url"]

pytestmark = pytest.mark.anyio

URLS = 400
KILLS = 8
REQUESTS_BETWEEN = 35  # fewer than URLS / KILLS, so that every kill hits the batch


async def start(crawling: CrawlService, site: Site, hook: Site) -> CrawlJob:
    webhook = Webhook(url=hook.url, events=("started", "page", "completed", "failed"))
    options = CrawlRequest(url="", webhook=webhook, index=False)
    urls = [f"{site.url}/{number}" for number in range(URLS)]
    job, _ = await crawling.start_batch(urls, options, ALICE)
    return job


async def check_complete(crawling: CrawlService, job_id: str, site: Site) -> None:
    """Check that every URL has one page and that few requests were repeated."""
    job = await crawling.job(job_id, ALICE)
    pages, total = await crawling.pages(job_id, ALICE, 0, 1000, ())
    assert (job.state, total) == ("completed", URLS)
    assert sorted(each.index if each.index is not None else -1 for each in pages) == [*range(URLS)]
    assert {each.url for each in pages} == {f"{site.url}/{number}" for number in range(URLS)}
    counts = site.request_counts()
    repeated = sum(count - 1 for path, count in counts.items() if path != "/robots.txt")
    assert repeated <= KILLS * WINDOW


def check_notified(hook: Site, site: Site) -> None:
    """Check that each event has one id, whatever the number of its deliveries."""
    bodies: dict[str, Any] = {}
    for headers, (_, body) in zip(hook.headers, hook.bodies, strict=True):
        known = bodies.setdefault(headers["x-webquarry-delivery"], body)
        assert known == body  # every retry has the same body
    events = [json.loads(body) for body in bodies.values()]
    assert Counter(event["event"] for event in events if event["event"] != "page") == {
        "started": 1, "completed": 1,
    }  # fmt: skip
    announced = Counter(row["url"] for event in events for row in event.get("pages", ()))
    assert announced == {f"{site.url}/{number}": 1 for number in range(URLS)}


async def test_a_batch_and_its_notifications_survive_kills_of_the_only_process(
    tmp_path: Path,
) -> None:
    settings = {"CRAWL_CONCURRENCY": str(CONCURRENCY)}
    with (
        running_site(lambda path, headers: page(path, []), latency=0.005) as site,
        running_site(lambda path, headers: page("", []), latency=0.005) as hook,
        ProcessFactory("server", tmp_path, settings) as factory,
    ):
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await start(crawling, site, hook)
        for _ in range(KILLS):
            pid = await factory.start()
            await site.wait_for_requests(len(site.log) + REQUESTS_BETWEEN)
            await factory.kill(pid)
        await factory.start()
        assert await factory.read_line() == "done"
        async with open_crawl_service(tmp_path) as crawling:  # only observes
            await check_complete(crawling, job.id, site)
    check_notified(hook, site)


async def test_a_batch_and_its_notifications_survive_kills_of_two_workers(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    settings = shared_settings(tmp_path, redis_url, postgres_url)
    with (
        running_site(lambda path, headers: page(path, []), latency=0.005) as site,
        running_site(lambda path, headers: page("", []), latency=0.005) as hook,
        ProcessFactory("worker", tmp_path, settings) as factory,
    ):
        workers = [await factory.start() for _ in range(2)]
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await start(crawling, site, hook)
            for index in range(KILLS):
                await site.wait_for_requests(len(site.log) + REQUESTS_BETWEEN)
                await factory.kill(workers[index % 2])
                workers[index % 2] = await factory.start()
            async with asyncio.timeout(90):
                async for _ in crawling.watch(job.id, ALICE):
                    pass
            await check_complete(crawling, job.id, site)
            await _wait_for_end_event(hook)
    check_notified(hook, site)


def _do_nothing(_: EmbeddedWorker) -> None:
    """Continue no crawl."""


@pytest.mark.parametrize("kind", ["server", "worker"])
async def test_a_process_killed_while_it_sends_a_notification_sends_it_again_with_its_id(
    tmp_path: Path,
    kind: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # the process of the test only stores the batch
    monkeypatch.setattr(EmbeddedWorker, "resume_unfinished", _do_nothing)
    settings = {"CRAWL_CONCURRENCY": str(CONCURRENCY)}
    if kind == "worker":
        urls = [str(request.getfixturevalue(name)) for name in ("redis_url", "postgres_url")]
        settings = shared_settings(tmp_path, *urls)
    killed = threading.Event()
    with (
        running_site(lambda path, headers: page(path, [])) as site,
        running_site(lambda path, headers: page("", [])) as hook,
        ProcessFactory(kind, tmp_path, settings) as factory,
    ):
        hook.is_held = lambda path: not killed.is_set()  # the receiver has it, and does not answer
        async with open_crawl_service(tmp_path, settings) as crawling:
            webhook = Webhook(url=hook.url, events=("completed",))
            options = CrawlRequest(url="", webhook=webhook, index=False)
            await crawling.start_batch([f"{site.url}/1"], options, ALICE)
        pid = await factory.start()
        await hook.wait_for_requests(1)
        await factory.kill(pid)
        killed.set()
        await factory.start()
        await hook.wait_for_requests(2)

    first, second = zip(hook.headers, hook.bodies, strict=True)
    assert first[1] == second[1]
    assert first[0]["x-webquarry-delivery"] == second[0]["x-webquarry-delivery"]


async def _wait_for_end_event(hook: Site) -> None:
    async with asyncio.timeout(60):
        # the hook runs in another thread
        while not any(b'"completed"' in body for _, body in hook.bodies):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
