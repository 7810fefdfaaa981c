"""Firecrawl's API, version 2 and the calls of version 1 that its clients still make."""

from starlette.routing import BaseRoute, Route

from webquarry.server.compat.firecrawl.firecrawl_account import (
    concurrency_handler,
    history_handler,
    queue_handler,
    usage_handler,
)
from webquarry.server.compat.firecrawl.firecrawl_agent import agent_routes
from webquarry.server.compat.firecrawl.firecrawl_browser import RecentScrapes, browser_routes
from webquarry.server.compat.firecrawl.firecrawl_errors import (
    Convert,
    firecrawl_error,
    unchanged,
)
from webquarry.server.compat.firecrawl.firecrawl_extract import (
    extract_status_handler,
    start_extract_handler,
)
from webquarry.server.compat.firecrawl.firecrawl_indexes import (
    developer_handler,
    github_handler,
    gov_handler,
    paper_handler,
    papers_handler,
    related_handler,
)
from webquarry.server.compat.firecrawl.firecrawl_job_status import (
    active_handler,
    cancel_handler,
    errors_handler,
    status_handler,
)
from webquarry.server.compat.firecrawl.firecrawl_jobs import batch_handler, crawl_handler
from webquarry.server.compat.firecrawl.firecrawl_map import map_handler
from webquarry.server.compat.firecrawl.firecrawl_monitors import monitor_routes
from webquarry.server.compat.firecrawl.firecrawl_parse import parse_formats_handler, parse_handler
from webquarry.server.compat.firecrawl.firecrawl_preview import preview_handler
from webquarry.server.compat.firecrawl.firecrawl_refusals import refusal_routes
from webquarry.server.compat.firecrawl.firecrawl_scrape import scrape_handler
from webquarry.server.compat.firecrawl.firecrawl_search import search_handler
from webquarry.server.compat.firecrawl.firecrawl_socket import serve_socket
from webquarry.server.compat.firecrawl.firecrawl_v1 import (
    crawl_body,
    page_body,
    v1_map_handler,
    v1_search_handler,
    v1_usage_handler,
)
from webquarry.server.compat.vendor_api import VendorApi
from webquarry.server.compat.vendor_context import Handle, VendorContext

_PAPERS = "/v2/search/research/papers"


def _routes(context: VendorContext) -> list[BaseRoute]:
    scrapes = RecentScrapes()
    return [
        _post("/v2/scrape", scrape_handler(context, done=scrapes.add)),
        *browser_routes(context, scrapes),
        *monitor_routes(context),
        _post("/v2/map", map_handler(context)),
        _post("/v2/parse", parse_handler(context)),
        _get("/v2/parse/formats", parse_formats_handler(context)),
        *_search_routes(context),
        *_job_routes(context, "/v2", unchanged, unchanged),
        *_extract_routes(context),
        *_account_routes(context),
        *_v1_routes(context),
        *refusal_routes(context),
    ]


def _get(path: str, handle: Handle) -> Route:
    return Route(path, handle, methods=["GET"])


def _post(path: str, handle: Handle) -> Route:
    return Route(path, handle, methods=["POST"])


def _delete(path: str, handle: Handle) -> Route:
    return Route(path, handle, methods=["DELETE"])


def _search_routes(context: VendorContext) -> list[BaseRoute]:
    return [
        _post("/v2/search", search_handler(context)),
        _post("/v2/search/gov", gov_handler(context)),
        _post("/v2/search/developer", developer_handler(context)),
        _get("/v2/search/research/github", github_handler(context)),
        _get(_PAPERS, papers_handler(context)),
        _get(f"{_PAPERS}/{{id:path}}/similar", related_handler(context)),
        _get(f"{_PAPERS}/{{id:path}}", paper_handler(context)),
    ]


def _job_routes(
    context: VendorContext, root: str, crawl: Convert, page: Convert
) -> list[BaseRoute]:
    status, cancel = status_handler(context), cancel_handler(context)
    errors, active = errors_handler(context), active_handler(context)
    return [
        _post(f"{root}/crawl", crawl_handler(context, crawl)),
        _post(f"{root}/batch/scrape", batch_handler(context, page)),
        _post(f"{root}/crawl/params-preview", preview_handler(context)),
        _get(f"{root}/crawl/active", active),
        _get(f"{root}/crawl/ongoing", active),
        *(
            route
            for path in (f"{root}/crawl/{{id}}", f"{root}/batch/scrape/{{id}}")
            for route in (
                _get(path, status),
                _delete(path, cancel),
                _get(f"{path}/errors", errors),
            )
        ),
    ]


def _extract_routes(context: VendorContext) -> list[BaseRoute]:
    status = extract_status_handler(context)
    return [
        _post("/v2/extract", start_extract_handler(context)),
        _get("/v2/extract/{id}", status),
        *agent_routes(context),
    ]


def _account_routes(context: VendorContext) -> list[BaseRoute]:
    history = history_handler(context)
    return [
        _get("/v2/team/credit-usage", usage_handler(context, "Credits")),
        _get("/v2/team/token-usage", usage_handler(context, "Tokens")),
        _get("/v2/team/credit-usage/historical", history),
        _get("/v2/team/token-usage/historical", history),
        _get("/v2/team/queue-status", queue_handler(context)),
        _get("/v2/concurrency-check", concurrency_handler(context)),
    ]


def _v1_routes(context: VendorContext) -> list[BaseRoute]:
    return [
        _post("/v1/scrape", scrape_handler(context, page_body)),
        _post("/v1/map", v1_map_handler(context)),
        _post("/v1/search", v1_search_handler(context)),
        *_job_routes(context, "/v1", crawl_body, page_body),
        _post("/v1/extract", start_extract_handler(context)),
        _get("/v1/extract/{id}", extract_status_handler(context)),
        _get("/v1/team/credit-usage", v1_usage_handler(context, "credits")),
        _get("/v1/team/token-usage", v1_usage_handler(context, "tokens")),
        _get("/v1/team/credit-usage/historical", history_handler(context)),
        _get("/v1/team/token-usage/historical", history_handler(context)),
    ]


_JOBS = ("crawl", "batch", "extract", "agent", "monitor")

FIRECRAWL = VendorApi(
    name="firecrawl",
    routes=_routes,
    error=firecrawl_error,
    root_paths=("/v2/",),
    socket=serve_socket,
    job_paths=tuple(f"/{version}/{job}" for version in ("v1", "v2") for job in _JOBS),
)
