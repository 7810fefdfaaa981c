"""The `cinder_extract` tool: chosen fields of pages as data, each with its quote."""

import time
from contextlib import aclosing
from typing import Annotated, Self

from pydantic import Field, model_validator

from webquarry.calls.paging import CURSOR_RESERVE, DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.content.text.token_count import BYTES_PER_TOKEN, json_size
from webquarry.models.cinder import Link, ReadFailure, ScrapeMode
from webquarry.models.extraction import ExtractedPage
from webquarry.models.model import ArgumentsError
from webquarry.models.reading import ReadMode
from webquarry.models.short_schemas import JsonSchemaArgument, ShortSchema, field_names_schema
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats
from webquarry.services.extraction.job_extraction import JobExtraction
from webquarry.services.extraction.service import ExtractionRequest, LlmUsageTotal

_CRAWL_SECONDS = 80.0  # for the pages of one call; below the timeout
_READ_SECONDS = 60.0  # for all pages; below the timeout, so that slow pages lose no results


class CinderExtractIn(Budgeted):
    """Arguments of `cinder_extract`."""

    urls: Annotated[
        tuple[Link, ...] | None,
        Field(min_length=1, max_length=20),
        ShortSchema(type="array", items={"type": "string"}),
    ] = Field(default=None, description="Up to 20.")
    crawlId: (
        Annotated[str, Field(min_length=1, max_length=200), ShortSchema(type="string")] | None
    ) = Field(default=None, description="Or all pages of this crawl.")
    offset: Annotated[
        int, Field(ge=0, le=1_000_000_000), ShortSchema(type="integer", minimum=0)
    ] = Field(default=0, description="nextOffset of a crawl.")
    prompt: Annotated[str, Field(min_length=1, max_length=4000), ShortSchema(type="string")] = (
        Field(description="What to extract: 'product name, price and rating'.")
    )
    schema_: JsonSchemaArgument | None = Field(
        default=None,
        alias="schema",
        description="JSON Schema of the data; x-selector: CSS or XPath of a field.",
    )
    mode: ScrapeMode = Field(default="smart", description="dynamic: runs JavaScript.")
    ungrounded: bool = Field(default=False, description="Keep values a model infers, marked.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.urls is None) == (self.crawlId is None):
            raise ArgumentsError("give urls or crawlId, one of them", "urls")
        if self.crawlId is None and self.offset:
            raise ArgumentsError("offset: is for crawlId only", "offset")
        return self


class CinderExtractOut(Paged):
    """Result of `cinder_extract`."""

    results: tuple[ExtractedPage, ...]
    nextOffset: int | None = None


_SCHEMA = field_names_schema(
    CinderExtractOut,
    results="url, data (null: not found), sources (quote, method), missing (why) by JSON pointer",
)


@tool("crawl", ToolOptions(cuttable=("results",), timeout=120, output_schema=_SCHEMA))
async def cinder_extract(args: CinderExtractIn, call: Call) -> CinderExtractOut:
    """Extract specific fields of pages as JSON, each with the words it was read from."""
    extraction = call.services.extraction
    request = extraction.request(args.prompt, args.schema_, ungrounded=args.ungrounded)
    usage = LlmUsageTotal()
    if args.crawlId is not None:
        extracted = await _from_crawl(args, request, call, usage)
    else:
        extracted = CinderExtractOut(results=await _from_urls(args, request, call, usage))
    call.meta.update(usage.meta())
    return extracted


async def _from_urls(
    args: CinderExtractIn, request: ExtractionRequest, call: Call, usage: LlmUsageTotal
) -> tuple[ExtractedPage, ...]:
    reader = ReadsFormats(call.services.reading, ReadMode(strategy=args.mode, keep_source=True))
    urls = tuple(dict.fromkeys(args.urls or ()))
    pages: dict[int, ExtractedPage] = {}
    reads = read_many(reader, urls, call.caller, ReadOptions(seconds=_READ_SECONDS))
    async with aclosing(reads) as outcomes:
        async for outcome in outcomes:
            pages[outcome.index] = await _page(outcome, request, call, usage)
            await call.progress(len(pages), len(urls), outcome.url)
    return tuple(pages[place] for place in sorted(pages))


async def _from_crawl(
    args: CinderExtractIn, request: ExtractionRequest, call: Call, usage: LlmUsageTotal
) -> CinderExtractOut:
    """Return the data of as many pages as fit the time and the budget."""
    crawling = call.services.crawling
    job = await crawling.job(args.crawlId or "", call.caller)
    room = (args.max_tokens or DEFAULT_TOKENS) * BYTES_PER_TOKEN - CURSOR_RESERVE
    found: list[ExtractedPage] = []
    work = JobExtraction(crawling, call.services.extraction, request)
    end = time.monotonic() + _CRAWL_SECONDS
    async with aclosing(work.pages(job, call.caller, usage, args.offset)) as pages:
        async for page in pages:
            room -= json_size(page.model_dump(mode="json", exclude_none=True)) + 1
            if found and (room < 0 or time.monotonic() > end):
                break
            found.append(page)
            done = args.offset + len(found)
            await call.progress(done, job.progress.pagesCrawled, page.url)
    after = args.offset + len(found)
    more = after < job.progress.pagesCrawled or not job.ended
    return CinderExtractOut(results=tuple(found), nextOffset=after if more else None)


async def _page(
    outcome: ReadOutcome, request: ExtractionRequest, call: Call, usage: LlmUsageTotal
) -> ExtractedPage:
    if outcome.failure or outcome.result is None or outcome.result.reading is None:
        failure = outcome.failure.model_dump(exclude={"url"}) if outcome.failure else {}
        return ExtractedPage(url=outcome.url, error=ReadFailure(**failure))
    reading = outcome.result.reading
    extraction = call.services.extraction
    return await extraction.extract(outcome.url, reading, request, call.caller, usage)
