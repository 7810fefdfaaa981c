"""Crawls in the format of the Cinder tools."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.content.text.token_count import json_size
from webquarry.crawl.derived_formats import derived
from webquarry.crawl.service import CrawlService
from webquarry.crawl.store.listings import JobFilter
from webquarry.models.caller import Caller
from webquarry.models.cinder_crawl_status import (
    BatchStarted,
    CinderPageRow,
    CrawlFailures,
    CrawlList,
    CrawlRow,
    CrawlStarted,
    CrawlStatus,
    FailureRow,
)
from webquarry.models.crawl import CrawledPage, CrawlFailure, CrawlJob, InvalidUrl
from webquarry.models.model import Model

_FAILURES_SHOWN = 10  # in a status; the list of failures has all
_DERIVED_PAGES = 10  # of one call, if a language model may have to read each
CURSOR_BYTES = 400  # of nextOffset and nextCursor


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
    crawling: CrawlService,
    job: CrawlJob,
    caller: Caller,
    batch: tuple[int, int],
    *,
    max_bytes: int | None = None,
) -> CrawlStatus:
    """Return a job with a batch of its pages (offset and limit), at least one of them.

    Pages beyond `max_bytes` are left to the next batch, so that `nextOffset` skips none.
    """
    offset, limit = batch
    if derived(job.request.formats, job.request.json_schema):
        limit = min(limit, _DERIVED_PAGES)
    summary = await summary_with_failures(crawling, job, caller)
    pages, total = await crawling.pages(
        job.id, caller, offset=offset, limit=limit, formats=job.request.formats
    )
    room = None if max_bytes is None else max_bytes - _size(summary) - CURSOR_BYTES
    rows = _fitting(tuple(_row(page) for page in pages), room)
    after = offset + len(rows)
    return summary.model_copy(
        update={
            "pages": rows,
            # a running crawl may add pages
            "nextOffset": after if after < total or not job.ended else None,
        }
    )


async def summary_with_failures(
    crawling: CrawlService, job: CrawlJob, caller: Caller
) -> CrawlStatus:
    """Return a job without its pages, with the first URLs that could not be read."""
    if not job.progress.errors:
        return crawl_summary(job)
    failures = await crawling.failures(job.id, caller, _FAILURES_SHOWN, which="errors")
    return crawl_summary(job).model_copy(update={"failures": tuple(map(failure_row, failures))})


async def crawl_failures(
    crawling: CrawlService, job_id: str, caller: Caller, paging: tuple[int, int], *, skipped: bool
) -> CrawlFailures:
    """Return the URLs of a job without a page; `paging` is offset and limit."""
    offset, limit = paging
    found = await crawling.failures(
        job_id, caller, limit + 1, offset=offset, which="all" if skipped else "errors"
    )
    return CrawlFailures(
        crawlId=job_id,
        failures=tuple(map(failure_row, found[:limit])),
        nextOffset=offset + limit if len(found) > limit else None,
    )


async def crawl_list(
    crawling: CrawlService, caller: Caller, selected: JobFilter, offset: int, limit: int
) -> CrawlList:
    """Return the caller's jobs, the newest first."""
    jobs = await crawling.jobs(caller, selected=selected, offset=offset, limit=limit + 1)
    return CrawlList(
        crawls=tuple(map(_job_row, jobs[:limit])),
        nextOffset=offset + limit if len(jobs) > limit else None,
    )


def failure_row(failure: CrawlFailure) -> FailureRow:
    """Return a URL without a page."""
    return FailureRow(
        url=failure.url,
        reason=failure.reason,
        message=failure.message,
        attempts=failure.attempts,
        at=rfc3339_of(failure.at),
        index=failure.index,
    )


def _job_row(job: CrawlJob) -> CrawlRow:
    return CrawlRow(
        crawlId=job.id,
        kind=job.kind,
        url=job.request.url,
        status=job.state,
        pagesFound=job.progress.pagesFound,
        pagesCrawled=job.progress.pagesCrawled,
        progress=job.progress.percent,
        errors=job.progress.errors,
        createdAt=rfc3339_of(job.created) or "",
        completedAt=rfc3339_of(job.finished),
        error=job.error,
    )


def batch_started(job: CrawlJob, invalid: tuple[InvalidUrl, ...]) -> BatchStarted:
    """Return a batch as the result of the call that started it."""
    return BatchStarted(
        crawlId=job.id,
        status=job.state,
        pagesFound=job.progress.pagesFound,
        pagesCrawled=job.progress.pagesCrawled,
        createdAt=rfc3339_of(job.created) or "",
        invalidURLs=invalid,
        error=job.error,
    )


def _fitting(rows: tuple[CinderPageRow, ...], room: int | None) -> tuple[CinderPageRow, ...]:
    """Return the first rows that fit, at least one."""
    left = room
    for count, row in enumerate(rows):
        if left is None:
            return rows
        left -= _size(row) + 1
        if left < 0:
            return rows[: max(1, count)]
    return rows


def crawl_summary(job: CrawlJob) -> CrawlStatus:
    """Return a job without its pages."""
    progress = job.progress
    return CrawlStatus(
        crawlId=job.id,
        status=job.state,
        pagesFound=progress.pagesFound,
        pagesCrawled=progress.pagesCrawled,
        progress=progress.percent,
        errors=progress.errors,
        skipped=dict(progress.skipped),
        completedAt=rfc3339_of(job.finished),
        error=job.error,
        movedTo=job.moved_to,
        stopReason=job.stop_reason,
    )


def rfc3339_of(seconds: float | None) -> str | None:
    """Return unix seconds as RFC 3339 in UTC."""
    return None if seconds is None else to_rfc3339(seconds, seconds)


async def wait_for_end(
    crawling: CrawlService,
    started: CrawlJob,
    caller: Caller,
    seconds: float,
    report: Callable[[CrawlJob], Awaitable[None]],
) -> tuple[CrawlJob, bool]:
    """Return the job when it has ended, or its status when the time is over; and which of them."""
    job = started
    try:
        async with (
            asyncio.timeout(seconds),
            aclosing(job_changes(crawling, started.id, caller)) as jobs,
        ):
            async for job in jobs:
                await report(job)
    except TimeoutError:  # the job continues in the background
        return job, False
    return job, True


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


def _size(model: Model) -> int:
    return json_size(model.model_dump(mode="json", exclude_none=True))


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
        index=page.index,
        finalUrl=page.final_url if page.final_url != page.url else None,
        stepFailed=page.step_failed,
    )
