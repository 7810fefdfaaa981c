"""Crawls of one site share its host concurrency, within and across processes."""

import asyncio
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, BOB, open_crawl_service
from tests.crawl.site import Site, running_site, tree
from webquarry.crawl.service import CrawlService
from webquarry.crawl.store import process_names
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

PAGES = 150
LIMIT = 4
SETTINGS = {"CRAWL_HOST_CONCURRENCY": str(LIMIT), "CRAWL_CONCURRENCY": "8", "LOCAL_INDEX": "off"}


async def finished(crawling: CrawlService, job: CrawlJob, caller: Caller) -> CrawlJob:
    return [update async for update in crawling.watch(job.id, caller)][-1]


def request(site: Site) -> CrawlRequest:
    return CrawlRequest(url=f"{site.url}/0", max_depth=20, max_pages=PAGES)


async def test_two_crawls_of_one_process_share_the_limit(tmp_path: Path) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        async with open_crawl_service(tmp_path, SETTINGS) as crawling:
            alices = await crawling.start(request(site), ALICE)
            bobs = await crawling.start(request(site), BOB)
            ended = await asyncio.gather(
                finished(crawling, alices, ALICE), finished(crawling, bobs, BOB)
            )

    assert [job.progress.pagesCrawled for job in ended] == [PAGES, PAGES]
    assert site.max_open == LIMIT  # the limit is fully used


async def test_crawls_of_two_processes_share_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        async with (
            open_crawl_service(tmp_path, SETTINGS) as one,
            open_crawl_service(tmp_path, SETTINGS) as two,
        ):
            monkeypatch.setattr(process_names, "process_name", lambda: "host/1")
            alices = await one.start(request(site), ALICE)
            await site.wait_for_requests(10)  # its run has started under that name
            monkeypatch.setattr(process_names, "process_name", lambda: "host/2")
            bobs = await two.start(request(site), BOB)
            ended = await asyncio.gather(finished(one, alices, ALICE), finished(two, bobs, BOB))

    assert [job.progress.pagesCrawled for job in ended] == [PAGES, PAGES]
    assert site.max_open <= LIMIT
