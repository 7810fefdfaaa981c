"""A crawl waits as long as robots.txt and the answers of a host ask for."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import Handler, Reply, page, running_site, tree
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio

TEXT = (("content-type", "text/plain"),)
ONE_BY_ONE = {"CRAWL_HOST_CONCURRENCY": "1"}


def limited_site(status: int, wait: str, limited: list[float]) -> Handler:
    """Serve 30 pages; page /5 is refused once, and the time of the refusal recorded."""
    pages = tree(30)

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/5" and not limited:
            limited.append(time.time())
            headers_sent = (*TEXT, ("retry-after", wait)) if wait else TEXT
            return Reply(status=status, headers=headers_sent)
        return pages(path, headers)

    return handle


@pytest.mark.parametrize("status", [429, 503])
async def test_no_request_follows_a_retry_after_before_its_time(
    tmp_path: Path, status: int
) -> None:
    limited: list[float] = []
    with running_site(limited_site(status, "1", limited)) as site:
        async with open_crawl_service(tmp_path, ONE_BY_ONE) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", max_depth=9))

    assert (job.progress.pagesCrawled, job.progress.errors) == (30, 0)
    early = [path for at, path in site.log if limited[0] < at < limited[0] + 1]
    assert early == []


async def test_a_429_without_a_time_pauses_the_host_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.7, 0.7, 0.7))
    limited: list[float] = []
    with running_site(limited_site(429, "", limited)) as site:
        async with open_crawl_service(tmp_path, ONE_BY_ONE) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", max_depth=9))

    assert (job.progress.pagesCrawled, job.progress.errors) == (30, 0)
    assert [path for at, path in site.log if limited[0] < at < limited[0] + 0.7] == []


async def test_after_a_429_without_a_time_the_host_is_tried_with_one_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.3, 0.3, 0.3))
    pages, refused = tree(30), list[float]()

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path in {"/robots.txt", "/0"} or len(refused) == 12:
            return pages(path, headers)
        refused.append(time.monotonic())
        return Reply(status=429, headers=TEXT)

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", max_depth=9))

    # up to eight requests were open at the first refusal; a busy machine only makes gaps longer
    gaps = [after - before for before, after in pairwise(refused[7:])]
    assert min(gaps) > 0.25
    assert job.progress.pagesCrawled > 8


async def test_a_host_that_asks_to_wait_too_long_is_given_up_also_after_a_restart(
    tmp_path: Path,
) -> None:
    limited: list[float] = []
    settings = {**ONE_BY_ONE, "CRAWL_MAX_RETRY_AFTER": "10m"}
    with running_site(limited_site(429, "601", limited)) as site:
        request = CrawlRequest(url=f"{site.url}/0", max_depth=9)
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await run_crawl(crawling, request)
            failures = await crawling.failures(job.id, ALICE, 100)
        requests = len(site.log)
        async with open_crawl_service(tmp_path, settings) as crawling:
            again = await run_crawl(crawling, request)

    reasons = {one.url.removeprefix(site.url): one.reason for one in failures}
    assert job.state == "completed"
    assert reasons.pop("/5") == "http_429"
    assert set(reasons.values()) == {"retry_after"}
    assert len(reasons) + 1 + job.progress.pagesCrawled == job.progress.pagesFound
    assert requests == job.progress.pagesCrawled + 2  # robots.txt and /5
    assert len(site.log) == requests
    assert (again.state, again.error) == (
        "failed",
        "no page could be read: retry_after (the host asked to wait longer than"
        " CRAWL_MAX_RETRY_AFTER)",
    )


async def test_the_crawl_delay_counts_from_the_request_for_robots_txt(tmp_path: Path) -> None:
    robots = "User-agent: *\nCrawl-delay: 0.3\n"
    with running_site(tree(5, robots=robots)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

    times = [at for at, _ in site.log]
    assert site.log[0][1] == "/robots.txt"
    assert len(times) == 6
    # a busy machine may only delay a request
    assert [n for n, at in enumerate(times) if at < times[0] + n * 0.3 - 0.01] == []


async def test_a_crawl_delay_that_is_too_long_is_a_listed_reason(tmp_path: Path) -> None:
    with running_site(tree(5, robots="User-agent: *\nCrawl-delay: 90000\n")) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

    assert job.state == "failed"
    assert job.error == (
        "no page could be read: crawl_delay (the Crawl-delay of robots.txt exceeds"
        " CRAWL_MAX_RETRY_AFTER)"
    )
    assert list(site.request_counts()) == ["/robots.txt"]


async def test_meta_refresh_is_followed_and_loops_end(tmp_path: Path) -> None:
    def refresh(target: str, seconds: int = 0) -> Reply:
        meta = f"<meta http-equiv=Refresh content='{seconds}; URL={target}'>"
        return Reply(f"<head>{meta}<title>Wait</title></head>".encode())

    def handle(path: str, headers: dict[str, str]) -> Reply:
        replies = {
            "/": refresh("home"),
            "/home": page("Home", ["/a", "/slides", "/self"]),
            "/a": refresh("/b"),
            "/b": refresh("/a"),
            "/slides": refresh("/slide2", seconds=60),
            "/self": refresh("/self"),
        }
        return replies.get(path, Reply(status=404, headers=TEXT))

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", max_depth=9))
            pages, _ = await crawling.pages(job.id, ALICE, formats=())
            failures = await crawling.failures(job.id, ALICE)

    assert {one.url.removeprefix(site.url) for one in pages} == {"/home", "/slides", "/self"}
    assert {one.url.removeprefix(site.url): one.reason for one in failures} == {
        "/": "redirect",
        "/a": "redirect",
        "/b": "redirect",
    }
