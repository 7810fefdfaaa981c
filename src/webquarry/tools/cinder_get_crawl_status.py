"""The `cinder_get_crawl_status` tool: the progress of a crawl, its pages and failed URLs."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.content.text.token_count import BYTES_PER_TOKEN
from webquarry.crawl.store.listings import JobFilter
from webquarry.errors import BadInputError
from webquarry.models.cinder_crawl_status import CrawlFailures, CrawlList, CrawlStatus
from webquarry.models.crawl import JobKind, State
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema, field_names_schema
from webquarry.services.cinder.cinder_crawls import crawl_failures, crawl_list, crawl_status


class CinderGetCrawlStatusIn(Budgeted):
    """Arguments of `cinder_get_crawl_status`."""

    id: Annotated[str | None, Field(min_length=1, max_length=200), ShortSchema(type="string")] = (
        Field(default=None, description="crawlId; none: list yours.")
    )
    offset: Annotated[
        int, Field(ge=0, le=1_000_000_000), ShortSchema(type="integer", minimum=0)
    ] = Field(default=0, description="Pages to skip.")
    limit: int = Field(default=50, ge=1, le=100, description="Pages.")
    errors: bool = Field(default=False, description="List failed URLs.")
    skipped: bool = Field(default=False, description="And skipped ones.")
    cancel: bool = Field(default=False, description="Cancel the crawl.")
    status: Annotated[State | None, FullSchemaOnly()] = Field(
        default=None, description="List only crawls in this state."
    )
    kind: Annotated[JobKind | None, FullSchemaOnly()] = Field(
        default=None, description="List only crawls or only batches."
    )


class CinderGetCrawlStatusOut(CrawlStatus, Paged):
    """Result of `cinder_get_crawl_status`."""


@tool(
    "crawl",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, open_world=False),
        cuttable=("failures", "pages", "crawls"),
        divides_items=True,
        default_tokens=DEFAULT_TOKENS,
        output_schema=field_names_schema(
            CinderGetCrawlStatusOut,
            progress="0-100",
            pages="url title? statusCode contentLength? content? partial? index?",
            skipped="by reason",
            failures="url reason message",
        ),
    ),
)
async def cinder_get_crawl_status(
    args: CinderGetCrawlStatusIn, call: Call
) -> CinderGetCrawlStatusOut | CrawlFailures | CrawlList:
    """Check the progress of a crawl or batch and get its pages."""
    crawling, caller = call.services.crawling, call.caller
    if args.id is None:
        return await _list(args, call)
    if args.status or args.kind:
        raise BadInputError("status and kind choose crawls to list; leave id out to list them")
    if args.cancel:
        job = await crawling.cancel(args.id, caller)
    else:
        job = await crawling.job(args.id, caller)
    if args.errors or args.skipped:
        paging = (args.offset, args.limit)
        return await crawl_failures(crawling, job.id, caller, paging, skipped=args.skipped)
    max_bytes = (args.max_tokens or DEFAULT_TOKENS) * BYTES_PER_TOKEN
    result = await crawl_status(
        crawling, job, caller, (args.offset, args.limit), max_bytes=max_bytes
    )
    return CinderGetCrawlStatusOut.model_construct(**dict(result))


async def _list(args: CinderGetCrawlStatusIn, call: Call) -> CrawlList:
    if args.cancel or args.errors or args.skipped:
        raise BadInputError("id: is required to cancel a crawl or to list its failed URLs")
    selected = JobFilter(
        states=(args.status,) if args.status else (), kinds=(args.kind,) if args.kind else ()
    )
    return await crawl_list(call.services.crawling, call.caller, selected, args.offset, args.limit)
