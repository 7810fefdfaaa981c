"""Screenshots in crawls and batches: taken, stored encrypted, read back and deleted."""

import io
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.databases import crawl_settings, postgres_url, redis_url
from tests.crawl.site import MISSING, Reply, running_site
from tests.reading.chromium import needs_chromium
from webquarry.crawl.screenshot_budget import ScreenshotBudget
from webquarry.models.crawl import CrawlRequest

__all__ = ["crawl_settings", "postgres_url", "redis_url"]

pytestmark = [pytest.mark.anyio, needs_chromium]


def site(path: str, headers: dict[str, str]) -> Reply:
    """Serve two pages in one colour each."""
    path = path.partition("?")[0]
    colours = {"/": "rgb(0,0,255)", "/green": "rgb(0,255,0)"}
    if path not in colours:
        return MISSING
    style = f"margin:0;background:{colours[path]}"
    text = f"This is the page {path} of a colourful site. " * 9
    html = f"<title>{path}</title><body style='{style}'><p>{text}</p><a href=/green>green</a>"
    return Reply(html.encode())


def _stored_bytes(directory: Path) -> bytes:
    return b"".join(each.read_bytes() for each in directory.glob("crawls*"))


async def test_every_page_has_a_screenshot_that_is_stored_encrypted(
    tmp_path: Path, crawl_settings: dict[str, str]
) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, crawl_settings) as crawling:
            request = CrawlRequest(url=f"{running.url}/", formats=("markdown", "screenshot"))
            job = await run_crawl(crawling, request)
            pages, _ = await crawling.pages(job.id, ALICE)
            images = [await crawling.stored_pages.screenshot(job.id, n) for n in (1, 2, 3)]
        files = _stored_bytes(tmp_path)
        async with open_crawl_service(tmp_path, crawl_settings) as crawling:  # another process
            again = await crawling.stored_pages.screenshot(job.id, 2)
            await crawling.erase(tenant=ALICE.tenant, user=ALICE.user)
            erased = await crawling.stored_pages.screenshot(job.id, 2)

    first, second, third = images
    assert first is not None
    assert second is not None
    assert (third, again, erased) == (None, second, None)
    assert [page.content["screenshot"] for page in pages] == [
        {
            "mimeType": "image/png", "width": 1366, "height": 768, "bytes": len(image.content),
            "url": f"/v1/crawl/{job.id}/screenshots/{number}",
            "resource": f"research://crawl/{job.id}/screenshots/{number}",
        }
        for number, image in enumerate((first, second), 1)
    ]  # fmt: skip
    pixels = [Image.open(io.BytesIO(each.content)).getpixel((600, 600)) for each in (first, second)]
    assert pixels == [(0, 0, 255), (0, 255, 0)]
    assert b"IHDR" not in files
    assert first.content[:200] not in files


async def test_a_batch_has_screenshots_of_the_entire_page_as_webp(
    tmp_path: Path, crawl_settings: dict[str, str]
) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, crawl_settings) as crawling:
            options = CrawlRequest(
                url="", formats=("screenshot",), full_page=True, image_type="webp"
            )
            urls = [f"{running.url}/green", f"{running.url}/none"]
            job, _ = await crawling.start_batch(urls, options, ALICE)
            job = [update async for update in crawling.watch(job.id, ALICE)][-1]
            image = await crawling.stored_pages.screenshot(job.id, 1)

    assert (job.progress.pagesCrawled, job.progress.errors) == (1, 1)
    assert image is not None
    assert (image.media_type, image.suffix) == ("image/webp", ".webp")
    assert Image.open(io.BytesIO(image.content)).format == "WEBP"


async def test_the_screenshots_of_a_batch_end_at_their_limit(tmp_path: Path) -> None:
    limits = {"CRAWL_MAX_SCREENSHOT_BYTES": "20KiB", "CHROME_NO_SANDBOX": "true"}
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, limits) as crawling:
            urls = [f"{running.url}/green?{number}" for number in range(6)]
            request = CrawlRequest(url="", formats=("screenshot",))
            job, _ = await crawling.start_batch(urls, request, ALICE)
            job = [update async for update in crawling.watch(job.id, ALICE)][-1]
            pages, _ = await crawling.pages(job.id, ALICE)

    found = [cast("dict[str, Any]", page.content["screenshot"]) for page in pages]
    sizes = [image["bytes"] for image in found if "bytes" in image]
    reason = "the screenshots of this crawl reached CRAWL_MAX_SCREENSHOT_BYTES"
    assert [image["error"] for image in found if "error" in image] == [reason] * (6 - len(sizes))
    assert 0 < sum(sizes) <= 20 * 1024
    assert len(sizes) < 6


def test_a_restarted_crawl_counts_the_screenshots_that_are_stored() -> None:
    budget = ScreenshotBudget(100, stored=70)

    assert [budget.admits(20), budget.admits(20), budget.admits(5)] == [True, False, False]
    assert budget.is_spent
    assert ScreenshotBudget(100, stored=100).is_spent
