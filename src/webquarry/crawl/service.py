"""Crawling for callers: each sees the jobs of its own tenant and user only."""

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
from webquarry.crawl.store.crawl_values import FoundUrl, JobRow, NewJob, TooManyJobsError, key_of
from webquarry.crawl.store.rows import check_same
from webquarry.crawl.stored_content import StoredContent
from webquarry.crawl.urls import start_of
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

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_LOOK = 0.2  # seconds between two looks at a job that is watched
_EXPORTED = 20  # pages at a time
_LONGEST_KEY = 255
_ERRORS = ("http_", "timeout", "network", "broken", "dns_", "connection_", "unreachable", "tls",
           "busy", "proxy", "crash", "bad_redirect", "redirect_loop")  # fmt: skip


class JobDispatcher(Protocol):
    """Sees that crawls are run, in this process or elsewhere."""

    async def dispatch(self, job_id: str) -> None:
        """Have a new crawl run."""
        ...

    def mind(self) -> None:
        """Go on with crawls that were left unfinished."""
        ...

    async def stop(self) -> None:
        """Put crawls down so that the next start goes on with them."""
        ...


@dataclass(frozen=True, kw_only=True)
class CrawlQuota:
    """How much one person may have."""

    unfinished: int = 5
    pages: int = 100_000
    ttl: float = 7 * 86400.0


@dataclass(frozen=True, kw_only=True)
class CrawlDependencies:
    """What crawling works with."""

    crawls: CrawlStore
    dispatcher: JobDispatcher
    sites: SiteMapper
    name_host: Callable[[str], bytes]
    allowance: CrawlQuota = CrawlQuota()
    clock: Clock = field(default_factory=Clock)


class CrawlService:
    """Starts, watches and ends crawls."""

    def __init__(self, means: CrawlDependencies) -> None:
        self._crawls = means.crawls
        self._means = means
        self._contents = StoredContent(means.crawls)

    async def start(
        self, request: CrawlRequest, caller: Caller, *, idempotency_key: str | None = None
    ) -> CrawlJob:
        """Store a job and return it; the same key again returns the same job.

        `BadInputError` for a URL or pattern that cannot be used (and for a key that was used with
        another request), `RateLimitError` when the caller has too many unfinished crawls,
        `SettingsError` when several servers share a store but not a database.
        """
        job = self._new(request, caller, idempotency_key or "")
        most = self._means.allowance.unfinished
        try:
            row = await self._crawls.create(job, most=most)
        except TooManyJobsError as error:
            raise RateLimitError(
                f"There are {most} unfinished crawls already. Wait for one or cancel one."
            ) from error
        if row.id != job.id:
            check_same(row, job.request)
        else:
            await self._means.dispatcher.dispatch(row.id)
        return _job(row, self._means.clock.today())

    async def job(self, job_id: str, caller: Caller) -> CrawlJob:
        """Return a job as it stands; `NotFoundError` for one that is not the caller's."""
        return _job(await self._row(job_id, caller), self._means.clock.today())

    async def jobs(self, caller: Caller) -> tuple[CrawlJob, ...]:
        """Return the caller's jobs, the newest first."""
        rows = await self._crawls.jobs(tenant=caller.tenant, user=caller.user)
        now = self._means.clock.today()
        return tuple(_job(row, now) for row in rows if row.expires > now)

    async def pages(
        self,
        job_id: str,
        caller: Caller,
        offset: int = 0,
        limit: int = 50,
        formats: Sequence[Format] | None = None,
    ) -> tuple[tuple[CrawledPage, ...], int]:
        """Return pages in the order they came, and how many there are so far.

        `formats` says what their `content` holds: () for none, None for what the job asked for.
        """
        row = await self._row(job_id, caller)
        if formats is None:
            formats = CrawlRequest.model_validate_json(row.request).formats
        rows = await self._crawls.pages(
            job_id, after=offset, most=max(0, limit), bodies=bool(formats)
        )
        return await self._contents.pages(job_id, rows, formats), row.counts.crawled

    async def failures(
        self, job_id: str, caller: Caller, limit: int = 100
    ) -> tuple[CrawlFailure, ...]:
        """Return addresses that gave no page, with the reason of each."""
        await self._row(job_id, caller)
        found = await self._crawls.failures(job_id, most=limit)
        return tuple(
            CrawlFailure(url=url, reason=reason, depth=depth) for url, reason, depth in found
        )

    async def cancel(self, job_id: str, caller: Caller) -> CrawlJob:
        """End a job and keep its pages; one that has ended stays as it is."""
        await self._row(job_id, caller)
        await self._crawls.end(job_id, "cancelled")
        return await self.job(job_id, caller)

    async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
        """Yield the job now, after every change, and for the last time when it has ended."""
        last: CrawlJob | None = None
        while True:
            job = await self.job(job_id, caller)
            if last is None or _news(job) != _news(last):
                yield job
                last = job
            if job.ended:
                return
            await asyncio.sleep(_LOOK)

    async def export(
        self, job_id: str, caller: Caller, formats: Sequence[Format] | None = None
    ) -> AsyncIterator[str]:
        """Yield one line of JSON per page, as `CrawledPage` spells it."""
        offset = 0
        while True:
            pages, _ = await self.pages(job_id, caller, offset, _EXPORTED, formats)
            for page in pages:
                yield page.model_dump_json() + "\n"
            if len(pages) < _EXPORTED:
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
        """Return the URLs of a site by its sitemaps and the links of one page; none is read."""
        logger.debug("%s maps %s", caller.user, url)
        wanted = MapRequest(limit=limit, subdomains=subdomains, search=search)
        return await self._means.sites.of(url, wanted)

    async def erase(self, *, tenant: str, user: str | None = None) -> int:
        """Delete the jobs and pages of a tenant or of one person; return how many jobs."""
        return await self._crawls.erase(tenant=tenant, user=user)

    def resume(self) -> None:
        """Go on with crawls that a process before this one left unfinished."""
        self._means.dispatcher.mind()

    async def close(self) -> None:
        """Put running jobs down so that the next start goes on with them."""
        await self._means.dispatcher.stop()
        await self._crawls.close()

    async def _row(self, job_id: str, caller: Caller) -> JobRow:
        row = await self._crawls.job(job_id) if _ID.fullmatch(job_id) else None
        owned = row is not None and (row.tenant, row.user) == (caller.tenant, caller.user)
        if row is None or not owned or row.expires <= self._means.clock.today():
            raise NotFoundError(
                f"There is no crawl {job_id!r}, or it has expired. Start a new one."
            )
        return row

    def _new(self, request: CrawlRequest, caller: Caller, key: str) -> NewJob:
        start = start_of(request.url)
        Scope(request, start.host)  # says which pattern is wrong
        allowance = self._means.allowance
        if request.max_pages > allowance.pages:
            raise BadInputError(f"maxPages is at most {allowance.pages} here")
        if len(key) > _LONGEST_KEY:
            raise BadInputError(f"an idempotency key has at most {_LONGEST_KEY} characters")
        if request.webhook is not None:
            parse(request.webhook)
        salt = secrets.token_bytes(32)
        now = self._means.clock.today()
        return NewJob(
            id=secrets.token_urlsafe(16),
            tenant=caller.tenant,
            user=caller.user,
            request=request.model_dump_json().encode(),
            salt=salt,
            site=start.href,
            max_pages=request.max_pages,
            created=now,
            expires=now + allowance.ttl,
            start=FoundUrl(
                key=key_of(salt, start.href),
                url=start.href,
                host=self._means.name_host(start.place),
                depth=1,
            ),
            idempotency=key,
            # its hosts are most likely served by the same machines
            place=self._means.name_host(registrable_domain(start.host) or start.place),
        )


def _news(job: CrawlJob) -> tuple[object, ...]:
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
    took = (row.finished or now) - row.started if row.started else 0.0
    errors = {name: count for name, count in counts.outcomes.items() if name.startswith(_ERRORS)}
    skipped: Mapping[str, int] = {
        name: count for name, count in counts.outcomes.items() if name not in errors
    }
    return CrawlProgress(
        pagesFound=counts.found,
        pagesCrawled=counts.crawled,
        rate=round(counts.crawled / took, 2) if took > 0 else 0.0,
        depth=counts.depth,
        errors=sum(errors.values()),
        skipped=skipped,
    )
