"""`POST /crawl` and `POST /batch/scrape`: jobs that read many pages."""

from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.models.cinder import Link
from webquarry.models.model import Model
from webquarry.models.webhook import Webhook, WebhookEvent, WebhookStyle
from webquarry.server.compat.firecrawl.crawl_prompt import crawl_hints
from webquarry.server.compat.firecrawl.firecrawl_actions import steps_of
from webquarry.server.compat.firecrawl.firecrawl_errors import (
    Convert,
    parsed,
    refuse,
    unchanged,
)
from webquarry.server.compat.firecrawl.firecrawl_extraction import job_schema
from webquarry.server.compat.firecrawl.firecrawl_options import (
    REFUSED,
    FirecrawlPageOptions,
    target_url,
)
from webquarry.server.compat.firecrawl.firecrawl_pages import read_formats
from webquarry.server.compat.firecrawl.path_patterns import path_pattern, paths_below
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
CRAWL, BATCH = "cinder_crawl", "cinder_batch_scrape"
_MAX_PAGES = 10_000  # Firecrawl's default
_MAX_DEPTH = 100
_Patterns = Annotated[tuple[str, ...], Field(max_length=50)]


class FirecrawlWebhook(Model):
    """Where a client wants to be told of events."""

    url: Link
    headers: dict[str, str] | None = None
    metadata: dict[str, Any] | None = None
    events: tuple[WebhookEvent, ...] | None = None

    def signed(self, style: WebhookStyle) -> Json:
        """Return a webhook of this server that sends Firecrawl's events."""
        given = self.model_dump(exclude_none=True)
        events = self.events or ("started", "page", "completed", "failed")
        hook = Webhook.model_validate({**given, "events": events, "style": style})
        return hook.model_dump(mode="json")


class FirecrawlCrawl(Model):
    """The body of a crawl."""

    url: Link
    prompt: str | None = None
    includePaths: _Patterns | None = None
    excludePaths: _Patterns | None = None
    maxDiscoveryDepth: Annotated[int, Field(ge=0)] | None = None
    sitemap: Literal["skip", "include", "only"] = "include"
    ignoreQueryParameters: bool = False
    deduplicateSimilarURLs: bool | None = None
    limit: Annotated[int, Field(ge=1)] | None = None
    crawlEntireDomain: bool = False
    allowExternalLinks: bool = False
    allowSubdomains: bool = False
    ignoreRobotsTxt: bool = False
    robotsUserAgent: str | None = None
    delay: Annotated[float, Field(ge=0, le=60)] | None = None
    maxConcurrency: Annotated[int, Field(ge=1, le=256)] | None = None
    webhook: Link | FirecrawlWebhook | None = None
    scrapeOptions: FirecrawlPageOptions = FirecrawlPageOptions()
    regexOnFullURL: bool = False
    zeroDataRetention: bool | None = None
    origin: str | None = None
    integration: str | None = None
    auditMetadata: dict[str, Any] | None = None
    threatProtection: dict[str, Any] | None = None

    def warnings(self) -> list[str]:
        """Say what is not honoured."""
        names = {
            "ignoreRobotsTxt": "ignoreRobotsTxt: robots.txt is honoured as the administrator chose",
            "robotsUserAgent": "robotsUserAgent: robots.txt is read for this server's own name",
            "auditMetadata": "auditMetadata: this server records its own users only",
        }
        found = [text for name, text in names.items() if getattr(self, name)]
        if self.deduplicateSimilarURLs is False:
            found.append("deduplicateSimilarURLs: URLs that differ only in spelling are read once")
        return found


class FirecrawlBatch(FirecrawlPageOptions):
    """The body of a batch."""

    urls: Annotated[tuple[str, ...], Field(min_length=1, max_length=10_000)]
    webhook: Link | FirecrawlWebhook | None = None
    ignoreInvalidURLs: bool | None = None
    maxConcurrency: Annotated[int, Field(ge=1, le=256)] | None = None
    appendToId: str | None = None


def crawl_handler(context: VendorContext, convert: Convert = unchanged) -> Handle:
    """Return the handler that starts a crawl."""

    async def start(request: Request) -> Response:
        options: FirecrawlCrawl = parsed(FirecrawlCrawl, convert(await context.body(request)))
        refuse(REFUSED, options.model_dump(include={"zeroDataRetention", "threatProtection"}))
        arguments, warnings = _crawl_arguments(context, options)
        job = await context.call(request, CRAWL, arguments | _key(request))
        return _started(context, request, job["crawlId"], "crawl", warnings)

    return context.handler(start)


def batch_handler(context: VendorContext, convert: Convert = unchanged) -> Handle:
    """Return the handler that starts a batch."""

    async def start(request: Request) -> Response:
        options: FirecrawlBatch = parsed(FirecrawlBatch, convert(await context.body(request)))
        refuse(
            {"appendToId": "start another batch: a batch cannot be extended"},
            {"appendToId": options.appendToId},
        )
        arguments, warnings = _page_arguments(context, options)
        arguments |= {
            "urls": list(options.urls),
            "ignoreInvalidURLs": bool(options.ignoreInvalidURLs),
            "concurrency": options.maxConcurrency,
            "webhook": _webhook(options.webhook, "firecrawl.batch_scrape"),
        }
        job = await context.call(request, BATCH, arguments | _key(request))
        invalid = [entry["url"] for entry in job.get("invalidURLs") or ()]
        extra = {"invalidURLs": invalid} if options.ignoreInvalidURLs else {}
        return _started(context, request, job["crawlId"], "batch/scrape", warnings, extra)

    return context.handler(start)


def _started(
    context: VendorContext,
    request: Request,
    job_id: str,
    path: str,
    warnings: list[str],
    extra: Json | None = None,
) -> Response:
    url = context.public_url(request, f"/{version_of(request)}/{path}/{job_id}")
    warning = {"warning": joined(warnings)} if warnings else {}
    return SafeJson({"success": True, "id": job_id, "url": url, **(extra or {}), **warning})


def version_of(request: Any) -> str:
    """Return the version of the API that the client uses."""
    return "v1" if "/v1/" in request.url.path else "v2"


def joined(warnings: list[str]) -> str:
    """Return warnings as one text."""
    return " ".join(f"{text}." for text in dict.fromkeys(warnings))


def _key(request: Request) -> Json:
    key = request.headers.get("x-idempotency-key")
    return {"idempotencyKey": key} if key else {}


def _webhook(given: str | FirecrawlWebhook | None, style: WebhookStyle) -> Json | None:
    if given is None:
        return None
    hook = FirecrawlWebhook(url=given) if isinstance(given, str) else given
    return hook.signed(style)


def _page_arguments(
    context: VendorContext, options: FirecrawlPageOptions
) -> tuple[Json, list[str]]:
    """Return how the pages of a job are read, and what is not honoured."""
    wanted = options.wanted()
    single = "is for single pages only; scrape the page"
    refuse({"branding": single, "changeTracking": single}, dict.fromkeys(wanted.options, True))
    schema, warnings = job_schema(context, wanted)
    formats = read_formats(options, wanted) + (["json"] if schema is not None else [])
    kept = options.model_dump(exclude_none=True, include=_KEPT)
    warnings = [*options.warnings(), *wanted.warnings(), *warnings]
    if options.timeout:
        warnings.append("timeout: each page has the usual time")
    arguments: Json = {
        "formats": formats,
        "schema": schema,
        "fullPage": wanted.full_page,
        "render": bool(options.waitFor),
        "headers": options.headers or {},
        "mobile": bool(options.mobile),
        "locale": options.locale,
        "steps": steps_of(options.actions),
        "clientOptions": kept | {"warnings": warnings},
    }
    return arguments, warnings


_KEPT = {"formats", "onlyMainContent", "includeTags", "excludeTags"}


def _crawl_arguments(context: VendorContext, options: FirecrawlCrawl) -> tuple[Json, list[str]]:
    if options.prompt:
        hints = crawl_hints(options.prompt)
        options = options.model_copy(
            update={n: v for n, v in hints.items() if n not in options.model_fields_set}
        )
    arguments, warnings = _page_arguments(context, options.scrapeOptions)
    if options.prompt:
        warnings.append("prompt: only numbers, paths and a few words of it are understood")
    warnings += options.warnings()
    url = target_url(options.url)
    depth = options.maxDiscoveryDepth
    whole = options.regexOnFullURL
    arguments["clientOptions"]["warnings"] = warnings
    arguments |= {
        "url": url,
        "maxPages": options.limit or _MAX_PAGES,
        "maxDepth": _MAX_DEPTH if depth is None else min(_MAX_DEPTH, depth + 1),
        "includePatterns": [path_pattern(p, whole=whole) for p in options.includePaths or ()],
        "excludePatterns": [path_pattern(p, whole=whole) for p in options.excludePaths or ()],
        "includePaths": [] if _is_wide(options) else paths_below(url),
        "sitemap": options.sitemap != "skip",
        "sitemapOnly": options.sitemap == "only",
        "externalLinks": options.allowExternalLinks,
        "subdomains": options.allowSubdomains,
        "keepParameters": [] if options.ignoreQueryParameters else None,
        "delay": options.delay,
        "concurrency": options.maxConcurrency,
        "webhook": _webhook(options.webhook, "firecrawl.crawl"),
    }
    return arguments, warnings


def _is_wide(options: FirecrawlCrawl) -> bool:
    """Whether pages outside of the path of the start page are read too."""
    return options.crawlEntireDomain or options.allowExternalLinks or options.allowSubdomains
