"""Data from the stored pages of a crawl: paged, stored, and with the quote of each value."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawl_service import ALICE, BOB, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Reply, Site, running_site
from tests.support import CallHarness, override, services
from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.models.extraction import ExtractedPage, FieldSource
from webquarry.services.extraction.job_extraction import JobExtraction
from webquarry.services.extraction.service import ExtractionService, LlmUsageTotal
from webquarry.services.llm.llm_port import LlmAnswer, LlmTask, LlmUsage
from webquarry.tools.cinder_extract import cinder_extract

pytestmark = pytest.mark.anyio
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
}
COUNT = 9


def shop(path: str, headers: dict[str, str]) -> Reply:
    """Serve products: /0 links to all."""
    if path == "/robots.txt":
        return Reply(b"", headers=(("content-type", "text/plain"),))
    if not path[1:].isdigit() or int(path[1:]) >= COUNT:
        return MISSING
    number = int(path[1:])
    links = "".join(f'<a href="/{each}">{each}</a> ' for each in range(COUNT))
    return Reply(
        f"""<html><head><title>Mug {number}</title></head><body><main><h1>Mug {number}</h1>
        <p class="price">${number}.90</p><p>A mug number {number} for tea and coffee, made of clay.
        It is washed by hand and keeps the tea hot for {number} hours.</p></main>
        <nav>{links}</nav></body></html>""".encode()
    )


@asynccontextmanager
async def crawled(directory: Path) -> AsyncGenerator[tuple[CrawlService, CrawlJob, Site]]:
    with running_site(shop) as site:
        async with open_crawl_service(directory) as crawling:
            yield crawling, await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0")), site


class CountingModel:
    """A language model that finds the hours, and counts its answers."""

    def __init__(self) -> None:
        self.answers = 0

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        self.answers += 1
        usage = LlmUsage(tokens_in=10, tokens_out=1)
        return LlmAnswer({"data": {"name": None, "price": None}, "quotes": []}, usage)


async def extracted(
    crawling: CrawlService, job: CrawlJob, extraction: ExtractionService, offset: int = 0
) -> list[ExtractedPage]:
    request = extraction.request("the product", SCHEMA)
    work = JobExtraction(crawling, extraction, request)
    return [page async for page in work.pages(job, ALICE, LlmUsageTotal(), offset)]


async def test_every_page_of_a_crawl_is_extracted_without_reading_it_again(tmp_path: Path) -> None:
    async with crawled(tmp_path) as (crawling, job, site):
        before = len(site.log)
        pages = await extracted(crawling, job, ExtractionService())
        rest = await extracted(crawling, job, ExtractionService(), COUNT - 1)
        requests = len(site.log) - before

    assert requests == 0
    assert {page.url: page.data for page in pages} == {
        f"{site.url}/{n}": {"name": f"Mug {n}", "price": float(f"{n}.9")} for n in range(COUNT)
    }
    assert pages[0] == ExtractedPage(
        url=f"{site.url}/0",
        data={"name": "Mug 0", "price": 0.9},
        sources={
            "/name": FieldSource(quote="Mug 0", method="heading"),
            "/price": FieldSource(quote="$0.90", method="element"),
        },
    )
    assert rest == pages[-1:]


async def test_results_are_stored_for_each_page_and_schema(tmp_path: Path) -> None:
    model = CountingModel()
    async with crawled(tmp_path) as (crawling, job, _):
        extraction = ExtractionService(model)
        first = await extracted(crawling, job, extraction)
        second = await extracted(crawling, job, extraction)
        request = extraction.request("the product", {"properties": {"name": {"type": "string"}}})
        work = JobExtraction(crawling, extraction, request)
        other = [page async for page in work.pages(job, ALICE, LlmUsageTotal())]

    assert first == second
    assert [page.data for page in other] != [page.data for page in first]
    assert model.answers == 2 * COUNT


async def call(crawling: CrawlService, caller: Caller = ALICE, **arguments: Any) -> Any:
    found = override(services(), crawling=crawling, extraction=ExtractionService())
    harness = CallHarness((cinder_extract,), services=found)
    asked = {"prompt": "the product", "schema": SCHEMA, **arguments}
    return await harness.call("cinder_extract", asked, caller=caller)


async def test_the_tool_pages_through_a_crawl(tmp_path: Path) -> None:
    seen: list[str] = []
    async with crawled(tmp_path) as (crawling, job, site):
        offset: int | None = 0
        while offset is not None:
            result = await call(crawling, crawlId=job.id, offset=offset, max_tokens=300)
            assert result.structured, result
            assert "nextCursor" not in result.structured
            seen += [page["url"] for page in result.structured["results"]]
            offset = result.structured.get("nextOffset")

    assert sorted(seen) == [f"{site.url}/{n}" for n in range(COUNT)]


async def test_a_crawl_of_someone_else_is_not_found(tmp_path: Path) -> None:
    async with crawled(tmp_path) as (crawling, job, _):
        result = await call(crawling, BOB, crawlId=job.id)

    assert result.problem.block["kind"] == "not_found"
