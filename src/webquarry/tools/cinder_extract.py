"""The `cinder_extract` tool: chosen fields of pages as data, each with its quote."""

from contextlib import aclosing
from typing import Annotated, Any

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, Options, tool
from webquarry.models.brief import Brief, names_of
from webquarry.models.cinder import Link, ReadFailure, ScrapeMode
from webquarry.models.extraction import ExtractedPage
from webquarry.models.reading import ReadMode
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats
from webquarry.services.extraction.service import ExtractionRequest, LlmUsageTotal, wish_of

_SECONDS = 60.0  # for reading all pages; below the deadline, so that what was read is returned


class CinderExtractIn(Budgeted):
    """Arguments of `cinder_extract`."""

    urls: Annotated[
        tuple[Link, ...],
        Field(min_length=1, max_length=20),
        Brief(type="array", items={"type": "string", "format": "uri"}),
    ] = Field(description="Up to 20.")
    prompt: Annotated[str, Field(min_length=1, max_length=4000), Brief(type="string")] = Field(
        description="What to extract: 'product name, price and rating'."
    )
    schema_: dict[str, Any] | None = Field(
        default=None,
        alias="schema",
        description="JSON Schema of the data; x-selector: CSS or XPath of a field.",
    )
    mode: ScrapeMode = Field(default="smart", description="dynamic: runs JavaScript.")


class CinderExtractOut(Paged):
    """Result of `cinder_extract`."""

    results: tuple[ExtractedPage, ...]


_SCHEMA = names_of(
    CinderExtractOut,
    results="url, data (null: not found), sources (quote, method), missing (why) by JSON pointer",
)


@tool("crawl", Options(cuts=("results",), timeout=120, output_schema=_SCHEMA))
async def cinder_extract(args: CinderExtractIn, call: Call) -> CinderExtractOut:
    """Extract specific fields of pages as JSON, each with the words it was read from."""
    wish, tally = wish_of(args.prompt, args.schema_), LlmUsageTotal()
    reader = ReadsFormats(call.services.reading, ReadMode(way=args.mode, source=True))
    urls = tuple(dict.fromkeys(args.urls))
    pages: dict[int, ExtractedPage] = {}
    several = read_many(reader, urls, call.caller, ReadOptions(seconds=_SECONDS))
    async with aclosing(several) as outcomes:
        async for outcome in outcomes:
            pages[outcome.place] = await _page(outcome, wish, call, tally)
            await call.progress(len(pages), len(urls), outcome.url)
    call.meta.update(tally.wire())
    return CinderExtractOut(results=tuple(pages[place] for place in sorted(pages)))


async def _page(
    outcome: ReadOutcome, wish: ExtractionRequest, call: Call, tally: LlmUsageTotal
) -> ExtractedPage:
    if outcome.failure or outcome.scraped is None or outcome.scraped.reading is None:
        told = outcome.failure.model_dump(exclude={"url"}) if outcome.failure else {}
        return ExtractedPage(url=outcome.url, error=ReadFailure(**told))
    reading = outcome.scraped.reading
    extraction = call.services.extraction
    return await extraction.extract(outcome.url, reading, wish, call.caller, tally)
