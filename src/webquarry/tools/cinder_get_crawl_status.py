"""The `cinder_get_crawl_status` tool: how far a crawl is, and its pages."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.models.brief import Brief, names_of
from webquarry.models.cinder_crawl_status import CrawlStatus
from webquarry.models.model import Model
from webquarry.services.cinder.cinder_crawls import needed, status


class CinderGetCrawlStatusIn(Model):
    """Arguments of `cinder_get_crawl_status`."""

    id: Annotated[str, Field(min_length=1, max_length=200), Brief(type="string")] = Field(
        description="crawlId."
    )
    offset: Annotated[int, Field(ge=0, le=1_000_000_000), Brief(type="integer", minimum=0)] = Field(
        default=0, description="Pages to skip."
    )
    limit: int = Field(default=50, ge=1, le=100, description="Pages.")
    cancel: bool = Field(default=False, description="End it.")


class CinderGetCrawlStatusOut(CrawlStatus):
    """Result of `cinder_get_crawl_status`."""


@tool(
    "crawl",
    Options(
        hints=ToolAnnotations(read_only=False, open_world=False),
        output_schema=names_of(
            CinderGetCrawlStatusOut,
            progress="0-100",
            pages="url title? statusCode contentLength? content?",
            skipped="by reason",
        ),
    ),
)
async def cinder_get_crawl_status(
    args: CinderGetCrawlStatusIn, call: Call
) -> CinderGetCrawlStatusOut:
    """Check a crawl's progress and get its pages."""
    crawling = needed(call.services.crawling)
    if args.cancel:
        job = await crawling.cancel(args.id, call.caller)
    else:
        job = await crawling.job(args.id, call.caller)
    found = await status(crawling, job, call.caller, args.offset, args.limit)
    return CinderGetCrawlStatusOut.model_construct(**dict(found))
