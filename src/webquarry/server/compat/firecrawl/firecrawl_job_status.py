"""The state, pages and errors of crawls and batches."""

import json
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlJob
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed
from webquarry.server.compat.firecrawl.firecrawl_extraction import missing_fields
from webquarry.server.compat.firecrawl.firecrawl_formats import WantedFormats
from webquarry.server.compat.firecrawl.firecrawl_jobs import joined, version_of
from webquarry.server.compat.firecrawl.firecrawl_options import FirecrawlPageOptions
from webquarry.server.compat.firecrawl.firecrawl_pages import PageParts, document
from webquarry.server.compat.firecrawl.firecrawl_scrape import ALL_TOKENS, job_screenshot
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson, problem_of

Json = dict[str, Any]
STATUS = "cinder_get_crawl_status"
_PAGES = 100  # of one response
_MAX_ERRORS = 1000
_PATHS = {"crawl": "crawl", "batch": "batch/scrape"}


class JobPages:
    """Returns the pages of one job as documents."""

    def __init__(self, context: VendorContext, request: Any) -> None:
        self._context = context
        self._request = request

    async def job(self, job_id: str) -> CrawlJob:
        """Return a job of the caller."""
        caller = self._context.identify(self._request)
        return await self._context.offer.services.crawling.job(job_id, caller)

    async def status(self, job_id: str, skip: int, limit: int) -> Json:
        """Return the state of a job and some of its pages."""
        arguments = {"id": job_id, "offset": skip, "limit": limit, "max_tokens": ALL_TOKENS}
        body = await self._context.call(self._request, STATUS, arguments)
        job = await self.job(job_id)
        kept = dict(job.request.client_options or {})
        warnings: list[str] = kept.pop("warnings", [])
        options: FirecrawlPageOptions = parsed(FirecrawlPageOptions, kept)
        wanted = options.wanted()
        rows: list[Json] = body.get("pages") or []
        data = [
            await self._document(row, job_id, skip + number, options, wanted)
            for number, row in enumerate(rows, 1)
        ]
        found: Json = {**_summary(job), "data": data}
        after = body.get("nextOffset")
        if after is not None:
            query = f"skip={after}&limit={limit}"
            path = f"/{version_of(self._request)}/{_PATHS[job.kind]}/{job_id}?{query}"
            found["next"] = self._context.public_url(self._request, path)
        if job.error:
            warnings = [*warnings, job.error.rstrip(".")]
        return found | ({"warning": joined(warnings)} if warnings else {})

    async def _document(
        self,
        row: Json,
        job_id: str,
        number: int,
        options: FirecrawlPageOptions,
        wanted: WantedFormats,
    ) -> Json:
        content: Json = dict(row.get("content") or {})
        page = PageParts(
            url=row["url"],
            final_url=row.get("finalUrl", ""),
            title=row.get("title", ""),
            status=row["statusCode"],
            content=content,
            extra={"scrapeId": f"{job_id}-{number}"},
        )
        if reason := row.get("stepFailed"):
            page.warnings.append(f"actions: {reason}".rstrip("."))
        if "json" in content:
            derived: Json = content["json"]
            content["json"] = derived.get("data")
            page.warnings += missing_fields({**derived, "error": None})
        if isinstance(content.get("summary"), dict):
            page.warnings.append(f"summary: {content.pop('summary')['error']}".rstrip("."))
        if "screenshot" in wanted:
            content |= await job_screenshot(self._context, job_id, number)
        return await document(page, options, wanted, self._context.offer.services.parsers)


def status_handler(context: VendorContext) -> Handle:
    """Return the handler of the state of a job."""

    async def status(request: Request) -> Response:
        pages = JobPages(context, request)
        skip, limit = number_in(request, "skip", 0), number_in(request, "limit", _PAGES)
        found = await pages.status(request.path_params["id"], skip, max(1, min(limit, _PAGES)))
        return SafeJson({"success": True, **found})

    return context.handler(status)


def cancel_handler(context: VendorContext) -> Handle:
    """Return the handler that cancels a job."""

    async def cancel(request: Request) -> Response:
        job_id = request.path_params["id"]
        if (await JobPages(context, request).job(job_id)).ended:
            ended = BadInputError(f"{job_id} has ended already.")
            return problem_of(ended, status=409)
        await context.call(request, STATUS, {"id": job_id, "cancel": True, "limit": 1})
        return SafeJson({"success": True, "status": "cancelled"})

    return context.handler(cancel)


def errors_handler(context: VendorContext) -> Handle:
    """Return the handler of the URLs that could not be read."""

    async def errors(request: Request) -> Response:
        job_id = request.path_params["id"]
        failures = await _failures(context, request, job_id, {"errors": True})
        skipped = await _failures(context, request, job_id, {"errors": True, "skipped": True})
        listed = [_error(f"{job_id}-{n}", row) for n, row in enumerate(failures, 1)]
        robots = [row["url"] for row in skipped if row["reason"] == "robots"]
        return SafeJson({"success": True, "errors": listed, "robotsBlocked": robots})

    return context.handler(errors)


def active_handler(context: VendorContext) -> Handle:
    """Return the handler of the list of crawls that have not ended."""

    async def active(request: Request) -> Response:
        crawls: list[Json] = []
        for state in ("queued", "running"):
            arguments = {"status": state, "kind": "crawl", "limit": _PAGES}
            crawls += (await context.call(request, STATUS, arguments))["crawls"]
        caller = context.identify(request)
        rows: list[Json] = [
            {
                "id": row["crawlId"],
                "teamId": caller.tenant,
                "url": row["url"],
                "created_at": row["createdAt"],
                "options": {},
            }
            for row in crawls
        ]
        return SafeJson({"success": True, "crawls": rows})

    return context.handler(active)


async def _failures(
    context: VendorContext, request: Request, job_id: str, which: Json
) -> list[Json]:
    rows: list[Json] = []
    offset: int | None = 0
    while offset is not None and len(rows) < _MAX_ERRORS:
        arguments = {"id": job_id, "offset": offset, "limit": _PAGES, "max_tokens": ALL_TOKENS}
        body = await context.call(request, STATUS, arguments | which)
        rows += body["failures"]
        offset = body.get("nextOffset")
    return rows


def _error(error_id: str, row: Json) -> Json:
    return {
        "id": error_id,
        "timestamp": row.get("at"),
        "url": row["url"],
        "code": row["reason"].upper(),
        "error": row["message"],
    }


def _summary(job: CrawlJob) -> Json:
    """Return the counts of a job in Firecrawl's words."""
    crawled = job.progress.pagesCrawled
    failed = job.progress.errors if job.kind == "batch" else 0
    known = crawled + failed if job.ended else max(job.progress.pagesFound, crawled + failed)
    return {
        "status": "scraping" if job.state in {"queued", "running"} else job.state,
        "total": min(known, max(job.request.max_pages, crawled + failed)),
        "completed": crawled + failed,
        "creditsUsed": 0,
        "expiresAt": datetime.fromtimestamp(job.expires, UTC).isoformat().replace("+00:00", "Z"),
        "createdAt": datetime.fromtimestamp(job.created, UTC).isoformat().replace("+00:00", "Z"),
    }


def number_in(request: Request, name: str, default: int) -> int:
    """Return a number of the query."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadInputError(f"{name}: must be a number, not {json.dumps(text[:50])}")
    return int(text)
