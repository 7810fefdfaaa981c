"""The `cinder_search_and_scrape` tool: search, then read the best results side by side."""

from contextlib import aclosing
from typing import Literal

from pydantic import Field

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.content.markdown.parse import visible_text
from webquarry.models.cinder import (
    CinderResult,
    CinderSource,
    Query,
    ReadFailure,
    ScrapeMode,
)
from webquarry.models.model import Filled, Model
from webquarry.models.reading import ReadMode
from webquarry.models.search_args import clamped
from webquarry.models.short_schemas import field_names_schema
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.services.cinder.cinder_pages import ReadsFormats, milliseconds_since, page_details
from webquarry.services.cinder.ranked_search import MAX_RESULTS, RankedPage
from webquarry.services.cinder.search_query import CinderQuery, contains_phrases
from webquarry.tools.cinder_search import Phrases, note_page

_MAX_RESULTS, _DEFAULT_RESULTS = 20, 3
_EXTRA = 2  # results looked at for each one wanted
_READ_SECONDS = 60.0  # for all pages; below the timeout, so that slow pages lose no results


class CinderSearchAndScrapeIn(Budgeted):
    """Arguments of `cinder_search_and_scrape`."""

    query: Query = Field(description="Keywords.")
    numResults: int = Field(default=_DEFAULT_RESULTS, description="Pages to read.")
    mode: Literal["fast", "balanced"] = Field(default="balanced", description="Search depth.")
    scrapeMode: ScrapeMode = Field(default="smart", description="How.")
    requiredText: Phrases = Field(default=None, description="All of these phrases.")


class CinderSearchAndScrapeOut(Paged):
    """Result of `cinder_search_and_scrape`."""

    query: str
    results: tuple[CinderSource, ...]
    searchTime: int
    unhonoured: Filled[tuple[str, ...]] = None


_SCHEMA = field_names_schema(
    CinderSearchAndScrapeOut, results="as in cinder_search, with content or error"
)


_OPTIONS = ToolOptions(
    cuttable=("results",),
    divides_items=True,
    default_tokens=DEFAULT_TOKENS,
    timeout=90,
    output_schema=_SCHEMA,
)


@tool("cinder", _OPTIONS)
async def cinder_search_and_scrape(
    args: CinderSearchAndScrapeIn, call: Call
) -> CinderSearchAndScrapeOut:
    """Search, and read the top results too."""
    count = clamped(args.numResults, _MAX_RESULTS, _DEFAULT_RESULTS)
    if count != args.numResults:
        call.meta["requestedNumResults"] = args.numResults
    required = args.requiredText or ()
    question = CinderQuery(text=args.query, mode=args.mode, required=required)
    # some pages will not have the text
    wanted = min(MAX_RESULTS, count * _EXTRA) if required else count
    page = await call.services.ranked_search.page(question, call.caller, 0, wanted)
    note_page(page, call)
    spent = milliseconds_since(call.started)
    sources: tuple[CinderSource, ...] = ()
    for start in range(0, len(page.items), count):
        read = await _read(page.items[start : start + count], args.scrapeMode, required, call)
        sources = (*sources, *read)[:count]
        if len(sources) == count:
            break
    return CinderSearchAndScrapeOut(
        query=args.query,
        results=sources,
        searchTime=spent,
        unhonoured=_unhonoured(page, sources, required),
    )


def _unhonoured(
    page: RankedPage, sources: tuple[CinderSource, ...], required: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the filters that could not be checked; pages that were read have been checked."""
    others = tuple(name for name in page.ranked.unhonoured if name != "requiredText")
    unread = (row for row in sources if row.error)
    checked = all(contains_phrases(f"{row.title} {row.summary}", required) for row in unread)
    return others if checked else (*others, "requiredText")


async def _read(
    results: tuple[CinderResult, ...], mode: ScrapeMode, required: tuple[str, ...], call: Call
) -> tuple[CinderSource, ...]:
    """Return the results with their pages, without pages that lack the required text."""
    reader = ReadsFormats(call.services.reading, ReadMode(strategy=mode))
    rows: list[Model | None] = list(results)
    urls = [result.url for result in results]
    reads = read_many(reader, urls, call.caller, ReadOptions(seconds=_READ_SECONDS))
    async with aclosing(reads) as outcomes:
        done = 0
        async for outcome in outcomes:
            done += 1
            has_text = _has_text(results[outcome.index], outcome, required)
            source = _source(results[outcome.index], outcome, reader)
            rows[outcome.index] = source if has_text else None
            await call.progress(done, len(results), outcome.url)
    kept = [row for row in rows if row is not None]
    if len(kept) < len(rows):
        removed: dict[str, int] = call.meta.setdefault("removed", {"requiredText": 0})
        removed["requiredText"] += len(rows) - len(kept)
    return tuple(CinderSource.model_validate(row.model_dump()) for row in kept)


def _has_text(result: CinderResult, outcome: ReadOutcome, required: tuple[str, ...]) -> bool:
    """Tell whether a page that was read has all phrases; others cannot be told."""
    reading = outcome.result.reading if outcome.result else None
    if not required or reading is None:
        return True
    texts = (result.title, reading.metadata.title, visible_text(reading.markdown))
    return contains_phrases(" ".join(texts), required)


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
