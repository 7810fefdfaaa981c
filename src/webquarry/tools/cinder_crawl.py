"""The `cinder_crawl` tool: starts a crawl, and waits for it when asked to."""

import asyncio
from contextlib import aclosing
from typing import Annotated, get_args

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.crawl.service import CrawlService
from webquarry.models.brief import Brief, names_of
from webquarry.models.cinder import Link
from webquarry.models.cinder_crawl_status import CrawlStarted
from webquarry.models.crawl import CrawlJob, CrawlRequest, Format
from webquarry.models.model import Model
from webquarry.services.cinder.cinder_crawls import changes, needed, started

_SECONDS = 110.0  # below the longest a call may take
_FORMATS = Brief(type="array", items={"enum": list(get_args(Format))})
_COUNT = Brief(type="integer")
_PATTERNS = Brief(type="array", items={"type": "string"})

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
    # of the header of that name; models do not repeat themselves after a lost answer
    idempotencyKey: SkipJsonSchema[Key | None] = None


class CinderCrawlOut(CrawlStarted):
    """Result of `cinder_crawl`."""


@tool(
    "crawl",
    Options(
        hints=ToolAnnotations(read_only=False, idempotent=False),
        timeout=_SECONDS + 10,
        output_schema=names_of(CinderCrawlOut),
    ),
)
async def cinder_crawl(args: CinderCrawlIn, call: Call) -> CinderCrawlOut:
    """Crawl a website in the background. Then ask cinder_get_crawl_status."""
    crawling = needed(call.services.crawling)
    job = await crawling.start(_request(args), call.caller, idempotency_key=args.idempotencyKey)
    if args.wait:
        job = await _ended(crawling, job, call)
    return CinderCrawlOut.model_construct(**dict(started(job)))


async def _ended(crawling: CrawlService, begun: CrawlJob, call: Call) -> CrawlJob:
    """Return the job when it has ended, or as it stands when the time is up."""
    job = begun
    try:
        async with (
            asyncio.timeout(_SECONDS),
            aclosing(changes(crawling, begun.id, call.caller)) as jobs,
        ):
            async for job in jobs:
                told = (
                    f"{job.state}: {job.progress.pagesCrawled} of {job.progress.pagesFound} pages"
                )
                await call.progress(job.progress.pagesCrawled, job.request.max_pages, told)
    except TimeoutError:
        call.meta["waited"] = _SECONDS  # the crawl goes on without us
    return job


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
