"""`POST /map`: the URLs of a site."""

from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.models.cinder import Link
from webquarry.models.model import Model
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_jobs import joined
from webquarry.server.compat.firecrawl.firecrawl_options import (
    REFUSED,
    FirecrawlLocation,
    target_url,
)
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_MAX_URLS = 5000


class FirecrawlMap(Model):
    """The body of a map."""

    url: Link
    search: Annotated[str, Field(max_length=200)] | None = None
    sitemap: Literal["only", "include", "skip"] = "include"
    includeSubdomains: bool | None = None
    ignoreQueryParameters: bool | None = None
    ignoreCache: bool | None = None
    limit: Annotated[int, Field(ge=1, le=100_000)] = _MAX_URLS
    timeout: Annotated[int, Field(ge=1)] | None = None
    location: FirecrawlLocation | None = None
    origin: str | None = None
    integration: str | None = None
    auditMetadata: dict[str, Any] | None = None
    threatProtection: dict[str, Any] | None = None

    def warnings(self) -> list[str]:
        """Say what is not honoured."""
        names = {
            "includeSubdomains": "includeSubdomains: URLs of this host only are listed",
            "timeout": "timeout: a site has the usual time",
            "location": "location: pages are requested from where this server is",
            "auditMetadata": "auditMetadata: this server records its own users only",
        }
        found = [text for name, text in names.items() if getattr(self, name)]
        if self.sitemap != "include":
            found.append("sitemap: URLs of sitemaps and of links are listed")
        if self.limit > _MAX_URLS:
            found.append(f"limit: at most {_MAX_URLS} URLs are listed")
        return found


def map_handler(context: VendorContext) -> Handle:
    """Return the handler of a map."""

    async def list_urls(request: Request) -> Response:
        options: FirecrawlMap = parsed(FirecrawlMap, await context.body(request))
        links = await site_links(context, request, options)
        warnings = options.warnings()
        warning = {"warning": joined(warnings)} if warnings else {}
        return SafeJson({"success": True, "links": links, **warning})

    return context.handler(list_urls)


async def site_links(context: VendorContext, request: Request, options: FirecrawlMap) -> list[Json]:
    """Return the URLs of a site with their titles."""
    refuse(REFUSED, {"threatProtection": options.threatProtection})
    arguments: Json = {"url": target_url(options.url), "limit": min(options.limit, _MAX_URLS)}
    if options.search:
        arguments["search"] = options.search
    body = await context.call(request, "cinder_map", arguments)
    return _links(body.get("urls") or [], options)


def _links(rows: list[Json], options: FirecrawlMap) -> list[Json]:
    """Return the URLs with their titles; without their query if that was asked for."""
    found: dict[str, Json] = {}
    for row in rows:
        url = row["url"].partition("?")[0] if options.ignoreQueryParameters else row["url"]
        found.setdefault(url, {"url": url, **({"title": row["title"]} if row.get("title") else {})})
    return list(found.values())
