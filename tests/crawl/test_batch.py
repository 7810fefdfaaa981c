"""A batch reads listed URLs: each once, with its own result, and follows no links."""

from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service
from tests.crawl.site import MISSING, Reply, page, running_site, tree
from webquarry.crawl.service import CrawlService
from webquarry.crawl.store.listings import JobFilter
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlFailure, CrawlJob, CrawlRequest, InvalidUrl
from webquarry.models.page_options import PageOptions

pytestmark = pytest.mark.anyio

OPTIONS = CrawlRequest(url="", index=False)


async def run_batch(
    crawling: CrawlService, urls: list[str], options: CrawlRequest = OPTIONS
) -> CrawlJob:
    """Run a batch to its end and return its job."""
    job, _ = await crawling.start_batch(urls, options, ALICE, ignore_invalid=True)
    return [update async for update in crawling.watch(job.id, ALICE)][-1]


def moved(location: str, *headers: tuple[str, str]) -> Reply:
    return Reply(status=302, headers=(("location", location), *headers))


async def test_a_batch_reads_the_listed_urls_and_nothing_else(tmp_path: Path) -> None:
    with running_site(tree(30)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/{number}" for number in (3, 0, 7)]
            job = await run_batch(crawling, urls)
            pages, total = await crawling.pages(job.id, ALICE)

    assert (job.kind, job.state) == ("batch", "completed")
    assert (job.progress.pagesFound, job.progress.pagesCrawled, total) == (3, 3, 3)
    assert {page.url: page.index for page in pages} == dict(zip(urls, range(3), strict=True))
    assert pages[0].content["markdown"]
    assert site.request_counts() == {"/robots.txt": 1, "/3": 1, "/0": 1, "/7": 1}


async def test_ids_do_not_look_like_options_of_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = iter(["-rf", "-", "b-", "--x", "c"])

    def next_id(_: int) -> str:
        return next(ids)

    monkeypatch.setattr("secrets.token_urlsafe", next_id)
    async with open_crawl_service(tmp_path) as crawling:
        batch, _ = await crawling.start_batch(["http://127.0.0.1:1/"], CrawlRequest(url=""), ALICE)
        crawl = await crawling.start(CrawlRequest(url="http://127.0.0.1:1/"), ALICE)

    assert (batch.id, crawl.id) == ("b-", "c")


async def test_urls_that_are_listed_twice_are_read_once(tmp_path: Path) -> None:
    with running_site(tree(30)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/1", f"{site.url}/1#part", f"{site.url.upper()}/1".lower()]
            job = await run_batch(crawling, urls)

    assert job.progress.pagesCrawled == 1
    assert site.request_counts()["/1"] == 1


async def test_query_parameters_that_a_crawl_would_remove_are_kept(tmp_path: Path) -> None:
    with running_site(lambda path, headers: page(path, [])) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/article.pl?sid={number}&utm_source=x" for number in range(3)]
            job = await run_batch(crawling, urls)
            pages, _ = await crawling.pages(job.id, ALICE)

    assert {page.url for page in pages} == set(urls)


async def test_pages_with_the_same_content_each_have_a_result(tmp_path: Path) -> None:
    same = page("Same", [], "The same text everywhere. " * 20)
    with running_site(lambda path, headers: same) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_batch(crawling, [f"{site.url}/{number}" for number in range(4)])
            pages, _ = await crawling.pages(job.id, ALICE)

    assert len({page.url for page in pages}) == job.progress.pagesCrawled == 4


async def test_a_redirect_is_followed_and_the_result_has_the_listed_url(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        steps = {"/old": moved("/middle"), "/middle": moved("/new"), "/endless": moved("/endless2")}
        steps["/endless2"] = moved("/endless")
        return steps.get(path) or page("New", [])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/old", f"{site.url}/new", f"{site.url}/endless"]
            job = await run_batch(crawling, urls)
            pages, _ = await crawling.pages(job.id, ALICE)
            failures = await crawling.failures(job.id, ALICE)

    assert {(each.url, each.final_url) for each in pages} == {
        (f"{site.url}/old", f"{site.url}/new"),
        (f"{site.url}/new", f"{site.url}/new"),
    }
    assert [(each.url, each.reason) for each in failures] == [(urls[2], "redirect_loop")]
    assert (job.progress.pagesFound, job.progress.errors) == (3, 1)


async def test_headers_are_not_sent_to_another_host_that_a_url_redirects_to(tmp_path: Path) -> None:
    received: dict[str, str] = {}

    def record(path: str, headers: dict[str, str]) -> Reply:
        received[path] = headers.get("x-token", "")
        return page(path, [])

    with running_site(record) as other:
        target = f"{other.url.replace('127.0.0.1', 'localhost')}/stolen"

        def handle(path: str, headers: dict[str, str]) -> Reply:
            record(path, headers)
            return moved(target) if path == "/moved" else page(path, [])

        with running_site(handle) as site:
            async with open_crawl_service(tmp_path) as crawling:
                options = PageOptions(headers={"X-Token": "secret"})
                urls = [f"{site.url}/own", f"{site.url}/moved", f"{other.url}/listed"]
                request = OPTIONS.model_copy(update={"page_options": options})
                job = await run_batch(crawling, urls, request)

    assert job.progress.pagesCrawled == 3
    assert {path: token for path, token in received.items() if path != "/robots.txt"} == {
        "/own": "secret", "/moved": "secret", "/listed": "secret", "/stolen": "",
    }  # fmt: skip


async def test_robots_txt_is_respected_also_after_a_redirect(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/robots.txt":
            robots = b"User-agent: *\nDisallow: /private"
            return Reply(robots, headers=(("content-type", "text/plain"),))
        return moved("/private/page") if path == "/moved" else page(path, [])

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/private/1", f"{site.url}/moved", f"{site.url}/open"]
            job = await run_batch(crawling, urls)
            skipped = await crawling.failures(job.id, ALICE, which="skipped")

    assert [(each.url, each.reason) for each in skipped] == [
        (urls[0], "robots"), (urls[1], "robots"),
    ]  # fmt: skip
    assert not any(path.startswith("/private") for path in site.request_counts())


async def test_failures_are_listed_with_reason_attempts_time_and_index(tmp_path: Path) -> None:
    with running_site(lambda path, headers: page("One", []) if path == "/1" else MISSING) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_batch(crawling, [f"{site.url}/1", f"{site.url}/2", "no url"])
            failures = await crawling.failures(job.id, ALICE, which="errors")
            second = await crawling.failures(job.id, ALICE, 1, offset=1, which="errors")

    assert [each.model_copy(update={"at": 0.0}) for each in failures] == [
        CrawlFailure(
            url=f"{site.url}/2", reason="http_404", depth=1, attempts=1, at=0.0, index=1,
            message="The server responded with HTTP 404 (Not Found).",
        ),
        CrawlFailure(
            url="no url", reason="invalid_url", depth=1, attempts=None, at=0.0, index=2,
            message="It is not a complete http or https URL.",
        ),
    ]  # fmt: skip
    assert all(each.at and each.at >= job.created for each in failures)
    assert second == failures[1:]
    assert (job.progress.pagesFound, job.progress.errors) == (2, 2)


async def test_invalid_urls_are_refused_with_their_index_unless_ignored(tmp_path: Path) -> None:
    urls = ["https://a.example", "a.example", "ftp://a.example/x"]
    async with open_crawl_service(tmp_path) as crawling:
        with pytest.raises(BadInputError) as refused:
            await crawling.start_batch(urls, OPTIONS, ALICE)
        job, invalid = await crawling.start_batch(urls, OPTIONS, ALICE, ignore_invalid=True)
        with pytest.raises(BadInputError, match="none is valid"):
            await crawling.start_batch(["x"], OPTIONS, ALICE, ignore_invalid=True)
        with pytest.raises(BadInputError, match="at most 10000 are allowed, got 10001"):
            await crawling.start_batch(["https://a.example"] * 10_001, OPTIONS, ALICE)

    assert str(refused.value) == (
        "Invalid URLs (2 of 3): urls[1] 'a.example': it is not a complete URL; urls[2]"
        " 'ftp://a.example/x': the scheme 'ftp' is not http or https. Correct them, or set"
        " ignoreInvalidURLs to read the others."
    )
    assert refused.value.details["fields"] == ["urls[1]", "urls[2]"]
    assert [bad.index for bad in invalid] == [1, 2]
    assert invalid[0] == InvalidUrl(index=1, url="a.example", reason="it is not a complete URL")
    assert job.progress.pagesFound == 1


async def test_a_repeated_key_returns_the_same_batch_and_never_another(tmp_path: Path) -> None:
    with running_site(tree(5)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/1", f"{site.url}/2"]
            first, _ = await crawling.start_batch(urls, OPTIONS, ALICE, idempotency_key="k")
            again, _ = await crawling.start_batch(urls, OPTIONS, ALICE, idempotency_key="k")
            with pytest.raises(BadInputError, match="another"):
                await crawling.start_batch(urls[:1], OPTIONS, ALICE, idempotency_key="k")

    assert first.id == again.id


async def test_a_second_batch_of_the_same_urls_says_what_changed(tmp_path: Path) -> None:
    texts = {"/a": "first", "/b": "same"}
    with running_site(lambda path, headers: page(path, [], texts.get(path, "") * 50)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            urls = [f"{site.url}/a", f"{site.url}/b"]
            await run_batch(crawling, urls)
            texts["/a"] = "second"
            job = await run_batch(crawling, urls)
            pages, _ = await crawling.pages(job.id, ALICE)

    assert {each.index: each.changed for each in pages} == {0: True, 1: False}


async def test_jobs_are_listed_newest_first_by_state_and_kind_in_pages(tmp_path: Path) -> None:
    with running_site(tree(5)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            batch = await run_batch(crawling, [f"{site.url}/1"])
            failed = await run_batch(crawling, [f"{site.url}/missing"])
            crawl = await crawling.start(CrawlRequest(url=f"{site.url}/0", index=False), ALICE)
            _ = [update async for update in crawling.watch(crawl.id, ALICE)]

            async def listed(selected: JobFilter | None = None, **paging: int) -> list[str]:
                jobs = await crawling.jobs(ALICE, selected=selected, **paging)
                return [job.id for job in jobs]

            assert await listed() == [crawl.id, failed.id, batch.id]
            assert await listed(offset=1, limit=1) == [failed.id]
            assert await listed(JobFilter(kinds=("batch",))) == [failed.id, batch.id]
            assert await listed(JobFilter(states=("failed",))) == [failed.id]
            assert await listed(JobFilter(states=("running",))) == []


async def test_urls_beyond_the_page_limit_are_listed_as_skipped(tmp_path: Path) -> None:
    with running_site(tree(20)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", max_pages=3, index=False)
            job = await crawling.start(request, ALICE)
            job = [update async for update in crawling.watch(job.id, ALICE)][-1]
            skipped = await crawling.failures(job.id, ALICE, which="skipped")

    unread = [each for each in skipped if each.reason == "page_limit"]
    assert len(unread) == job.progress.skipped["page_limit"] > 0
    assert unread[0].message == "The crawl reached its maximum number of pages."
