"""The crawl service: callers start, watch and cancel crawls, and see only their own."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from webquarry.crawl.derived_formats import DerivedFormats, DerivesFormats, derived
from webquarry.crawl.job_status import crawl_failure, crawl_job, visible_state
from webquarry.crawl.new_jobs import CrawlQuota, ListedUrls, NewJobs, check_listed
from webquarry.crawl.site_map import MapRequest, SiteMapper
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import JobRow, NewJob, TooManyJobsError
from webquarry.crawl.store.listings import CrawlListings, JobFilter
from webquarry.crawl.store.outcomes import is_error
from webquarry.crawl.store.rows import check_same_request
from webquarry.crawl.stored_content import StoredContent
from webquarry.crawl.stored_pages import StoredPages
from webquarry.errors import NotFoundError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.crawl import (
    CrawledPage,
    CrawlFailure,
    CrawlJob,
    CrawlRequest,
    Format,
    InvalidUrl,
    MappedUrl,
)
from webquarry.models.webhook import webhook_in
from webquarry.net.clock import Clock
from webquarry.parsing.parsers import Parsers

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_POLL_SECONDS = 0.2  # between two reads of a watched job
_EXPORT_BATCH = 20  # pages
FailureKind = Literal["all", "errors", "skipped"]


class JobDispatcher(Protocol):
    """Runs crawls, in this process or in workers."""

    async def dispatch(self, job_id: str) -> None:
        """Start a new crawl."""
        ...

    def resume_unfinished(self) -> None:
        """Continue crawls that an earlier process left unfinished."""
        ...

    async def stop(self) -> None:
        """Stop crawls so that the next start continues them."""
        ...

    async def finish_deliveries(self, job_id: str, seconds: float) -> int:
        """Send webhook notifications now; return how many of a crawl are left."""
        ...


@dataclass(frozen=True, kw_only=True)
class CrawlDependencies:
    """The dependencies of `CrawlService`."""

    store: CrawlStore
    dispatcher: JobDispatcher
    site_mapper: SiteMapper
    blind_host: Callable[[str], bytes]
    derives: DerivesFormats
    quota: CrawlQuota = field(default_factory=CrawlQuota)
    parsers: Parsers = field(default_factory=Parsers)
    clock: Clock = field(default_factory=Clock)


class CrawlService:
    """Starts, watches and cancels crawls."""

    def __init__(self, dependencies: CrawlDependencies) -> None:
        self._store = dependencies.store
        self._dependencies = dependencies
        self._listings = CrawlListings(dependencies.store)
        self._contents = StoredContent(dependencies.store, dependencies.parsers)
        self.stored_pages = StoredPages(dependencies.store, dependencies.parsers)
        self._derived = DerivedFormats(self.stored_pages, dependencies.derives)
        self._new_jobs = NewJobs(
            blind_host=dependencies.blind_host,
            quota=dependencies.quota,
            clock=dependencies.clock,
        )

    async def start(
        self, request: CrawlRequest, caller: Caller, *, idempotency_key: str | None = None
    ) -> CrawlJob:
        """Store a job and return it; the same idempotency key returns the same job.

        `BadInputError` for an invalid URL or pattern, and for a key that was used for another
        request; `RateLimitError` if the caller has too many unfinished crawls; `SettingsError` if
        several servers share a store but not a database.
        """
        self._derived.check(request)
        return await self._start(self._new_jobs.crawl(request, caller, idempotency_key or ""))

    async def start_batch(
        self,
        urls: Sequence[str],
        options: CrawlRequest,
        caller: Caller,
        *,
        idempotency_key: str | None = None,
        ignore_invalid: bool = False,
    ) -> tuple[CrawlJob, tuple[InvalidUrl, ...]]:
        """Start to read listed URLs; return the job, and the entries that are no URLs.

        Raises what `start` raises; invalid URLs are errors unless `ignore_invalid`.
        """
        self._derived.check(options)
        listed = ListedUrls.read(urls)
        check_listed(listed, len(urls), ignore_invalid=ignore_invalid)
        job = self._new_jobs.batch(listed, options, caller, idempotency_key or "")
        return await self._start(job), listed.invalid

    async def _start(self, job: NewJob) -> CrawlJob:
        limit = self._dependencies.quota.max_unfinished
        try:
            row = await self._store.create(job, max_unfinished=limit)
        except TooManyJobsError as error:
            raise RateLimitError(
                f"There are {limit} unfinished crawls already. Wait for one or cancel one."
            ) from error
        if row.id != job.id:
            check_same_request(row, job.request)
        else:
            await self._dependencies.dispatcher.dispatch(row.id)
        return crawl_job(row, self._dependencies.clock.time())

    async def job(self, job_id: str, caller: Caller) -> CrawlJob:
        """Return the current state of a job; `NotFoundError` if it is not the caller's."""
        return crawl_job(await self._row(job_id, caller), self._dependencies.clock.time())

    async def jobs(
        self,
        caller: Caller,
        *,
        selected: JobFilter | None = None,
        offset: int = 0,
        limit: int = 100,
    ) -> tuple[CrawlJob, ...]:
        """Return the caller's jobs, the newest first."""
        now = self._dependencies.clock.time()
        chosen = replace(selected or JobFilter(), expire_after=now)
        owners = [(caller.tenant, user) for user in caller.users]
        rows = await self._listings.jobs(owners, chosen, offset=offset, limit=limit)
        return tuple(crawl_job(row, now) for row in rows)

    async def pages(
        self,
        job_id: str,
        caller: Caller,
        offset: int = 0,
        limit: int = 50,
        formats: Sequence[Format] | None = None,
    ) -> tuple[tuple[CrawledPage, ...], int]:
        """Return pages in the order they were stored, and how many there are so far.

        `formats` are those of `content`: () for none, None for the formats of the job.
        """
        row = await self._row(job_id, caller)
        request = CrawlRequest.model_validate_json(row.request)
        if formats is None:
            formats = request.formats
        rows = await self._store.pages(
            job_id, after=offset, limit=max(0, limit), bodies=bool(formats)
        )
        made = derived(formats, request.json_schema)
        plain: list[Format] = [name for name in formats if name not in made]
        pages = await self._contents.pages(job_id, rows, plain)
        pages = await self._derived.add((job_id, request), rows, pages, formats, caller)
        if row.kind == "batch":
            keys = [stored.key for stored in rows]
            ranks = await self._listings.ranks(job_id, keys)
            pages = tuple(
                page.model_copy(update={"index": int(ranks.get(key, 0))})
                for page, key in zip(pages, keys, strict=True)
            )
        return pages, row.counts.crawled

    async def failures(
        self,
        job_id: str,
        caller: Caller,
        limit: int = 100,
        *,
        offset: int = 0,
        which: FailureKind = "all",
    ) -> tuple[CrawlFailure, ...]:
        """Return the URLs without a page, with the reason of each."""
        row = await self._row(job_id, caller)
        outcomes = [
            name
            for name in row.counts.outcomes
            if which == "all" or is_error(name) == (which == "errors")
        ]
        unread = row.counts.stop_reason if which != "errors" else None
        failed = await self._listings.failed_urls(
            job_id, outcomes, unread=unread or "", offset=offset, limit=limit
        )
        return tuple(crawl_failure(row, url) for url in failed)

    async def cancel(self, job_id: str, caller: Caller) -> CrawlJob:
        """Cancel a job and keep its pages; a job that has ended stays as it is."""
        row = await self._row(job_id, caller)
        if await self._store.end(job_id, "cancelled") and webhook_in(row.request):
            self._dependencies.dispatcher.resume_unfinished()  # sends the notification
        return await self.job(job_id, caller)

    async def cancel_started(self, idempotency_key: str, caller: Caller) -> None:
        """Cancel the job that was started with this key, if there is one."""
        for user in caller.users:
            row = await self._listings.job_with_key(caller.tenant, user, idempotency_key)
            if row is not None:
                await self.cancel(row.id, caller)

    async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
        """Yield the job now, after every change, and when it has ended."""
        last: CrawlJob | None = None
        while True:
            job = await self.job(job_id, caller)
            if last is None or visible_state(job) != visible_state(last):
                yield job
                last = job
            if job.ended:
                return
            await asyncio.sleep(_POLL_SECONDS)

    async def export(
        self, job_id: str, caller: Caller, formats: Sequence[Format] | None = None
    ) -> AsyncIterator[str]:
        """Yield one line of JSON for each page, with the fields of `CrawledPage`."""
        offset = 0
        while True:
            pages, _ = await self.pages(job_id, caller, offset, _EXPORT_BATCH, formats)
            for page in pages:
                yield page.model_dump_json() + "\n"
            if len(pages) < _EXPORT_BATCH:
                return
            offset += len(pages)

    async def map(
        self,
        url: str,
        caller: Caller,
        *,
        limit: int = 1000,
        subdomains: bool = False,
        search: str = "",
    ) -> tuple[MappedUrl, ...]:
        """Return the URLs in the sitemaps of a site and in the links of one page."""
        logger.debug("%s maps %s", caller.user, url)
        request = MapRequest(limit=limit, subdomains=subdomains, search=search)
        return await self._dependencies.site_mapper.map_site(url, request)

    async def erase(self, *, tenant: str, user: str | None = None) -> int:
        """Delete the jobs and pages of a tenant or of one person; return how many jobs."""
        return await self._store.erase(tenant=tenant, user=user)

    async def finish_deliveries(self, job_id: str, seconds: float) -> int:
        """Send webhook notifications now; return how many of a crawl are left for later."""
        return await self._dependencies.dispatcher.finish_deliveries(job_id, seconds)

    def resume(self) -> None:
        """Continue crawls that an earlier process left unfinished."""
        self._dependencies.dispatcher.resume_unfinished()

    async def close(self) -> None:
        """Stop running jobs so that the next start continues them."""
        await self._dependencies.dispatcher.stop()
        await self._store.close()

    async def _row(self, job_id: str, caller: Caller) -> JobRow:
        row = await self._store.job(job_id) if _ID.fullmatch(job_id) else None
        owned = row is not None and row.tenant == caller.tenant and row.user in caller.users
        if row is None or not owned or row.expires <= self._dependencies.clock.time():
            raise NotFoundError(
                f"There is no crawl {job_id!r}, or it has expired. Start a new one."
            )
        return row
