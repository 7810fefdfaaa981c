"""Complete crawls of small sites with the crawl service of the application."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawl_service import ALICE, BOB, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Reply, page, running_site, tree
from webquarry.errors import BadInputError, NotFoundError, ParseLimitError, RateLimitError
from webquarry.models.crawl import CrawlRequest, MappedUrl
from webquarry.parsing.parsers import Parsers

pytestmark = pytest.mark.anyio

XML = (("content-type", "application/xml"),)


async def test_every_page_is_read_once_and_stored(tmp_path: Path) -> None:
    with running_site(tree(60)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_depth=9, max_pages=1000)
            job = await run_crawl(crawling, request)
            pages, total = await crawling.pages(job.id, ALICE, 0, 100, ("text", "links"))

    assert job.state == "completed"
    assert (job.progress.pagesFound, job.progress.pagesCrawled) == (60, 60)
    assert (job.progress.errors, dict(job.progress.skipped)) == (0, {})
    assert total == 60
    assert {one.url for one in pages} == {f"{site.url}/{n}" for n in range(60)}
    first = pages[0]
    assert (first.title, first.depth, first.status) == ("Page 0", 1, 200)
    assert str(first.content["text"]).startswith("Page 0 Page 0 says something")
    assert f"{site.url}/8" in first.content["links"]
    assert set(site.request_counts().values()) == {1}


@pytest.mark.parametrize(("depth", "count"), [(1, 1), (2, 10), (3, 60)])
async def test_depth_one_is_only_the_start_page(tmp_path: Path, depth: int, count: int) -> None:
    with running_site(tree(60)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", max_depth=depth))

    assert job.progress.pagesCrawled == count
    assert job.progress.depth == depth
    assert ("too_deep" in job.progress.skipped) == (count < 60)


async def test_a_crawl_stops_at_max_pages(tmp_path: Path) -> None:
    with running_site(tree(200)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_depth=9, max_pages=37)
            job = await run_crawl(crawling, request)

    assert job.progress.pagesCrawled == 37
    requested = [path for path in site.request_counts() if path != "/robots.txt"]
    assert len(requested) == 37
    assert job.progress.skipped["page_limit"] == job.progress.pagesFound - 37


async def test_only_included_and_not_excluded_urls_are_crawled(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        return page(path, ["/blog/1", "/blog/2", "/about", "/blog/admin", "https://other.test/x"])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(
                url=f"{site.url}/", include=("/blog.*",), exclude=(".*admin.*",), max_depth=3
            )
            job = await run_crawl(crawling, request)

    assert sorted(site.request_counts()) == ["/", "/blog/1", "/blog/2", "/robots.txt"]
    assert dict(job.progress.skipped) == {"excluded": 2}


async def test_robots_txt_and_its_crawl_delay_are_obeyed(tmp_path: Path) -> None:
    robots = "User-agent: *\nDisallow: /3\nCrawl-delay: 0.1\n"
    with running_site(tree(8, robots=robots)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

    assert "/3" not in site.request_counts()
    assert job.progress.skipped["robots"] == 1
    # the delay applies from the first response on; a busy machine may only delay a request
    first, *times = site.times()
    early = [n for n, at in enumerate(times) if at < first + n * 0.1 - 0.01]
    assert early == []


async def test_a_page_that_takes_too_much_work_is_a_failure_of_this_page_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = Parsers.run

    async def refuse(self: Parsers, task: Any, content: bytes, **arguments: Any) -> Any:
        if task.subject.endswith("/3"):
            raise ParseLimitError(f"{task.subject} needs more work to read than is allowed")
        return await parse(self, task, content, **arguments)

    monkeypatch.setattr(Parsers, "run", refuse)
    with running_site(tree(8)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

    assert (job.state, job.progress.pagesCrawled, job.progress.errors) == ("completed", 7, 1)


async def test_the_target_of_several_redirects_is_read_once(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path.startswith("/old"):
            return Reply(status=301, headers=(("location", "/new"),))
        return page(path, ["/old1", "/old2", "/new"])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))

    assert job.progress.pagesCrawled == 2
    assert dict(job.progress.skipped) == {"redirect": 2}
    assert site.request_counts()["/new"] == 1


async def test_a_temporary_failure_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.05, 0.05, 0.05))
    left = {"/1": 2, "/2": 99}

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if left.get(path, 0) > 0:
            left[path] -= 1
            return Reply(b"busy", status=503)
        return page(path, ["/1", "/2", "/3"]) if path != "/3" else MISSING

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))
            failures = await crawling.failures(job.id, ALICE)

    assert site.request_counts()["/1"] == 3
    assert job.progress.pagesCrawled == 2
    assert job.progress.errors == 2
    assert {(one.url, one.reason) for one in failures} == {
        (f"{site.url}/2", "http_503"),
        (f"{site.url}/3", "http_404"),
    }


async def test_a_connection_closed_without_a_response_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.05, 0.05, 0.05))
    left = {"/": 1, "/1": 2}

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if left.get(path, 0) > 0:
            left[path] -= 1
            raise ConnectionAbortedError  # the site closes the connection
        return page(path, ["/1", "/2"])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))

    assert (job.state, job.progress.pagesCrawled, job.progress.errors) == ("completed", 3, 0)
    assert left == {"/": 0, "/1": 0}


async def test_a_crawl_without_any_page_fails_with_a_reason(tmp_path: Path) -> None:
    with running_site(lambda path, headers: MISSING) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))

    assert (job.state, job.error) == ("failed", "no page could be read: http_404")


async def test_sitemaps_add_pages_without_links(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/robots.txt":
            lines = f"Sitemap: http://{headers['host']}/index.xml".encode()
            return Reply(lines, headers=(("content-type", "text/plain"),))
        host = f"http://{headers['host']}"
        if path == "/index.xml":
            body = f"<sitemapindex><sitemap><loc>{host}/map.xml</loc></sitemap></sitemapindex>"
            return Reply(body.encode(), headers=XML)
        if path == "/map.xml":
            entries = "".join(f"<url><loc>{host}/hidden{n}</loc></url>" for n in range(3))
            body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
            return Reply(body.encode(), headers=XML)
        return page(path, [])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", sitemap=True))
            found = await crawling.map(f"{site.url}/", ALICE)

    assert job.progress.pagesCrawled == 4
    assert [one.url for one in found] == [
        f"{site.url}/",
        *(f"{site.url}/hidden{n}" for n in range(3)),
    ]
    assert found[1] == MappedUrl(url=f"{site.url}/hidden0", found=("sitemap",))


async def test_a_second_crawl_sends_conditional_requests(tmp_path: Path) -> None:
    version = {"/2": 1}
    statuses: list[tuple[str, bool]] = []

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/robots.txt":
            return MISSING
        etag = f'"{version.get(path, 0)}"'
        same = headers.get("if-none-match") == etag
        statuses.append((path, same))
        if same:
            return Reply(status=304, headers=(("etag", etag),))
        found = page(f"{path} {etag[1]}", ["/1", "/2", "/3"])
        return Reply(found.body, headers=(*found.headers, ("etag", etag)))

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/")
            first = await run_crawl(crawling, request)
            version["/2"] = 2
            statuses.clear()
            second = await run_crawl(crawling, request)
            before, _ = await crawling.pages(first.id, ALICE, formats=())
            after, _ = await crawling.pages(second.id, ALICE, formats=("text",))

    assert {one.changed for one in before} == {None}
    assert {one.url.removeprefix(site.url): one.changed for one in after} == {
        "/": False,
        "/1": False,
        "/2": True,
        "/3": False,
    }
    assert sorted(statuses) == [("/", True), ("/1", True), ("/2", False), ("/3", True)]
    assert all(one.content["text"] for one in after)


async def test_jobs_are_visible_only_to_their_owner(tmp_path: Path) -> None:
    with running_site(tree(3)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

            with pytest.raises(NotFoundError):
                await crawling.job(job.id, BOB)
            with pytest.raises(NotFoundError):
                await crawling.pages(job.id, BOB)
            with pytest.raises(NotFoundError):
                await crawling.cancel(job.id, BOB)
            assert await crawling.jobs(BOB) == ()
            assert [one.id for one in await crawling.jobs(ALICE)] == [job.id]
            assert await crawling.erase(tenant="acme", user="alice") == 1
            with pytest.raises(NotFoundError):
                await crawling.job(job.id, ALICE)


async def test_a_cancelled_crawl_stops_and_keeps_its_pages(tmp_path: Path) -> None:
    with running_site(tree(1000), latency=0.02) as site:
        async with open_crawl_service(tmp_path, {"CRAWL_CONCURRENCY": "2"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_depth=9, max_pages=1000)
            job = await crawling.start(request, ALICE)
            async for update in crawling.watch(job.id, ALICE):
                if update.progress.pagesCrawled >= 5:
                    break
            cancelled = await crawling.cancel(job.id, ALICE)
            again = await crawling.cancel(job.id, ALICE)

    assert (cancelled.state, again.state) == ("cancelled", "cancelled")
    assert 5 <= cancelled.progress.pagesCrawled < 1000


async def test_an_idempotency_key_starts_one_crawl(tmp_path: Path) -> None:
    with running_site(tree(3)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0")
            one = await crawling.start(request, ALICE, idempotency_key="k")
            two = await crawling.start(request, ALICE, idempotency_key="k")

            assert one.id == two.id
            with pytest.raises(BadInputError, match="another crawl"):
                await crawling.start(CrawlRequest(url=f"{site.url}/1"), ALICE, idempotency_key="k")


async def test_a_crawl_is_cancelled_by_its_idempotency_key_and_only_for_its_owner(
    tmp_path: Path,
) -> None:
    with running_site(tree(500), latency=0.05) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_depth=9, max_pages=500)
            job = await crawling.start(request, ALICE, idempotency_key="k")
            await crawling.cancel_started("k", BOB)
            await crawling.cancel_started("other", ALICE)
            assert not (await crawling.job(job.id, ALICE)).ended
            await crawling.cancel_started("k", ALICE)

            assert (await crawling.job(job.id, ALICE)).state == "cancelled"


async def test_too_many_crawls_and_invalid_requests_are_rejected(tmp_path: Path) -> None:
    with running_site(tree(500), latency=0.05) as site:
        async with open_crawl_service(tmp_path, {"CRAWL_JOBS_PER_USER": "1"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_depth=9, max_pages=500)
            await crawling.start(request, ALICE)

            with pytest.raises(RateLimitError, match="1 unfinished"):
                await crawling.start(request, ALICE)
            with pytest.raises(BadInputError, match="regular expression"):
                await crawling.start(CrawlRequest(url=site.url, include=("(",)), BOB)
            with pytest.raises(BadInputError, match="URL rejected"):
                await crawling.start(CrawlRequest(url="ftp://x.test/"), BOB)
            with pytest.raises(BadInputError, match="at most"):
                await crawling.start(CrawlRequest(url=site.url, max_pages=10**6), BOB)


async def test_pages_are_exported_one_per_line_with_markdown(tmp_path: Path) -> None:
    with running_site(tree(5)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))
            lines = [json.loads(line) async for line in crawling.export(job.id, ALICE)]
            again = [json.loads(line) async for line in crawling.export(job.id, ALICE)]

    assert len(lines) == 5
    assert lines == again  # the second time the Markdown was stored
    assert "Page 0 says something" in lines[0]["content"]["markdown"]


async def test_stored_data_is_encrypted(tmp_path: Path) -> None:
    with running_site(tree(5)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", index=False))

    stored = _bytes_in(tmp_path)
    assert b"127.0.0.1" not in stored
    assert b"says something" not in stored
    assert b"alice" not in stored


async def test_private_addresses_are_not_crawled(tmp_path: Path) -> None:
    with running_site(tree(5)) as site:
        async with open_crawl_service(tmp_path, {"ALLOW_PRIVATE_IPS": "false"}) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0"))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: refused (private or disallowed address; see ALLOW_PRIVATE_IPS)",
    )
    assert site.log == []


def _bytes_in(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.glob("crawls.sqlite3*"))
