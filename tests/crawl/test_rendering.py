"""Crawls of pages that are nothing until their scripts have run."""

from pathlib import Path

import pytest

from tests.crawl.lab import ME, crawled, crawling_in
from tests.crawl.site import MISSING, Reply, running_site
from tests.reading.chromes import needs_chromium
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio


def written_by_script(path: str, headers: dict[str, str]) -> Reply:
    """Three pages, without a word or a link in what is sent."""
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
async def test_rendered_pages_have_what_their_scripts_wrote_and_link_to(tmp_path: Path) -> None:
    with running_site(written_by_script) as site:
        async with crawling_in(tmp_path, {"CHROME_NO_SANDBOX": "true"}) as crawling:
            job = await crawled(crawling, CrawlRequest(url=f"{site.url}/", render=True))
            pages, _ = await crawling.pages(job.id, ME, formats=("text",))

    assert (job.state, job.error) == ("completed", None)
    titles = {page.url.removeprefix(site.url): page.title for page in pages}
    assert titles == {"/": "Page /", "/one": "Page /one", "/two": "Page /two"}
    assert all("The script wrote page" in str(page.content["text"]) for page in pages)


async def test_without_rendering_there_is_only_what_was_sent(tmp_path: Path) -> None:
    with running_site(written_by_script) as site:
        async with crawling_in(tmp_path) as crawling:
            job = await crawled(crawling, CrawlRequest(url=f"{site.url}/"))
            pages, _ = await crawling.pages(job.id, ME, formats=("text",))

    assert [(page.title, page.content["text"]) for page in pages] == [("Loading", "")]


async def test_a_rendered_crawl_without_a_browser_fails_and_says_so(tmp_path: Path) -> None:
    with running_site(written_by_script) as site:
        settings = {"CHROME_PATH": str(tmp_path / "no-chromium")}
        async with crawling_in(tmp_path, settings) as crawling:
            job = await crawled(crawling, CrawlRequest(url=f"{site.url}/", render=True))

    assert job.state == "failed"
    assert "CHROME_PATH" in (job.error or "")


@needs_chromium
async def test_a_rendered_crawl_does_not_reach_private_addresses(tmp_path: Path) -> None:
    with running_site(written_by_script) as site:
        settings = {"CHROME_NO_SANDBOX": "true", "ALLOW_PRIVATE_IPS": "false"}
        async with crawling_in(tmp_path, settings) as crawling:
            job = await crawled(crawling, CrawlRequest(url=f"{site.url}/", render=True))

    assert (job.state, site.log) == ("failed", [])
    assert "refused" in (job.error or "")
