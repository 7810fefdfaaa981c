"""A crawl with a query reads promising pages first and stops when further pages add nothing."""

import asyncio
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Handler, Reply, Site, running_site
from tests.crawl.test_crash import ProcessFactory
from webquarry.crawl.service import CrawlService
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

QUERY = "renew the certificate of a mail server"
CHAPTERS = 200
ANSWER = "Renew the certificate of the mail server every year with this command. " * 5


def html(title: str, body: str) -> Reply:
    head = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>"
    return Reply(f"{head}{body}</main></body></html>".encode())


def filler(number: int) -> str:
    return f"<p>{' '.join(f'topic{number}x{word}' for word in 'abcdefghijklmnop')}.</p>" * 3


def manual(path: str, headers: dict[str, str]) -> Reply:
    """Return a page of a manual: the answer is four links behind its start page."""
    if path in SPECIAL:
        return SPECIAL[path]
    if path == "/robots.txt":
        return MISSING
    return html(f"Topic {path}", filler(int(path[2:])) + '<p><a href="/mail">Mail</a></p>')


def start_page(chapters: int) -> Reply:
    links = "".join(f'<li><a href="/c{n}">Topic {n}</a></li>' for n in range(chapters))
    return html("Manual", f'<ul>{links}<li><a href="/mail">Mail server</a></li></ul>')


SPECIAL = {
    "/": start_page(CHAPTERS),
    "/mail": html("Mail", f'{filler(900)}<p>Secured by a <a href="/tls">certificate</a>.</p>'),
    "/tls": html("Certificates", f'{filler(901)}<p><a href="/old">Renew</a> it.</p>'),
    "/old": Reply(status=301, headers=(("location", "/renew"),)),
    "/renew": html("Renewal", f"<p>{ANSWER}</p>"),
}


def request(site: Site, query: str | None = QUERY) -> CrawlRequest:
    return CrawlRequest(
        url=f"{site.url}/", query=query, max_depth=10, max_pages=500, concurrency=1, index=False
    )


def requested(site: Site) -> list[str]:
    return [path for _, path in site.log if path != "/robots.txt"]


async def crawl(
    directory: Path, handler: Handler, query: str | None = QUERY
) -> tuple[CrawlJob, Site]:
    with running_site(handler) as site:
        async with open_crawl_service(directory) as crawling:
            return await run_crawl(crawling, request(site, query)), site


async def test_promising_links_and_redirects_are_followed_first(tmp_path: Path) -> None:
    _, site = await crawl(tmp_path, manual)

    assert requested(site)[:5] == ["/", "/mail", "/tls", "/old", "/renew"]


async def test_without_a_query_pages_are_read_level_by_level(tmp_path: Path) -> None:
    job, site = await crawl(tmp_path, manual, None)

    assert requested(site)[-3:] == ["/tls", "/old", "/renew"]
    assert job.stop_reason == "frontier_exhausted"


async def test_the_crawl_stops_when_further_pages_add_nothing_and_says_so(tmp_path: Path) -> None:
    job, site = await crawl(tmp_path, manual)

    assert (job.state, job.stop_reason) == ("completed", "saturated")
    assert job.progress.pagesCrawled < CHAPTERS / 4
    read = len(requested(site))
    assert job.progress.skipped == {"redirect": 1, "saturated": CHAPTERS + 5 - read}


async def test_the_urls_that_were_not_read_are_listed_with_the_reason(tmp_path: Path) -> None:
    with running_site(manual) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, request(site))
            failures = await crawling.failures(job.id, ALICE, 500)

    unread = [failure for failure in failures if failure.reason == "saturated"]
    assert len(unread) == job.progress.skipped["saturated"]
    assert unread[0].message == "The crawl ended before, because new pages added nothing."


async def test_a_later_page_can_recommend_a_url_that_was_found_before(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/":
            return start_page(50)
        if path == "/mail":
            return html("Mail", f'{filler(900)}<p><a href="/c49">Renew the certificate</a></p>')
        return html(path, filler(int(path[2:]))) if path[1] == "c" else MISSING

    _, site = await crawl(tmp_path, handle)

    assert requested(site)[:3] == ["/", "/mail", "/c49"]


async def test_urls_of_sitemaps_are_ordered_by_their_words(tmp_path: Path) -> None:
    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/sitemap.xml":
            pages = ("/c1", "/c2", "/renew-certificate", "/c3")
            listed = "".join(f"<url><loc>{site.url}{page}</loc></url>" for page in pages)
            urls = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'
            return Reply(urls.encode(), headers=(("content-type", "application/xml"),))
        if path == "/robots.txt":
            return MISSING
        return html(path, filler(len(path)))

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            listed = request(site).model_copy(update={"sitemap": True})
            await run_crawl(crawling, listed)

    order = [path for path in requested(site) if path != "/sitemap.xml"]
    assert order[:2] in (["/", "/renew-certificate"], ["/renew-certificate", "/"])


async def test_a_query_without_words_is_refused(tmp_path: Path) -> None:
    async with open_crawl_service(tmp_path) as crawling:
        with pytest.raises(BadInputError, match="query: 'how is it' has no words to look for"):
            await crawling.start(CrawlRequest(url="http://a.test/", query="how is it"), ALICE)


async def test_a_killed_crawl_continues_in_the_same_order(tmp_path: Path) -> None:
    whole, uninterrupted = await crawl(tmp_path / "whole", manual)
    killed = tmp_path / "killed"
    settings = {"CRAWL_CONCURRENCY": "1"}
    with running_site(manual) as site, ProcessFactory("server", killed, settings) as factory:
        async with open_crawl_service(killed, settings) as crawling:
            job = await crawling.start(request(site), ALICE)
        for requests in (3, 7, 20):
            pid = await factory.start()
            await site.wait_for_requests(requests)
            await factory.kill(pid)
        await factory.start()
        assert await factory.read_line() == "done"
        async with open_crawl_service(killed) as crawling:
            job = await crawling.job(job.id, ALICE)
            pages = await _pages(crawling, job)

    assert (job.state, job.stop_reason) == ("completed", "saturated")
    assert pages[:4] == ["/", "/mail", "/tls", "/renew"]
    assert len(pages) == len(set(pages))
    # what was fetched and not stored is read again; nothing else is
    assert list(dict.fromkeys(requested(site))) == requested(uninterrupted)
    assert job.progress.pagesCrawled == whole.progress.pagesCrawled


async def _pages(crawling: CrawlService, job: CrawlJob) -> list[str]:
    pages, _ = await crawling.pages(job.id, ALICE, 0, 500, ())
    return ["/" + page.url.split("/", 3)[3] for page in pages]


async def test_two_runs_of_one_guided_crawl_end_it_together(tmp_path: Path) -> None:
    with running_site(manual) as site:
        async with open_crawl_service(tmp_path) as crawling, open_crawl_service(tmp_path) as other:
            job = await crawling.start(request(site), ALICE)
            other.resume()
            async with asyncio.timeout(60):
                job = [update async for update in crawling.watch(job.id, ALICE)][-1]

    assert (job.state, job.stop_reason) == ("completed", "saturated")
    assert job.progress.pagesCrawled < CHAPTERS / 2
