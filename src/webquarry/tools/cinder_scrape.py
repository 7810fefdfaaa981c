"""The `cinder_scrape` tool: one page in the format and by the means the caller chooses."""

import time
from typing import Annotated

from pydantic import Field

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.result_cache import freshness
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.content.text.token_count import BYTES_PER_TOKEN, json_size
from webquarry.models.cinder import CinderPage, Link, ReturnFormat, ScrapeMode
from webquarry.models.short_schemas import field_names_schema
from webquarry.reading.page_cache import PAGE_SECONDS
from webquarry.reading.page_output import MAX_LENGTH, reading_meta
from webquarry.services.cinder.cinder_pages import cinder_page, milliseconds_since, read_mode_of


class CinderScrapeIn(Budgeted):
    """Arguments of `cinder_scrape`."""

    url: Annotated[Link, Field(description="http(s).")]
    mode: ScrapeMode = Field(
        default="smart",
        description="static: fast; dynamic: runs JavaScript.",
    )
    includeMetadata: bool = Field(default=True, description="Author, images …")
    returnFormat: ReturnFormat = Field(default="markdown", description="json: structured.")
    fresh: bool = Field(default=False, description="No cache.")


class CinderScrapeOut(CinderPage, Paged):
    """Result of `cinder_scrape`."""


_SCHEMA = field_names_schema(
    CinderScrapeOut,
    metadata="description keywords images author publishDate structuredData",
    loadTime="ms",
)


@tool(
    "cinder",
    ToolOptions(cuttable=("content",), default_tokens=DEFAULT_TOKENS, output_schema=_SCHEMA),
)
async def cinder_scrape(args: CinderScrapeIn, call: Call) -> CinderScrapeOut:
    """Get the full content of a known URL."""
    started = time.perf_counter()
    read_mode = read_mode_of(args.mode, args.returnFormat).model_copy(update={"fresh": args.fresh})
    result = await call.services.reading.scrape(
        args.url, "full", MAX_LENGTH, call.caller, read_mode=read_mode
    )
    if result.age is not None:
        call.meta.update(freshness(result.age, PAGE_SECONDS, cached=True))
    if result.reading:
        call.meta.update(reading_meta(result.reading))
    page = cinder_page(
        args.url,
        result,
        args.returnFormat,
        milliseconds_since(started),
        details=args.includeMetadata,
    )
    page = _with_short_metadata(page, args.max_tokens or DEFAULT_TOKENS, call)
    return CinderScrapeOut.model_construct(**dict(page))


def _with_short_metadata(page: CinderPage, max_tokens: int, call: Call) -> CinderPage:
    """Return the page without metadata that would leave no room for its content."""
    room = max_tokens * BYTES_PER_TOKEN // 2
    details = page.metadata
    if details is None or json_size(details.model_dump(mode="json")) <= room:
        return page
    structured = details.structuredData
    call.meta["omitted"] = {
        "metadata.structuredData": f"{json_size(structured)} bytes; "
        "ask with a larger max_tokens, or with returnFormat json"
    }
    short = details.model_copy(update={"structuredData": None})
    return page.model_copy(update={"metadata": short})
