"""Calls of Firecrawl's clients that this server does not serve, each with its reason."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.errors import BadInputError
from webquarry.server.compat.vendor_context import Handle, VendorContext

_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_BROWSER = "use /v2/browser, or /v2/scrape/{id}/interact"
# path → reason; the first that matches counts
REFUSALS = {
    "/v2/browser/{rest:path}": _BROWSER,
    "/v2/interact": _BROWSER,
    "/v2/interact/{rest:path}": _BROWSER,
    "/v1/deep-research": "use /v2/search, or the tools of a research session over MCP",
    "/v1/deep-research/{id}": "use /v2/search, or the tools of a research session over MCP",
    "/v1/llmstxt": "Firecrawl has ended this service; crawl the site instead",
    "/v1/llmstxt/{id}": "Firecrawl has ended this service; crawl the site instead",
}


def refusal_routes(context: VendorContext) -> list[BaseRoute]:
    """Return the routes of what is not served."""
    return [
        Route(path, _refusing(context, path, why), methods=_ANY) for path, why in REFUSALS.items()
    ]


def _refusing(context: VendorContext, path: str, reason: str) -> Handle:
    name = path.replace("/{rest:path}", "").replace("{id}", "…")

    async def refuse(_: Request) -> Response:
        raise BadInputError(f"{name} is not available: {reason}.")

    return context.handler(refuse)
