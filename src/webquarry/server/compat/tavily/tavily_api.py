"""Tavily's API: search, extract, crawl, map and usage."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.errors import BadInputError
from webquarry.server.compat.tavily.tavily_bodies import (
    TavilyCrawlBody,
    TavilyExtractBody,
    TavilySearchBody,
    TavilySiteBody,
)
from webquarry.server.compat.tavily.tavily_extract import extract
from webquarry.server.compat.tavily.tavily_search import TavilySearch
from webquarry.server.compat.tavily.tavily_site import TavilySite
from webquarry.server.compat.vendor_api import VendorApi, VendorError
from webquarry.server.compat.vendor_body import VendorBody, parse_body, unknown_fields
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
Answer = Callable[[Request, Any], Awaitable[tuple[Json, list[str]]]]

_RESEARCH = (
    "Research tasks are not available here. Search with include_answer, or use the MCP tools "
    "answer and sequential_search of this server."
)
_FEEDBACK = "This server collects no feedback: nothing was stored."


@dataclass(frozen=True)
class _TavilyRoutes:
    """The handlers."""

    context: VendorContext

    def listed(self) -> list[BaseRoute]:
        return [
            self._post("/search", TavilySearchBody, self._search),
            self._post("/extract", TavilyExtractBody, self._extract),
            self._post("/crawl", TavilyCrawlBody, self._crawl),
            self._post("/map", TavilySiteBody, self._map),
            self._route("/usage", self._usage, "GET"),
            self._route("/research", partial(_refused, _RESEARCH), "POST"),
            self._route("/research/{id}", partial(_refused, _RESEARCH), "GET"),
            self._route("/feedback", partial(_refused, _FEEDBACK), "POST"),
        ]

    def _route(self, path: str, handle: Handle, method: str) -> Route:
        return Route(path, self.context.handler(handle), methods=[method])

    def _post(self, path: str, model: type[VendorBody], answer: Answer) -> Route:
        async def handle(request: Request) -> Response:
            started = time.perf_counter()
            body = await self.context.body(request)
            parsed = parse_body(model, body)
            found, notes = await answer(request, parsed)
            unknown = [f"{n}: is unknown: it had no effect." for n in unknown_fields(model, body)]
            return SafeJson(_response(found, [*unknown, *notes], parsed, request, started))

        return self._route(path, handle, "POST")

    async def _search(self, request: Request, body: TavilySearchBody) -> tuple[Json, list[str]]:
        return await TavilySearch(self.context, request, body).response()

    async def _extract(self, request: Request, body: TavilyExtractBody) -> tuple[Json, list[str]]:
        return await extract(self.context, request, body), []

    async def _crawl(self, request: Request, body: TavilyCrawlBody) -> tuple[Json, list[str]]:
        return await TavilySite(self.context, request).crawl(body)

    async def _map(self, request: Request, body: TavilySiteBody) -> tuple[Json, list[str]]:
        return await TavilySite(self.context, request).map(body)

    async def _usage(self, request: Request) -> Response:
        return SafeJson(await _usage(self.context, request))


async def _refused(reason: str, _: Request) -> NoReturn:
    raise BadInputError(reason)


def _routes(context: VendorContext) -> list[BaseRoute]:
    return _TavilyRoutes(context).listed()


def _response(found: Json, notes: list[str], body: Any, request: Request, started: float) -> Json:
    """Return the body of a response; `warnings` is ours, as Tavily has no field for them."""
    response = found | {
        "response_time": round(time.perf_counter() - started, 2),
        "request_id": request.state.request_id,
    }
    if body.include_usage:
        response["usage"] = {"credits": 0}  # nothing is charged
    if notes:
        response["warnings"] = notes
    return response


async def _usage(context: VendorContext, request: Request) -> Json:
    """Return the quota of the caller with the longest window; null is no limit."""
    quotas = await context.offer.services.quotas.for_caller(context.identify(request))
    longest = max(quotas, key=lambda quota: quota.windowSeconds, default=None)
    used = longest.limit - longest.remaining if longest else 0
    limit = longest.limit if longest else None
    return {
        "key": {"usage": used, "limit": limit},
        "account": {
            "current_plan": "self-hosted",
            "plan_usage": used,
            "plan_limit": limit,
            "paygo_usage": 0,
            "paygo_limit": None,
        },
    }


def _error(problem: Mapping[str, Any]) -> VendorError:
    return VendorError(problem["status"], {"detail": {"error": problem["detail"]}})


TAVILY = VendorApi(
    name="tavily",
    routes=_routes,
    error=_error,
    root_paths=("/search", "/extract", "/crawl", "/map", "/usage", "/research", "/feedback"),
    key_field="api_key",
)
