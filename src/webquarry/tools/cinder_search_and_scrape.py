"""The `cinder_search_and_scrape` tool: search, then read the best results side by side."""

from contextlib import aclosing
from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, Options, tool
from webquarry.models.brief import names_of
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
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats, details_of, milliseconds_since
from webquarry.services.cinder.search_query import CinderQuery
from webquarry.tools.cinder_search import note_leaf, ranked_search

_MOST, _USUAL = 20, 3
_SECONDS = 60.0  # for all pages; below the deadline, so that what was read is returned


class CinderSearchAndScrapeIn(Budgeted):
    """Arguments of `cinder_search_and_scrape`."""

    query: Query = Field(description="Keywords.")
    numResults: int = Field(default=_USUAL, description="Pages to read.")
    mode: Literal["fast", "balanced"] = Field(default="balanced", description="Search depth.")
    scrapeMode: ScrapeMode = Field(default="smart", description="How.")


class CinderSearchAndScrapeOut(Paged):
    """Result of `cinder_search_and_scrape`."""

    query: str
    results: tuple[CinderSource, ...]
    searchTime: int


_SCHEMA = names_of(CinderSearchAndScrapeOut, results="as in cinder_search, with content or error")


@tool("cinder", Options(cuts=("results",), timeout=90, output_schema=_SCHEMA))
async def cinder_search_and_scrape(
    args: CinderSearchAndScrapeIn, call: Call
) -> CinderSearchAndScrapeOut:
    """Search, and read the top results too."""
    count = clamped(args.numResults, _MOST, _USUAL)
    if count != args.numResults:
        call.meta["requestedNumResults"] = args.numResults
    question = CinderQuery(text=args.query, mode=args.mode)
    leaf = await ranked_search(call).leaf(question, call.caller, 0, count)
    note_leaf(leaf, call)
    spent = milliseconds_since(call.started)
    sources = await _read(leaf.items, args.scrapeMode, call)
    return CinderSearchAndScrapeOut(query=args.query, results=sources, searchTime=spent)


async def _read(
    found: tuple[CinderResult, ...], mode: ScrapeMode, call: Call
) -> tuple[CinderSource, ...]:
    reader = ReadsFormats(call.services.reading, ReadMode(way=mode))
    rows: list[Model] = list(found)
    urls = [result.url for result in found]
    wish = ReadOptions(seconds=_SECONDS)
    async with aclosing(read_many(reader, urls, call.caller, wish)) as outcomes:
        done = 0
        async for outcome in outcomes:
            done += 1
            rows[outcome.place] = _source(found[outcome.place], outcome, reader)
            await call.progress(done, len(found), outcome.url)
    return tuple(CinderSource.model_validate(row.model_dump()) for row in rows)


def _source(result: CinderResult, outcome: ReadOutcome, reader: ReadsFormats) -> CinderSource:
    told = result.model_dump()
    if outcome.failure:
        error = ReadFailure(**outcome.failure.model_dump(exclude={"url"}))
        return CinderSource(**told, error=error)
    scraped = outcome.scraped
    reading = scraped.reading if scraped else None
    return CinderSource(
        **told,
        content=scraped.page.content if scraped else "",
        metadata=details_of(reading) if reading else None,
        statusCode=reading.status if reading else None,
        loadTime=reader.milliseconds.get(outcome.url),
    )
