"""Crawls of one site are together as polite as one, whichever processes they run in."""

import asyncio
from pathlib import Path

import pytest

from tests.crawl.lab import ME, OTHER, crawling_in
from tests.crawl.site import Site, running_site, tree
from webquarry.crawl.service import CrawlService
from webquarry.crawl.store import process_names
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

PAGES = 150
LIMIT = 4
SETTINGS = {"CRAWL_HOST_CONCURRENCY": str(LIMIT), "CRAWL_CONCURRENCY": "8", "LOCAL_INDEX": "off"}


async def watched(crawling: CrawlService, job: CrawlJob, caller: Caller) -> CrawlJob:
    return [seen async for seen in crawling.watch(job.id, caller)][-1]


def request(site: Site) -> CrawlRequest:
    return CrawlRequest(url=f"{site.url}/0", max_depth=20, max_pages=PAGES)


async def test_two_crawls_of_one_process_share_the_limit(tmp_path: Path) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        async with crawling_in(tmp_path, SETTINGS) as crawling:
            mine = await crawling.start(request(site), ME)
            theirs = await crawling.start(request(site), OTHER)
            ended = await asyncio.gather(
                watched(crawling, mine, ME), watched(crawling, theirs, OTHER)
            )

    assert [job.progress.pagesCrawled for job in ended] == [PAGES, PAGES]
    assert site.open_most == LIMIT  # all of it is used


async def test_crawls_of_two_processes_share_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        async with (
            crawling_in(tmp_path, SETTINGS) as here,
            crawling_in(tmp_path, SETTINGS) as there,
        ):
            monkeypatch.setattr(process_names, "name", lambda: "here/1")
            mine = await here.start(request(site), ME)
            await site.hears(10)  # its run has begun under that name
            monkeypatch.setattr(process_names, "name", lambda: "there/2")
            theirs = await there.start(request(site), OTHER)
            ended = await asyncio.gather(watched(here, mine, ME), watched(there, theirs, OTHER))

    assert [job.progress.pagesCrawled for job in ended] == [PAGES, PAGES]
    assert site.open_most <= LIMIT
