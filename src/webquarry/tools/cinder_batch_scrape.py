"""The `cinder_batch_scrape` tool: reads many listed URLs in the background."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from webquarry.calls.job_tasks import JOB_TASK, WAIT_SECONDS, wait_seconds
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.models.cinder_crawl_status import BatchStarted
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.models.job_arguments import FORMAT_NAMES, Formats, JobArguments
from webquarry.models.model import Model
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema, field_names_schema
from webquarry.models.webhook import WebhookArgument
from webquarry.services.cinder.cinder_crawls import batch_started, wait_for_end

_MAX_URLS = 10_000
Key = Annotated[str, Field(min_length=1, max_length=255)]


class _BatchArguments(Model):
    """What to read."""

    urls: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=_MAX_URLS),
        ShortSchema(type="array", items={"type": "string"}),
    ] = Field(description="Up to 10000.")
    render: bool = Field(default=False, description="Run JavaScript.")
    formats: Formats = Field(default=("markdown",), description=FORMAT_NAMES)
    wait: bool = Field(default=False, description="Until done, 2 min.")
    webhook: WebhookArgument | None = Field(default=None, description="Told when done.")
    ignoreInvalidURLs: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Report invalid URLs and read the others; else they are errors."
    )
    # set from the HTTP header Idempotency-Key; models do not retry lost responses
    idempotencyKey: SkipJsonSchema[Key | None] = None


# the fields of the last base class come first
class CinderBatchScrapeIn(JobArguments, _BatchArguments):
    """Arguments of `cinder_batch_scrape`."""


class CinderBatchScrapeOut(BatchStarted):
    """Result of `cinder_batch_scrape`."""


@tool(
    "crawl",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, idempotent=False),
        timeout=WAIT_SECONDS + 10,
        task=JOB_TASK,
        output_schema=field_names_schema(CinderBatchScrapeOut),
    ),
)
async def cinder_batch_scrape(args: CinderBatchScrapeIn, call: Call) -> CinderBatchScrapeOut:
    """Read many URLs in the background. Then ask cinder_get_crawl_status."""
    crawling = call.services.crawling
    job, invalid = await crawling.start_batch(
        args.urls,
        _options(args),
        call.caller,
        idempotency_key=args.idempotencyKey,
        ignore_invalid=args.ignoreInvalidURLs,
    )

    async def report(job: CrawlJob) -> None:
        done = job.progress.pagesCrawled + job.progress.errors
        total = job.request.max_pages
        await call.progress(done, total, f"{job.state}: {done} of {total} URLs")

    if args.wait:
        seconds = wait_seconds(call)
        job, ended = await wait_for_end(crawling, job, call.caller, seconds, report)
        if not ended:
            call.meta["waited"] = seconds
    return CinderBatchScrapeOut.model_construct(**dict(batch_started(job, invalid)))


def _options(args: CinderBatchScrapeIn) -> CrawlRequest:
    return CrawlRequest.model_validate(
        {
            "url": "",
            "render": args.render,
            "formats": tuple(dict.fromkeys(args.formats or ())),
            "webhook": args.webhook,
            **args.job_options(render=args.render or "screenshot" in (args.formats or ())),
        }
    )
