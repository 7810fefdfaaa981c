"""Crawls in the format of the Cinder tools."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.cinder_crawl_status import CinderPageRow, CrawlStarted, CrawlStatus
from webquarry.models.crawl import CrawledPage, CrawlJob, Format

_EXPORTED: tuple[Format, ...] = ("markdown",)


def crawl_started(job: CrawlJob) -> CrawlStarted:
    """Return a job as the result of the call that started it."""
    return CrawlStarted(
        crawlId=job.id,
        url=job.request.url,
        status=job.state,
        pagesFound=job.progress.pagesFound,
        pagesCrawled=job.progress.pagesCrawled,
        createdAt=rfc3339_of(job.created) or "",
        error=job.error,
    )


async def crawl_status(
    crawling: CrawlService, job: CrawlJob, caller: Caller, offset: int, limit: int
) -> CrawlStatus:
    """Return a job with one batch of its pages."""
    pages, total = await crawling.pages(
        job.id, caller, offset=offset, limit=limit, formats=job.request.formats
    )
    after = offset + len(pages)
    return crawl_summary(job).model_copy(
        update={
            "pages": tuple(_row(page) for page in pages),
            # a running crawl may add pages
            "nextOffset": after if after < total or not job.ended else None,
        }
    )


def crawl_summary(job: CrawlJob) -> CrawlStatus:
    """Return a job without its pages."""
    progress = job.progress
    return CrawlStatus(
        crawlId=job.id,
        status=job.state,
        pagesFound=progress.pagesFound,
        pagesCrawled=progress.pagesCrawled,
        progress=percent(job),
        errors=progress.errors,
        skipped=dict(progress.skipped),
        completedAt=rfc3339_of(job.finished),
        error=job.error,
    )


def percent(job: CrawlJob) -> float:
    """Return the progress of a crawl, 0 to 100; it never decreases."""
    if job.state == "completed":
        return 100.0
    return round(min(99.0, 100 * job.progress.pagesCrawled / job.request.max_pages), 1)


def rfc3339_of(seconds: float | None) -> str | None:
    """Return unix seconds as RFC 3339 in UTC."""
    return None if seconds is None else to_rfc3339(seconds, seconds)


async def job_changes(
    crawling: CrawlService, job_id: str, caller: Caller
) -> AsyncGenerator[CrawlJob]:
    """Yield a job now and after every change, until it has ended."""
    last: CrawlJob | None = None
    watching = cast("AsyncGenerator[CrawlJob]", crawling.watch(job_id, caller))
    async with aclosing(watching) as jobs:
        async for job in jobs:
            if job != last:
                yield job
            last = job
            if job.ended:
                return


async def export_lines(
    crawling: CrawlService, job: CrawlJob, caller: Caller, formats: tuple[Format, ...] = ()
) -> AsyncGenerator[str]:
    """Yield one line of JSON for each page: in these formats, the job's, or Markdown."""
    selected = formats or job.request.formats or _EXPORTED
    async for line in crawling.export(job.id, caller, formats=selected):
        yield line if line.endswith("\n") else f"{line}\n"


def _row(page: CrawledPage) -> CinderPageRow:
    content: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in page.content.items()
    }
    return CinderPageRow(
        url=page.url,
        title=page.title,
        statusCode=page.status,
        contentLength=page.bytes,
        content=content,
    )
