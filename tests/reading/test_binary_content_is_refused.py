"""No image, sound, program or other binary data comes back as text, whichever way it is read."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.crawl.crawl_service import open_crawl_service, run_crawl
from tests.crawl.site import Reply, page, running_site
from tests.net.servers import ReceivedRequest, serve
from tests.reading.binary_samples import BINARIES, DOCUMENTS, TEXTS
from tests.reading.loopback_tier import http_tier
from tests.server.rest_client import rest_client
from tests.support import CallHarness, services, text_of
from webquarry.models.crawl import CrawlRequest
from webquarry.reading.page_reader import PageReader
from webquarry.reading.tiers.ladder import Ladder
from webquarry.tools.cinder_scrape import cinder_scrape
from webquarry.tools.scrape_page import scrape_page
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio

TYPES = ("text/html", "text/plain", "application/octet-stream", "image/png", "")
FILES = {name: sample.content for name, sample in BINARIES.items()} | DOCUMENTS


@asynccontextmanager
async def reading(content: bytes, content_type: str) -> AsyncGenerator[tuple[Services, str]]:
    """Open services whose only page is this content."""

    async def handle(request: ReceivedRequest) -> None:
        declared = {"content_type": content_type} if content_type else {}
        await request.respond(200, content, **declared)

    async with serve(handle) as site, http_tier() as tier:
        yield services(reader=PageReader(Ladder([tier]), (), tier)), site.url("/owls")


@pytest.mark.parametrize("name", BINARIES)
async def test_binary_content_is_an_error_that_names_its_media_type(name: str) -> None:
    sample = BINARIES[name]
    async with reading(sample.content, "text/html") as (opened, url):
        path = CallHarness((scrape_page, cinder_scrape), services=opened)
        result = await path.call("scrape_page", {"url": url})
        async with rest_client(opened, harness=path) as client:
            response = await client.post("/v1/scrape", json={"url": url})

    problem = result.problem
    assert problem
    assert (problem.block["kind"], problem.block["retryable"]) == ("content_empty", False)
    expected = "zip" if name == "truncated zip" else sample.media_type
    assert expected in text_of(result)
    assert (response.status_code, response.json()["kind"]) == (422, "content_empty")
    assert expected in response.json()["detail"]


@pytest.mark.parametrize("content_type", TYPES)
async def test_no_declared_type_makes_text_of_binary_content(content_type: str) -> None:
    assert len(FILES) >= 40
    for name, content in FILES.items():
        async with reading(content, content_type) as (opened, url):
            result = await CallHarness((scrape_page,), services=opened).call(
                "scrape_page", {"url": url}
            )
        assert result.problem, name


@pytest.mark.parametrize("name", TEXTS)
async def test_text_in_any_encoding_is_read(name: str) -> None:
    sample = TEXTS[name]
    async with reading(sample.content, sample.declared) as (opened, url):
        result = await CallHarness((scrape_page,), services=opened).call(
            "scrape_page", {"url": url}
        )

    assert result.structured
    assert sample.words in result.structured["content"]


async def test_an_image_is_described() -> None:
    async with reading(BINARIES["png"].content, "image/png") as (opened, url):
        result = await CallHarness((scrape_page,), services=opened).call(
            "scrape_page", {"url": url}
        )

    size = len(BINARIES["png"].content)
    assert result.problem
    assert result.problem.block == {
        "kind": "content_empty", "retryable": False, "suggestedAction": "inform_user",
        "mediaType": "image/png", "bytes": size, "width": 640, "height": 480,
        "title": "A barn owl",
    }  # fmt: skip
    assert text_of(result).startswith(
        f"{url} is an image without text (image/png, 640 by 480 pixels, {size:,} bytes, "
        "titled 'A barn owl')."
    )


async def test_a_crawl_stores_no_binary_content(tmp_path: Path) -> None:
    names = {f"/{quote(name)}": content for name, content in FILES.items()}

    def handle(path: str, headers: dict[str, str]) -> Reply:
        return Reply(names[path]) if path in names else page(path, list(names))

    with running_site(handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", max_pages=200))

    assert job.progress.pagesCrawled == 1
    assert sum(dict(job.progress.skipped).values()) + job.progress.errors == len(names)
