"""Firecrawl's API, version 2 and the calls of version 1 that its clients still make."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.server.compat.vendor_api import VendorApi, VendorError
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.problem_details import SafeJson


def _routes(context: VendorContext) -> list[BaseRoute]:
    async def scrape(request: Request) -> Response:
        body = await context.body(request)
        page = await context.call(
            request, "cinder_scrape", {"url": body.get("url"), "max_tokens": 1_000_000}
        )
        data = {"markdown": page["content"], "metadata": {"sourceURL": page["url"]}}
        return SafeJson({"success": True, "data": data})

    return [Route("/v2/scrape", context.handler(scrape), methods=["POST"])]


def _error(problem: Mapping[str, Any]) -> VendorError:
    return VendorError(problem["status"], {"success": False, "error": problem["detail"]})


FIRECRAWL = VendorApi(
    name="firecrawl", routes=_routes, error=_error, root_paths=("/v2/",), job_paths=()
)
