"""The crawl service: callers start, watch and cancel crawls, and see only their own."""

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.crawl.scope import Scope
from webquarry.crawl.site_map import MapRequest, SiteMapper
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import FoundUrl, JobRow, NewJob, TooManyJobsError, url_key
from webquarry.crawl.store.rows import check_same_request
from webquarry.crawl.stored_content import StoredContent
from webquarry.crawl.urls import start_url
from webquarry.errors import BadInputError, NotFoundError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.crawl import (
    CrawledPage,
    CrawlFailure,
    CrawlJob,
    CrawlProgress,
    CrawlRequest,
    Format,
    MappedUrl,
)
from webquarry.net.clock import Clock
from webquarry.net.url import parse
from webquarry.parsing.parsers import Parsers

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_POLL_SECONDS = 0.2  # between two reads of a watched job
_EXPORT_BATCH = 20  # pages
_MAX_KEY_LENGTH = 255
_ERROR_PREFIXES = (
    "http_", "timeout", "network", "broken", "dns_", "connection_", "unreachable", "tls", "busy",
    "proxy", "crash", "bad_redirect", "redirect_loop",
)  # fmt: skip


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


@dataclass(frozen=True, kw_only=True)
class CrawlQuota:
    """The limits of one person."""

    max_unfinished: int = 5
    max_pages: int = 100_000
    ttl: float = 7 * 86400.0


@dataclass(frozen=True, kw_only=True)
class CrawlDependencies:
    """The dependencies of `CrawlService`."""

    store: CrawlStore
    dispatcher: JobDispatcher
    site_mapper: SiteMapper
    blind_host: Callable[[str], bytes]
    quota: CrawlQuota = CrawlQuota()
    parsers: Parsers = field(default_factory=Parsers)
    clock: Clock = field(default_factory=Clock)


class CrawlService:
    """Starts, watches and cancels crawls."""

    def __init__(self, dependencies: CrawlDependencies) -> None:
        self._store = dependencies.store
        self._dependencies = dependencies
        self._contents = StoredContent(dependencies.store, dependencies.parsers)

    async def start(
        self, request: CrawlRequest, caller: Caller, *, idempotency_key: str | None = None
    ) -> CrawlJob:
        """Store a job and return it; the same idempotency key returns the same job.

        `BadInputError` for an invalid URL or pattern, and for a key that was used for another
        request; `RateLimitError` if the caller has too many unfinished crawls; `SettingsError` if
        several servers share a store but not a database.
        """
        job = self._new_job(request, caller, idempotency_key or "")
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
        return _job(row, self._dependencies.clock.time())

    async def job(self, job_id: str, caller: Caller) -> CrawlJob:
        """Return the current state of a job; `NotFoundError` if it is not the caller's."""
        return _job(await self._row(job_id, caller), self._dependencies.clock.time())

    async def jobs(self, caller: Caller) -> tuple[CrawlJob, ...]:
        """Return the caller's jobs, the newest first."""
        rows = await self._store.jobs(tenant=caller.tenant, user=caller.user)
        now = self._dependencies.clock.time()
        return tuple(_job(row, now) for row in rows if row.expires > now)

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
        if formats is None:
            formats = CrawlRequest.model_validate_json(row.request).formats
        rows = await self._store.pages(
            job_id, after=offset, limit=max(0, limit), bodies=bool(formats)
        )
        return await self._contents.pages(job_id, rows, formats), row.counts.crawled

    async def failures(
        self, job_id: str, caller: Caller, limit: int = 100
    ) -> tuple[CrawlFailure, ...]:
        """Return the URLs without a page, with the reason of each."""
        await self._row(job_id, caller)
        rows = await self._store.failures(job_id, limit=limit)
        return tuple(
            CrawlFailure(url=url, reason=reason, depth=depth) for url, reason, depth in rows
        )

    async def cancel(self, job_id: str, caller: Caller) -> CrawlJob:
        """Cancel a job and keep its pages; a job that has ended stays as it is."""
        await self._row(job_id, caller)
        await self._store.end(job_id, "cancelled")
        return await self.job(job_id, caller)

    async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
        """Yield the job now, after every change, and when it has ended."""
        last: CrawlJob | None = None
        while True:
            job = await self.job(job_id, caller)
            if last is None or _visible_state(job) != _visible_state(last):
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

    def resume(self) -> None:
        """Continue crawls that an earlier process left unfinished."""
        self._dependencies.dispatcher.resume_unfinished()

    async def close(self) -> None:
        """Stop running jobs so that the next start continues them."""
        await self._dependencies.dispatcher.stop()
        await self._store.close()

    async def _row(self, job_id: str, caller: Caller) -> JobRow:
        row = await self._store.job(job_id) if _ID.fullmatch(job_id) else None
        owned = row is not None and (row.tenant, row.user) == (caller.tenant, caller.user)
        if row is None or not owned or row.expires <= self._dependencies.clock.time():
            raise NotFoundError(
                f"There is no crawl {job_id!r}, or it has expired. Start a new one."
            )
        return row

    def _new_job(self, request: CrawlRequest, caller: Caller, key: str) -> NewJob:
        start = start_url(request.url)
        Scope(request, start.host)  # raises for a wrong pattern
        quota = self._dependencies.quota
        if request.max_pages > quota.max_pages:
            raise BadInputError(f"maxPages: at most {quota.max_pages} are allowed")
        if len(key) > _MAX_KEY_LENGTH:
            raise BadInputError(f"an idempotency key may have at most {_MAX_KEY_LENGTH} characters")
        if request.webhook is not None:
            parse(request.webhook)
        salt = secrets.token_bytes(32)
        now = self._dependencies.clock.time()
        return NewJob(
            id=secrets.token_urlsafe(16),
            tenant=caller.tenant,
            user=caller.user,
            request=request.model_dump_json().encode(),
            salt=salt,
            site=start.href,
            max_pages=request.max_pages,
            created=now,
            expires=now + quota.ttl,
            start=FoundUrl(
                key=url_key(salt, start.href),
                url=start.href,
                host=self._dependencies.blind_host(start.authority),
                depth=1,
            ),
            idempotency_key=key,
            # the hosts of one domain are probably served by the same machines
            host_group=self._dependencies.blind_host(
                registrable_domain(start.host) or start.authority
            ),
        )


def _visible_state(job: CrawlJob) -> tuple[object, ...]:
    progress = job.progress
    return job.state, progress.pagesCrawled, progress.pagesFound, progress.errors


def _job(row: JobRow, now: float) -> CrawlJob:
    return CrawlJob(
        id=row.id,
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
    )


def _progress(row: JobRow, now: float) -> CrawlProgress:
    counts = row.counts
    seconds = (row.finished or now) - row.started if row.started else 0.0
    errors = {
        name: count for name, count in counts.outcomes.items() if name.startswith(_ERROR_PREFIXES)
    }
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
    )
