"""The `cinder_search_and_scrape` tool: search, then read the best results side by side."""

from contextlib import aclosing
from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.cinder import (
    CinderResult,
    CinderSource,
    Query,
    ReadFailure,
    ScrapeMode,
)
from webquarry.models.model import Model
from webquarry.models.reading import ReadMode
from webquarry.models.search_args import clamped
from webquarry.models.short_schemas import field_names_schema
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats, milliseconds_since, page_details
from webquarry.services.cinder.search_query import CinderQuery
from webquarry.tools.cinder_search import note_page

_MAX_RESULTS, _DEFAULT_RESULTS = 20, 3
_READ_SECONDS = 60.0  # for all pages; below the timeout, so that slow pages lose no results


class CinderSearchAndScrapeIn(Budgeted):
    """Arguments of `cinder_search_and_scrape`."""

    query: Query = Field(description="Keywords.")
    numResults: int = Field(default=_DEFAULT_RESULTS, description="Pages to read.")
    mode: Literal["fast", "balanced"] = Field(default="balanced", description="Search depth.")
    scrapeMode: ScrapeMode = Field(default="smart", description="How.")


class CinderSearchAndScrapeOut(Paged):
    """Result of `cinder_search_and_scrape`."""

    query: str
    results: tuple[CinderSource, ...]
    searchTime: int


_SCHEMA = field_names_schema(
    CinderSearchAndScrapeOut, results="as in cinder_search, with content or error"
)


@tool("cinder", ToolOptions(cuttable=("results",), timeout=90, output_schema=_SCHEMA))
async def cinder_search_and_scrape(
    args: CinderSearchAndScrapeIn, call: Call
) -> CinderSearchAndScrapeOut:
    """Search, and read the top results too."""
    count = clamped(args.numResults, _MAX_RESULTS, _DEFAULT_RESULTS)
    if count != args.numResults:
        call.meta["requestedNumResults"] = args.numResults
    question = CinderQuery(text=args.query, mode=args.mode)
    page = await call.services.ranked_search.page(question, call.caller, 0, count)
    note_page(page, call)
    spent = milliseconds_since(call.started)
    sources = await _read(page.items, args.scrapeMode, call)
    return CinderSearchAndScrapeOut(query=args.query, results=sources, searchTime=spent)


async def _read(
    results: tuple[CinderResult, ...], mode: ScrapeMode, call: Call
) -> tuple[CinderSource, ...]:
    reader = ReadsFormats(call.services.reading, ReadMode(strategy=mode))
    rows: list[Model] = list(results)
    urls = [result.url for result in results]
    reads = read_many(reader, urls, call.caller, ReadOptions(seconds=_READ_SECONDS))
    async with aclosing(reads) as outcomes:
        done = 0
        async for outcome in outcomes:
            done += 1
            rows[outcome.index] = _source(results[outcome.index], outcome, reader)
            await call.progress(done, len(results), outcome.url)
    return tuple(CinderSource.model_validate(row.model_dump()) for row in rows)


def _source(result: CinderResult, outcome: ReadOutcome, reader: ReadsFormats) -> CinderSource:
    fields = result.model_dump()
    if outcome.failure:
        error = ReadFailure(**outcome.failure.model_dump(exclude={"url"}))
        return CinderSource(**fields, error=error)
    scraped = outcome.result
    reading = scraped.reading if scraped else None
    return CinderSource(
        **fields,
        content=scraped.page.content if scraped else "",
        metadata=page_details(reading) if reading else None,
        statusCode=reading.status if reading else None,
        loadTime=reader.milliseconds.get(outcome.url),
    )
