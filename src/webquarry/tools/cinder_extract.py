"""The `cinder_extract` tool: chosen fields of pages as data, each with its quote."""

from contextlib import aclosing
from typing import Annotated

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.cinder import Link, ReadFailure, ScrapeMode
from webquarry.models.extraction import ExtractedPage
from webquarry.models.reading import ReadMode
from webquarry.models.short_schemas import JsonSchemaArgument, ShortSchema, field_names_schema
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats
from webquarry.services.extraction.service import (
    ExtractionRequest,
    LlmUsageTotal,
    extraction_request,
)

_READ_SECONDS = 60.0  # for all pages; below the timeout, so that slow pages lose no results


class CinderExtractIn(Budgeted):
    """Arguments of `cinder_extract`."""

    urls: Annotated[
        tuple[Link, ...],
        Field(min_length=1, max_length=20),
        ShortSchema(type="array", items={"type": "string"}),
    ] = Field(description="Up to 20.")
    prompt: Annotated[str, Field(min_length=1, max_length=4000), ShortSchema(type="string")] = (
        Field(description="What to extract: 'product name, price and rating'.")
    )
    schema_: JsonSchemaArgument | None = Field(
        default=None,
        alias="schema",
        description="JSON Schema of the data; x-selector: CSS or XPath of a field.",
    )
    mode: ScrapeMode = Field(default="smart", description="dynamic: runs JavaScript.")


class CinderExtractOut(Paged):
    """Result of `cinder_extract`."""

    results: tuple[ExtractedPage, ...]


_SCHEMA = field_names_schema(
    CinderExtractOut,
    results="url, data (null: not found), sources (quote, method), missing (why) by JSON pointer",
)


@tool("crawl", ToolOptions(cuttable=("results",), timeout=120, output_schema=_SCHEMA))
async def cinder_extract(args: CinderExtractIn, call: Call) -> CinderExtractOut:
    """Extract specific fields of pages as JSON, each with the words it was read from."""
    request, usage = extraction_request(args.prompt, args.schema_), LlmUsageTotal()
    reader = ReadsFormats(call.services.reading, ReadMode(strategy=args.mode, keep_source=True))
    urls = tuple(dict.fromkeys(args.urls))
    pages: dict[int, ExtractedPage] = {}
    reads = read_many(reader, urls, call.caller, ReadOptions(seconds=_READ_SECONDS))
    async with aclosing(reads) as outcomes:
        async for outcome in outcomes:
            pages[outcome.index] = await _page(outcome, request, call, usage)
            await call.progress(len(pages), len(urls), outcome.url)
    call.meta.update(usage.meta())
    return CinderExtractOut(results=tuple(pages[place] for place in sorted(pages)))


async def _page(
    outcome: ReadOutcome, request: ExtractionRequest, call: Call, usage: LlmUsageTotal
) -> ExtractedPage:
    if outcome.failure or outcome.result is None or outcome.result.reading is None:
        failure = outcome.failure.model_dump(exclude={"url"}) if outcome.failure else {}
        return ExtractedPage(url=outcome.url, error=ReadFailure(**failure))
    reading = outcome.result.reading
    extraction = call.services.extraction
    return await extraction.extract(outcome.url, reading, request, call.caller, usage)
