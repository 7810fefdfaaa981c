"""The status of a crawl, as its owner sees it."""

from collections.abc import Mapping

from webquarry.crawl.store.crawl_values import JobRow
from webquarry.crawl.store.listings import FailedUrl
from webquarry.crawl.store.outcomes import explain, is_error, is_requested
from webquarry.models.crawl import CrawlFailure, CrawlJob, CrawlProgress, CrawlRequest


def visible_state(job: CrawlJob) -> tuple[object, ...]:
    """Return what a watcher of a crawl is notified of."""
    progress = job.progress
    return job.state, progress.pagesCrawled, progress.pagesFound, progress.errors


def crawl_job(row: JobRow, now: float) -> CrawlJob:
    """Return a stored job as its owner sees it."""
    return CrawlJob(
        id=row.id,
        kind=row.kind,
        tenant=row.tenant,
        user=row.user,
        state=row.state,
        request=CrawlRequest.model_validate_json(row.request),
        progress=_progress(row, now),
        created=row.created,
        started=row.started,
        finished=row.finished,
        expires=row.expires,
        error=row.error,
        moved_to=row.counts.moved_to,
        stop_reason=row.counts.stop_reason,
    )


def crawl_failure(row: JobRow, failed: FailedUrl) -> CrawlFailure:
    """Return a URL without a page, with the reason in words."""
    return CrawlFailure(
        url=failed.url,
        reason=failed.outcome,
        message=explain(failed.outcome),
        depth=failed.depth,
        attempts=failed.attempts + 1 if is_requested(failed.outcome) else None,
        at=failed.ended or None,
        index=int(failed.rank) if row.kind == "batch" else None,
    )


def _progress(row: JobRow, now: float) -> CrawlProgress:
    counts = row.counts
    seconds = (row.finished or now) - row.started if row.started else 0.0
    errors = {name: count for name, count in counts.outcomes.items() if is_error(name)}
    skipped: Mapping[str, int] = {
        name: count for name, count in counts.outcomes.items() if name not in errors
    }
    return CrawlProgress(
        pagesFound=counts.found,
        pagesCrawled=counts.crawled,
        rate=round(counts.crawled / seconds, 2) if seconds > 0 else 0.0,
        depth=counts.depth,
        errors=sum(errors.values()),
        skipped=skipped,
        percent=_percent(row),
    )


def _percent(row: JobRow) -> float:
    """Return the progress; only a crawl that has ended by itself is at 100."""
    if row.state == "completed":
        return 100.0
    return round(min(99.0, 100 * row.counts.progress), 1)
