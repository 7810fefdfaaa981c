"""`POST /scrape`: one page."""

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import NetworkError, PageError
from webquarry.models.caller import Caller
from webquarry.models.cinder import Link
from webquarry.models.result import Result
from webquarry.server.compat.firecrawl.firecrawl_actions import action_results, steps_of
from webquarry.server.compat.firecrawl.firecrawl_brand import branding
from webquarry.server.compat.firecrawl.firecrawl_errors import (
    Convert,
    parsed,
    refuse,
    unchanged,
)
from webquarry.server.compat.firecrawl.firecrawl_extraction import extracted_data
from webquarry.server.compat.firecrawl.firecrawl_options import (
    CACHE_MS,
    FirecrawlPageOptions,
    target_url,
)
from webquarry.server.compat.firecrawl.firecrawl_pages import (
    PageParts,
    data_url,
    document,
    read_formats,
)
from webquarry.server.compat.vendor_context import Handle, ToolFailedError, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
ALL_TOKENS = 1_000_000  # of a result: the client gets a page as a whole
_READ, _BATCH, _STATUS = "cinder_scrape", "cinder_batch_scrape", "cinder_get_crawl_status"
_NOT_FOUND = 404
_SERVICES = {"alexandria": "is not available: it is a service of Firecrawl"}


class FirecrawlScrape(FirecrawlPageOptions):
    """The body of a scrape."""

    url: Link = Field(min_length=1)


class ScrapeCall:
    """Reads one page for one request."""

    def __init__(
        self, context: VendorContext, request: Request, options: FirecrawlPageOptions
    ) -> None:
        self._context = context
        self._request = request
        self._options = options
        self._wanted = options.wanted()
        self._without_browser = False

    async def document(self, url: str) -> Json:
        """Return the page; `NetworkError` if it takes longer than the client waits."""
        url = target_url(url)
        try:
            async with asyncio.timeout(self._options.seconds):
                return await self._document(url)
        except TimeoutError as error:
            message = f"{url} was not read within {self._options.seconds:g} seconds."
            raise NetworkError(message, details={"detail": "timeout"}) from error

    async def _document(self, url: str) -> Json:
        page = await (self._special(url) if self._options.is_special else self._read(url))
        page.warnings[:0] = [*self._options.warnings(), *self._wanted.warnings()]
        if self._without_browser:
            page.warnings.append("waitFor: there is no browser here, so no script was run")
        await self._add_derived(page)
        parsers = self._context.offer.services.parsers
        return await document(page, self._options, self._wanted, parsers)

    async def _read(self, url: str) -> PageParts:
        """Read a page as the other tools do, from the cache if it is recent enough."""
        try:
            result = await self._result(self._arguments(url))
        except ToolFailedError as error:
            if (missing := _missing_page(url, error)) is None:
                raise
            return missing
        body, meta = result.structured or {}, result.meta
        page = PageParts(
            url=url,
            final_url=meta.get("finalUrl", ""),
            title=body.get("title", ""),
            status=body["statusCode"],
            content=dict(body),
            details=body.get("metadata") or {},
            extra={
                "scrapeId": self._request.state.request_id,
                "cacheState": "hit" if meta.get("cached") else "miss",
            },
        )
        if outcomes := body.get("steps"):
            page.content["actions"] = await action_results(outcomes, page.url, self._file)
            page.warnings += [note.rstrip(".") for note in body.get("notes") or ()]
        page.warnings += [f"{name}: {why}" for name, why in meta.get("omitted", {}).items()]
        if shot := body.get("screenshot"):
            page.content["screenshot"] = (await self._file(shot["url"].rpartition("/")[2]))["url"]
        if body.get("nextCursor"):
            page.warnings.append(
                "the page is too long to be returned as a whole: its end is missing"
            )
        return page

    async def _result(self, arguments: Json) -> Result:
        try:
            result = await self._context.result(self._request, _READ, arguments)
        except ToolFailedError as error:
            if arguments["mode"] != "dynamic" or error.kind != "browser_unavailable":
                raise
            self._without_browser = True
            plain = arguments | {"mode": "smart"}
            result = await self._context.result(self._request, _READ, plain)
        if self._is_too_old(result.meta):
            fresh = arguments | {"fresh": True}
            return await self._context.result(self._request, _READ, fresh)
        return result

    def _arguments(self, url: str) -> Json:
        formats = read_formats(self._options, self._wanted)
        age = self._options.maxAge
        return {
            "url": url,
            "formats": formats,
            "fullPage": self._wanted.full_page,
            "mode": "dynamic" if self._options.waitFor else "smart",
            "fresh": age == 0,
            "max_tokens": ALL_TOKENS,
            "steps": steps_of(self._options.actions),
        }

    def _is_too_old(self, meta: Json) -> bool:
        age = self._options.maxAge
        return bool(age) and age < CACHE_MS and meta.get("ageSeconds", 0) * 1000 > age

    async def _file(self, artifact: str) -> Json:
        caller = self._context.identify(self._request)
        found = await self._context.offer.services.artifacts.read(
            artifact, tenant=caller.tenant, owner=caller.user
        )
        text = found.chunk.decode("utf-8", "replace") if found.mime.startswith("text/") else ""
        return {"url": data_url(found.chunk, found.mime), "text": text}

    async def _special(self, url: str) -> PageParts:
        """Read a page with other headers, language or device: only jobs have such requests."""
        options, wanted = self._options, self._wanted
        arguments: Json = {
            "urls": [url],
            "formats": read_formats(options, wanted),
            "headers": options.headers or {},
            "mobile": bool(options.mobile),
            "locale": options.locale,
            "render": bool(options.waitFor),
            "fullPage": wanted.full_page,
            "wait": True,
            "index": False,
            "steps": steps_of(options.actions),
        }
        job = await self._context.call(self._request, _BATCH, arguments)
        job_id = job["crawlId"]
        status = {"id": job_id, "max_tokens": ALL_TOKENS}
        body = await self._context.call(self._request, _STATUS, status)
        if not body.get("pages"):
            raise _unread(url, body)
        row = body["pages"][0]
        page = PageParts(
            url=url,
            final_url=row.get("finalUrl", ""),
            title=row.get("title", ""),
            status=row["statusCode"],
            content=dict(row.get("content") or {}),
            extra={"scrapeId": job_id, "cacheState": "miss"},
        )
        if reason := row.get("stepFailed"):
            page.warnings.append(f"actions: {reason}".rstrip("."))
        if "screenshot" in page.content:
            page.content |= await job_screenshot(self._context, job_id, 1)
        return page

    async def _add_derived(self, page: PageParts) -> None:
        """Add what other tools make of a page."""
        if "json" in self._wanted and page.status != _NOT_FOUND:
            data, warnings = await extracted_data(
                self._context, self._request, page.url, self._wanted
            )
            page.content["json"] = data
            page.warnings += warnings
        if "branding" in self._wanted:
            page.content["branding"] = await branding(self._context, self._request, page.url)


def _missing_page(url: str, error: ToolFailedError) -> PageParts | None:
    """Return a page that does not exist: for Firecrawl, that is a result."""
    if error.kind != "not_found":
        return None
    extra = {"error": str(error)}
    return PageParts(url=url, status=_NOT_FOUND, content={"markdown": ""}, extra=extra)


def _unread(url: str, body: Json) -> PageError:
    failures: list[Json] = body.get("failures") or []
    reason = failures[0]["message"] if failures else f"it was {body['status']}"
    return PageError(f"{url} could not be read: {reason}")


async def job_screenshot(context: VendorContext, job_id: str, number: int) -> Json:
    """Return the screenshot of a page of a job, whose owner was checked before."""
    image = await context.offer.services.crawling.stored_pages.screenshot(job_id, number)
    return {"screenshot": data_url(image.content, image.media_type) if image else None}


NotesScrape = Callable[[Caller, str, str], None]  # of a caller: the id, and the URL


def scrape_handler(
    context: VendorContext, convert: Convert = unchanged, done: NotesScrape | None = None
) -> Handle:
    """Return the handler of a scrape, whose body is converted from another version."""

    async def scrape(request: Request) -> Response:
        body = await context.body(request)
        refuse(_SERVICES, body)
        options: FirecrawlScrape = parsed(FirecrawlScrape, convert(body))
        made = await ScrapeCall(context, request, options).document(options.url)
        if done and (scrape := made["metadata"].get("scrapeId")):
            done(context.identify(request), scrape, options.url)
        return SafeJson({"success": True, "data": made})

    return context.handler(scrape)
