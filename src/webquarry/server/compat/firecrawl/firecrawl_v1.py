"""Bodies and responses of version 1 of Firecrawl's API."""

from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed
from webquarry.server.compat.firecrawl.firecrawl_map import FirecrawlMap, site_links
from webquarry.server.compat.firecrawl.firecrawl_search import FirecrawlSearch, SearchCall
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_JSON_FORMATS = frozenset({"json", "extract"})


def page_body(body: Json) -> Json:
    """Return the options of a page of version 1 as those of version 2."""
    options = {name: value for name, value in body.items() if value is not None}
    wanted = cast("Json", options.pop("jsonOptions", None) or options.pop("extract", None) or {})
    changes = cast("Json", options.pop("changeTrackingOptions", None) or {})
    prompt = " ".join(filter(None, (wanted.get("systemPrompt"), wanted.get("prompt"))))
    data: Json = {"type": "json", "schema": wanted.get("schema"), "prompt": prompt or None}
    if options.pop("agent", None) or wanted.get("agent"):
        raise BadInputError("agent: pages are read, not operated; leave agent out")
    formats: list[Any] = []
    for name in cast("list[Any]", options.get("formats") or []):
        if name in _JSON_FORMATS:
            formats.append(data)
        elif name == "changeTracking":
            formats.append({"type": name, **changes})
        else:
            formats.append(name)
    if "formats" in options:
        options["formats"] = formats
    if options.pop("parsePDF", True) is False:
        options["parsers"] = []
    return options


def crawl_body(body: Json) -> Json:
    """Return the options of a crawl of version 1 as those of version 2."""
    options = {name: value for name, value in body.items() if value is not None}
    if options.pop("ignoreSitemap", False):
        options["sitemap"] = "skip"
    if (backward := options.pop("allowBackwardLinks", None)) is not None:
        options.setdefault("crawlEntireDomain", backward)
    if (depth := options.pop("maxDepth", None)) is not None:
        options.setdefault("maxDiscoveryDepth", depth)
    if "scrapeOptions" in options:
        options["scrapeOptions"] = page_body(cast("Json", options["scrapeOptions"]))
    return options


def v1_map_handler(context: VendorContext) -> Handle:
    """Return the handler of a map, whose links are plain URLs."""

    async def list_urls(request: Request) -> Response:
        body = {k: v for k, v in (await context.body(request)).items() if v is not None}
        only, ignore = body.pop("sitemapOnly", False), body.pop("ignoreSitemap", False)
        if only or ignore:
            body["sitemap"] = "only" if only else "skip"
        options: FirecrawlMap = parsed(FirecrawlMap, body)
        links = await site_links(context, request, options)
        return SafeJson({"success": True, "links": [link["url"] for link in links]})

    return context.handler(list_urls)


def v1_search_handler(context: VendorContext) -> Handle:
    """Return the handler of a search, whose results are one list."""

    async def search(request: Request) -> Response:
        body = {k: v for k, v in (await context.body(request)).items() if v is not None}
        if extra := body.pop("filter", None):
            body["query"] = f"{body.get('query', '')} {extra}"
        if "scrapeOptions" in body:
            body["scrapeOptions"] = page_body(cast("Json", body["scrapeOptions"]))
        options: FirecrawlSearch = parsed(FirecrawlSearch, body)
        answer = await SearchCall(context, request, options).response()
        return SafeJson(answer | {"data": answer["data"]["web"]})

    return context.handler(search)


def v1_usage_handler(context: VendorContext, noun: str) -> Handle:
    """Return the handler of the credits or tokens that are left."""

    async def usage(request: Request) -> Response:
        context.identify(request)
        plenty = 1_000_000_000
        data = {f"remaining_{noun}": plenty, f"plan_{noun}": plenty}
        period = {"billing_period_start": None, "billing_period_end": None}
        return SafeJson({"success": True, "data": data | period})

    return context.handler(usage)
