"""Crawls of pages that are empty until their scripts have run."""

from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Reply, running_site
from tests.reading.chromium import needs_chromium
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio


def script_pages(path: str, headers: dict[str, str]) -> Reply:
    """Serve three pages whose text and links are added by a script."""
    if path not in {"/", "/one", "/two"}:
        return MISSING
    return Reply(
        f"""<!doctype html><title>Loading</title><body><main id=app></main><script>
        const words = "The script wrote page {path} of this site. ".repeat(8);
        document.title = "Page {path}";
        document.getElementById("app").innerHTML =
          "<p>" + words + "</p><a href=/one>one</a> <a href=/two>two</a>";
        </script></body>""".encode()
    )


@needs_chromium
async def test_rendered_pages_include_text_and_links_added_by_scripts(tmp_path: Path) -> None:
    with running_site(script_pages) as site:
        async with open_crawl_service(tmp_path, {"CHROME_NO_SANDBOX": "true"}) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", render=True))
            pages, _ = await crawling.pages(job.id, ALICE, formats=("text",))

    assert (job.state, job.error) == ("completed", None)
    titles = {page.url.removeprefix(site.url): page.title for page in pages}
    assert titles == {"/": "Page /", "/one": "Page /one", "/two": "Page /two"}
    assert all("The script wrote page" in str(page.content["text"]) for page in pages)


async def test_without_rendering_script_content_is_missing(tmp_path: Path) -> None:
    with running_site(script_pages) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))
            pages, _ = await crawling.pages(job.id, ALICE, formats=("text",))

    assert [(page.title, page.content["text"]) for page in pages] == [("Loading", "")]


async def test_a_rendered_crawl_without_a_browser_fails_with_a_reason(tmp_path: Path) -> None:
    with running_site(script_pages) as site:
        settings = {"CHROME_PATH": str(tmp_path / "no-chromium")}
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", render=True))

    assert job.state == "failed"
    assert "CHROME_PATH" in (job.error or "")


@needs_chromium
async def test_a_rendered_crawl_does_not_reach_private_addresses(tmp_path: Path) -> None:
    with running_site(script_pages) as site:
        settings = {"CHROME_NO_SANDBOX": "true", "ALLOW_PRIVATE_IPS": "false"}
        async with open_crawl_service(tmp_path, settings) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", render=True))

    assert (job.state, site.log) == ("failed", [])
    assert "refused" in (job.error or "")
