"""The `cinder_crawl` tool: starts a crawl, and optionally waits for its end."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from webquarry.calls.job_tasks import JOB_TASK, WAIT_SECONDS, wait_seconds
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.crawl.service import CrawlService
from webquarry.models.cinder import Link
from webquarry.models.cinder_crawl_status import CrawlStarted
from webquarry.models.crawl import MAX_QUERY, CrawlJob, CrawlRequest
from webquarry.models.job_arguments import FORMAT_NAMES, Formats, JobArguments, Patterns
from webquarry.models.model import Model
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema, field_names_schema
from webquarry.models.webhook import WebhookArgument
from webquarry.services.cinder.cinder_crawls import crawl_started, wait_for_end

_GUIDED_DEPTH = 10  # of a crawl with a query, unless chosen
_COUNT = ShortSchema(type="integer")
Key = Annotated[str, Field(min_length=1, max_length=255)]


class _CrawlArguments(Model):
    """What to crawl."""

    url: Link = Field(description="Start.")
    query: Annotated[
        str | None, Field(min_length=1, max_length=MAX_QUERY), ShortSchema(type="string")
    ] = Field(default=None, description="Best pages first; stop when found.")
    render: bool = Field(default=False, description="Run JavaScript.")
    maxDepth: Annotated[int, Field(ge=1, le=100), _COUNT] = Field(
        default=2, description="1: only url."
    )
    maxPages: Annotated[int, Field(ge=1, le=1_000_000), _COUNT] = Field(
        default=100, description="At most."
    )
    includePatterns: Patterns = Field(default=None, description="Only these regexes.")
    excludePatterns: Patterns = Field(default=None, description="Not these.")
    includePaths: Patterns = Field(default=None, description="/blog/*.")
    excludePaths: Patterns = Field(default=None, description="Not these.")
    subdomains: bool = Field(default=False, description="Those too.")
    externalLinks: bool = Field(default=False, description="Leave the domain.")
    keepParameters: Annotated[Patterns, FullSchemaOnly()] = Field(
        default=None, description="Query parameters to keep; the others are removed."
    )
    stripParameters: Annotated[Patterns, FullSchemaOnly()] = Field(
        default=None, description="Query parameters to remove."
    )
    sitemap: bool = Field(default=False, description="Read that too.")
    sitemapOnly: bool = Field(default=False, description="Follow no links.")
    formats: Formats = Field(default=None, description=FORMAT_NAMES)
    wait: bool = Field(default=False, description="Until done, 2 min.")
    webhook: WebhookArgument | None = Field(default=None, description="Told when done.")
    # set from the HTTP header Idempotency-Key; models do not retry lost responses
    idempotencyKey: SkipJsonSchema[Key | None] = None


# the fields of the last base class come first
class CinderCrawlIn(JobArguments, _CrawlArguments):
    """Arguments of `cinder_crawl`."""


class CinderCrawlOut(CrawlStarted):
    """Result of `cinder_crawl`."""


@tool(
    "crawl",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, idempotent=False),
        timeout=WAIT_SECONDS + 10,
        task=JOB_TASK,
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

    async def report(job: CrawlJob) -> None:
        await call.progress(job.progress.pagesCrawled, job.request.max_pages, _progress_text(job))

    seconds = wait_seconds(call)
    job, ended = await wait_for_end(crawling, started_job, call.caller, seconds, report)
    if not ended:
        call.meta["waited"] = seconds
    return job


def _progress_text(job: CrawlJob) -> str:
    count = job.progress.pagesCrawled
    limit = " (limit)" if count >= job.request.max_pages else ""
    pages = f"{count} page{'' if count == 1 else 's'}{limit}"
    return f"{job.state}: {pages}; {job.progress.pagesFound} URLs found"


def _max_depth(args: CinderCrawlIn) -> int:
    """Return the depth; the answer to a query may be far from the start page."""
    is_chosen = "maxDepth" in args.model_fields_set
    return _GUIDED_DEPTH if args.query and not is_chosen else args.maxDepth


def _request(args: CinderCrawlIn) -> CrawlRequest:
    return CrawlRequest.model_validate(
        {
            "url": args.url,
            "query": args.query,
            "max_depth": _max_depth(args),
            "max_pages": args.maxPages,
            "include": args.includePatterns or (),
            "exclude": args.excludePatterns or (),
            "include_paths": args.includePaths or (),
            "exclude_paths": args.excludePaths or (),
            "keep_parameters": args.keepParameters,
            "strip_parameters": args.stripParameters or (),
            "same_domain": not args.externalLinks,
            "subdomains": args.subdomains,
            "render": args.render,
            "sitemap": args.sitemap,
            "sitemap_only": args.sitemapOnly,
            "formats": tuple(dict.fromkeys(args.formats or ())),
            "webhook": args.webhook,
            **args.job_options(render=args.render or "screenshot" in (args.formats or ())),
        }
    )
