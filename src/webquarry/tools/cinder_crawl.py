"""The `cinder_crawl` tool: starts a crawl, and optionally waits for its end."""

import asyncio
from contextlib import aclosing
from typing import Annotated, get_args

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.crawl.service import CrawlService
from webquarry.models.cinder import Link
from webquarry.models.cinder_crawl_status import CrawlStarted
from webquarry.models.crawl import CrawlJob, CrawlRequest, Format
from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema, field_names_schema
from webquarry.services.cinder.cinder_crawls import crawl_started, job_changes

_WAIT_SECONDS = 110.0  # below the maximum timeout of a call
_FORMATS = ShortSchema(type="array", items={"type": "string", "enum": list(get_args(Format))})
_COUNT = ShortSchema(type="integer")
_PATTERNS = ShortSchema(type="array", items={"type": "string"})

Patterns = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=500)], ...] | None,
    Field(max_length=50),
    _PATTERNS,
]


Key = Annotated[str, Field(min_length=1, max_length=255)]


class CinderCrawlIn(Model):
    """Arguments of `cinder_crawl`."""

    url: Link = Field(description="Start.")
    render: bool = Field(default=False, description="Run JavaScript.")
    maxDepth: Annotated[int, Field(ge=1, le=100), _COUNT] = Field(
        default=2, description="1: only url."
    )
    maxPages: Annotated[int, Field(ge=1, le=1_000_000), _COUNT] = Field(
        default=100, description="At most."
    )
    includePatterns: Patterns = Field(default=None, description="Only these regexes.")
    excludePatterns: Patterns = Field(default=None, description="Not these.")
    sitemap: bool = Field(default=False, description="Read that too.")
    formats: Annotated[tuple[Format, ...] | None, Field(max_length=4), _FORMATS] = Field(
        default=None, description="Content to keep."
    )
    wait: bool = Field(default=False, description="Until done, 2 min.")
    webhook: Link | None = Field(default=None, description="Told when done.")
    # set from the HTTP header Idempotency-Key; models do not retry lost responses
    idempotencyKey: SkipJsonSchema[Key | None] = None


class CinderCrawlOut(CrawlStarted):
    """Result of `cinder_crawl`."""


@tool(
    "crawl",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, idempotent=False),
        timeout=_WAIT_SECONDS + 10,
        output_schema=field_names_schema(CinderCrawlOut),
    ),
)
async def cinder_crawl(args: CinderCrawlIn, call: Call) -> CinderCrawlOut:
    """Crawl a website in the background. Then ask cinder_get_crawl_status."""
    crawling = call.services.crawling
    job = await crawling.start(_request(args), call.caller, idempotency_key=args.idempotencyKey)
    if args.wait:
        job = await _wait(crawling, job, call)
    return CinderCrawlOut.model_construct(**dict(crawl_started(job)))


async def _wait(crawling: CrawlService, started_job: CrawlJob, call: Call) -> CrawlJob:
    """Return the job when it has ended, or its status when the time is over."""
    job = started_job
    try:
        async with (
            asyncio.timeout(_WAIT_SECONDS),
            aclosing(job_changes(crawling, started_job.id, call.caller)) as jobs,
        ):
            async for job in jobs:
                await call.progress(
                    job.progress.pagesCrawled, job.request.max_pages, _progress_text(job)
                )
    except TimeoutError:
        call.meta["waited"] = _WAIT_SECONDS  # the crawl continues in the background
    return job


def _progress_text(job: CrawlJob) -> str:
    count = job.progress.pagesCrawled
    limit = " (limit)" if count >= job.request.max_pages else ""
    pages = f"{count} page{'' if count == 1 else 's'}{limit}"
    return f"{job.state}: {pages}; {job.progress.pagesFound} URLs found"


def _request(args: CinderCrawlIn) -> CrawlRequest:
    return CrawlRequest.model_validate(
        {
            "url": args.url,
            "max_depth": args.maxDepth,
            "max_pages": args.maxPages,
            "include": args.includePatterns or (),
            "exclude": args.excludePatterns or (),
            "render": args.render,
            "sitemap": args.sitemap,
            "formats": tuple(dict.fromkeys(args.formats or ())),
            "webhook": args.webhook,
        }
    )
