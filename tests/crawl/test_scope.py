"""The scope of a crawl is decided by its start page and its options."""

from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Handler, Reply, page, running_site
from tests.reading.chromium import needs_chromium
from webquarry.crawl.scope import Scope
from webquarry.models.crawl import CrawlFailure, CrawlRequest

pytestmark = pytest.mark.anyio

BROWSER = {"CHROME_NO_SANDBOX": "true"}


def foreign_site(requests: list[str]) -> Handler:
    """Serve one port under two names: 127.0.0.1 is the site, localhost is foreign."""

    def handle(path: str, headers: dict[str, str]) -> Reply:
        name, _, port = headers["host"].partition(":")
        foreign = f"http://localhost:{port}"
        if name == "localhost":
            requests.append(path)
            return MISSING if path == "/robots.txt" else page(f"Foreign {path}", ["/f1", "/f2"])
        if path == "/script":
            script = f"<script>location.href = '{foreign}/from-script'</script>"
            return Reply(f"<title>Leaving</title><body>{script}</body>".encode())
        if path.startswith("/moved/"):
            status = int(path.removeprefix("/moved/"))
            return Reply(status=status, headers=(("location", f"{foreign}/"),))
        if path == "/refresh":
            meta = f'<meta http-equiv="refresh" content="0; url={foreign}/from-refresh">'
            return Reply(f"<head>{meta}<title>Moved</title></head>".encode())
        links = ["/one", "/script", "/refresh", "/moved/301", "/moved/302"]
        return page(path, links) if path in {"/", "/one"} else MISSING

    return handle


async def test_redirects_of_later_pages_do_not_leave_the_scope(tmp_path: Path) -> None:
    requests: list[str] = []
    with running_site(foreign_site(requests)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", max_depth=5))
            failures = await crawling.failures(job.id, ALICE)

    assert requests == []
    failures = [each.model_copy(update={"at": 0.0}) for each in failures]
    assert sorted(failures, key=lambda failure: failure.url) == [
        CrawlFailure(
            url=f"{site.url}{path}",
            reason="out_of_scope",
            message="It redirects to a host that the crawl may not read.",
            depth=2,
            at=0.0,
        )
        for path in ("/moved/301", "/moved/302", "/refresh")
    ]
    assert job.moved_to is None


@needs_chromium
async def test_a_rendered_crawl_does_not_leave_the_scope(tmp_path: Path) -> None:
    requests: list[str] = []
    with running_site(foreign_site(requests)) as site:
        async with open_crawl_service(tmp_path, BROWSER) as crawling:
            request = CrawlRequest(url=f"{site.url}/", max_depth=5, render=True)
            job = await run_crawl(crawling, request)
            pages, _ = await crawling.pages(job.id, ALICE, formats=())
            failures = await crawling.failures(job.id, ALICE)

    # the browser follows each redirect once before the crawl sees where it led
    assert set(requests) <= {"/", "/from-script", "/from-refresh", "/favicon.ico"}
    assert {one.url.removeprefix(site.url) for one in pages} == {"/", "/one"}
    assert {one.reason for one in failures} == {"out_of_scope"}
    assert len(failures) == 4


@needs_chromium
async def test_a_script_on_the_start_page_does_not_move_the_scope(tmp_path: Path) -> None:
    requests: list[str] = []
    with running_site(foreign_site(requests)) as site:
        async with open_crawl_service(tmp_path, BROWSER) as crawling:
            request = CrawlRequest(url=f"{site.url}/script", max_depth=5, render=True)
            job = await run_crawl(crawling, request)

    assert (job.state, job.moved_to) == ("failed", None)
    assert "out_of_scope" in (job.error or "")
    assert not {"/f1", "/f2"} & set(requests)


@pytest.mark.parametrize("render", [False, pytest.param(True, marks=needs_chromium)])
async def test_a_permanent_redirect_of_the_start_page_moves_the_scope(
    tmp_path: Path,
    render: bool,  # noqa: FBT001
) -> None:
    requests: list[str] = []
    with running_site(foreign_site(requests)) as site:
        async with open_crawl_service(tmp_path, BROWSER) as crawling:
            request = CrawlRequest(url=f"{site.url}/moved/301", render=render)
            job = await run_crawl(crawling, request)
            pages, _ = await crawling.pages(job.id, ALICE, formats=())

    foreign = site.url.replace("127.0.0.1", "localhost")
    assert (job.state, job.moved_to) == ("completed", f"{foreign}/")
    assert {one.url for one in pages} == {f"{foreign}/", f"{foreign}/f1", f"{foreign}/f2"}


async def test_a_temporary_redirect_of_the_start_page_does_not_move_to_a_foreign_domain(
    tmp_path: Path,
) -> None:
    requests: list[str] = []
    with running_site(foreign_site(requests)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/moved/302"))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: out_of_scope (it redirects to a host that the crawl may not"
        " read; start the crawl there)",
    )
    assert requests == []


def test_the_scope_moves_within_a_domain_and_to_another_only_by_permanent_redirects() -> None:
    def moved(host: str, *, permanent: bool) -> bool:
        scope = Scope(CrawlRequest(url="http://a.co.uk/"), "a.co.uk")
        return scope.move_to(host, permanent=permanent)

    assert moved("docs.a.co.uk", permanent=False)
    assert moved("docs.a.co.uk", permanent=True)
    assert moved("b.co.uk", permanent=True)
    assert not moved("b.co.uk", permanent=False)
