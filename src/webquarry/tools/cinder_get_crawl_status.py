"""The `cinder_get_crawl_status` tool: the progress of a crawl, and its pages."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.models.cinder_crawl_status import CrawlStatus
from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema, field_names_schema
from webquarry.services.cinder.cinder_crawls import crawl_status


class CinderGetCrawlStatusIn(Model):
    """Arguments of `cinder_get_crawl_status`."""

    id: Annotated[str, Field(min_length=1, max_length=200), ShortSchema(type="string")] = Field(
        description="crawlId."
    )
    offset: Annotated[
        int, Field(ge=0, le=1_000_000_000), ShortSchema(type="integer", minimum=0)
    ] = Field(default=0, description="Pages to skip.")
    limit: int = Field(default=50, ge=1, le=100, description="Pages.")
    cancel: bool = Field(default=False, description="Cancel the crawl.")


class CinderGetCrawlStatusOut(CrawlStatus):
    """Result of `cinder_get_crawl_status`."""


@tool(
    "crawl",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, open_world=False),
        output_schema=field_names_schema(
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
    crawling = call.services.crawling
    if args.cancel:
        job = await crawling.cancel(args.id, call.caller)
    else:
        job = await crawling.job(args.id, call.caller)
    result = await crawl_status(crawling, job, call.caller, args.offset, args.limit)
    return CinderGetCrawlStatusOut.model_construct(**dict(result))
