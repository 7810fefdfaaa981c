"""The `cinder_scrape` tool: one page in the format and by the means the caller chooses."""

import time
from typing import Annotated

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.result_cache import freshness
from webquarry.calls.tool import Call, Options, tool
from webquarry.models.brief import names_of
from webquarry.models.cinder import CinderPage, Link, ReturnFormat, ScrapeMode
from webquarry.reading.page_cache import PAGE_SECONDS
from webquarry.reading.page_output import LONGEST, told_beside
from webquarry.services.cinder.cinder_pages import cinder_page, manner_of, milliseconds_since


class CinderScrapeIn(Budgeted):
    """Arguments of `cinder_scrape`."""

    url: Annotated[Link, Field(description="http(s).")]
    mode: ScrapeMode = Field(
        default="smart",
        description="static: fast; dynamic: runs JavaScript.",
    )
    includeMetadata: bool = Field(default=True, description="Author, images, JSON-LD …")
    returnFormat: ReturnFormat = Field(default="markdown", description="json: structured.")


class CinderScrapeOut(CinderPage, Paged):
    """Result of `cinder_scrape`."""


_SCHEMA = names_of(
    CinderScrapeOut,
    metadata="description keywords images author publishDate structuredData",
    loadTime="ms",
)


@tool("cinder", Options(cuts=("content",), output_schema=_SCHEMA))
async def cinder_scrape(args: CinderScrapeIn, call: Call) -> CinderScrapeOut:
    """Get the full content of a known URL."""
    began = time.perf_counter()
    manner = manner_of(args.mode, args.returnFormat)
    scraped = await call.services.reading.scrape_as(args.url, manner, LONGEST, call.caller)
    if scraped.age is not None:
        call.meta.update(freshness(scraped.age, PAGE_SECONDS, cached=True))
    if scraped.reading:
        call.meta.update(told_beside(scraped.reading))
    page = cinder_page(
        args.url,
        scraped,
        args.returnFormat,
        milliseconds_since(began),
        details=args.includeMetadata,
    )
    return CinderScrapeOut.model_construct(**dict(page))
