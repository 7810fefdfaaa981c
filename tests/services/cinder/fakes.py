"""A crawl engine whose crawls a test writes down."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from webquarry.crawl.service import CrawlService, FailureKind
from webquarry.crawl.store.listings import JobFilter
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.crawl import (
    CrawledPage,
    CrawlFailure,
    CrawlJob,
    CrawlProgress,
    CrawlRequest,
    Format,
    InvalidUrl,
    MappedUrl,
    State,
)

BEGAN = 1_700_000_000.0


def crawled(number: int, *formats: Format) -> CrawledPage:
    """Return a page of a crawl."""
    contents: dict[Format, Any] = {
        "markdown": f"# Page {number}",
        "html": f"<h1>Page {number}</h1>",
        "text": f"Page {number}",
        "links": ("https://owls.test/1",),
    }
    return CrawledPage.model_validate(
        {
            "url": f"https://owls.test/{number}",
            "final_url": f"https://owls.test/{number}",
            "status": 200,
            "title": f"Page {number}" if number else "",
            "depth": 1,
            "media_type": "text/html",
            "content": {name: contents[name] for name in formats},
            "links": 1,
            "bytes": 100 + number,
            "words": 2,
            "fetched_at": BEGAN,
            "hash": "0" * 64,
        }
    )


class Crawls(CrawlService):
    """Keeps jobs in memory; each step of `script` is one change of a job that is watched."""

    def __init__(self, *script: dict[str, Any], pages: int = 3) -> None:
        self.script = script or ({"state": "completed", "pagesCrawled": pages},)
        self.count = pages
        self.started: list[CrawlRequest] = []
        self.known: dict[str, tuple[CrawlJob, Caller]] = {}
        self.keys: dict[str, str] = {}
        self.mapped: tuple[MappedUrl, ...] = ()
        self.asked: list[Any] = []
        self.failed: tuple[CrawlFailure, ...] = ()

    async def start(
        self, request: CrawlRequest, caller: Caller, *, idempotency_key: str | None = None
    ) -> CrawlJob:
        if idempotency_key in self.keys:
            job = self.known[self.keys[idempotency_key]][0]
            if job.request != request:
                raise BadInputError("idempotencyKey: was used with another request")
            return job
        self.started.append(request)
        job = CrawlJob(
            id=f"job{len(self.started)}",
            tenant=caller.tenant,
            user=caller.user,
            state="queued",
            request=request,
            created=BEGAN,
            expires=BEGAN + 3600,
        )
        self.known[job.id] = (job, caller)
        if idempotency_key:
            self.keys[idempotency_key] = job.id
        return job

    async def start_batch(
        self,
        urls: Sequence[str],
        options: CrawlRequest,
        caller: Caller,
        *,
        idempotency_key: str | None = None,
        ignore_invalid: bool = False,
    ) -> tuple[CrawlJob, tuple[InvalidUrl, ...]]:
        bad = tuple(
            InvalidUrl(index=index, url=url, reason="it is not a complete URL")
            for index, url in enumerate(urls)
            if "://" not in url
        )
        if bad and not ignore_invalid:
            raise BadInputError(f"{len(bad)} of {len(urls)} URLs are not valid")
        self.asked.append(tuple(urls))
        request = options.model_copy(update={"url": urls[0], "max_pages": len(urls)})
        job = await self.start(request, caller, idempotency_key=idempotency_key)
        started = job.model_copy(
            update={
                "kind": "batch",
                "progress": CrawlProgress(pagesFound=len(urls) - len(bad)),
            }
        )
        self.known[job.id] = (started, caller)
        return started, bad

    async def jobs(
        self,
        caller: Caller,
        *,
        selected: JobFilter | None = None,
        offset: int = 0,
        limit: int = 100,
    ) -> tuple[CrawlJob, ...]:
        wanted = selected or JobFilter()
        listed = [
            job
            for job, owner in reversed(self.known.values())
            if owner.user == caller.user
            and job.state in (wanted.states or (job.state,))
            and job.kind in (wanted.kinds or (job.kind,))
        ]
        return tuple(listed[offset : offset + limit])

    async def failures(
        self,
        job_id: str,
        caller: Caller,
        limit: int = 100,
        *,
        offset: int = 0,
        which: FailureKind = "all",
    ) -> tuple[CrawlFailure, ...]:
        await self.job(job_id, caller)
        listed = [each for each in self.failed if which == "all" or each.attempts]
        return tuple(listed[offset : offset + limit])

    async def job(self, job_id: str, caller: Caller) -> CrawlJob:
        job, owner = self.known.get(job_id, (None, None))
        if job is None or owner is None or owner.user != caller.user:
            raise NotFoundError(f"There is no crawl {job_id!r} of yours.")
        return job

    async def pages(
        self,
        job_id: str,
        caller: Caller,
        offset: int = 0,
        limit: int = 50,
        formats: Sequence[Format] | None = None,
    ) -> tuple[tuple[CrawledPage, ...], int]:
        job = await self.job(job_id, caller)
        wanted = job.request.formats if formats is None else tuple(formats)
        there = [crawled(number, *wanted) for number in range(self.count)]
        return tuple(there[offset : offset + limit]), self.count

    async def cancel(self, job_id: str, caller: Caller) -> CrawlJob:
        job = await self.job(job_id, caller)
        return job if job.ended else self.become(job_id, "cancelled")

    async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
        yield await self.job(job_id, caller)
        for step in self.script:
            yield self.become(job_id, **step)

    async def export(
        self, job_id: str, caller: Caller, formats: Sequence[Format] | None = None
    ) -> AsyncIterator[str]:
        pages, _ = await self.pages(job_id, caller, formats=formats)
        for page in pages:
            yield page.model_dump_json() + "\n"

    async def map(
        self,
        url: str,
        caller: Caller,
        *,
        limit: int = 1000,
        subdomains: bool = False,
        sitemap: bool = True,
        search: str = "",
    ) -> tuple[MappedUrl, ...]:
        self.asked.append((url, limit, search))
        return self.mapped[:limit]

    def become(self, job_id: str, state: State, **progress: float) -> CrawlJob:
        """Put a job into a state."""
        job, owner = self.known[job_id]
        ended = state not in ("queued", "running")
        percent = 100.0 if state == "completed" else 0.0
        found = {"pagesFound": progress.get("pagesCrawled", 0), "percent": percent} | progress
        changed = job.model_copy(
            update={
                "state": state,
                "progress": CrawlProgress.model_validate(found),
                "finished": BEGAN + 60 if ended else None,
            }
        )
        self.known[job_id] = (changed, owner)
        return changed
