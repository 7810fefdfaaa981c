"""Firecrawl's API, version 2 and the calls of version 1 that its clients still make."""

from starlette.routing import BaseRoute, Route

from webquarry.server.compat.firecrawl.firecrawl_errors import firecrawl_error
from webquarry.server.compat.firecrawl.firecrawl_job_status import (
    active_handler,
    cancel_handler,
    errors_handler,
    status_handler,
)
from webquarry.server.compat.firecrawl.firecrawl_jobs import batch_handler, crawl_handler
from webquarry.server.compat.firecrawl.firecrawl_map import map_handler
from webquarry.server.compat.firecrawl.firecrawl_scrape import scrape_handler
from webquarry.server.compat.vendor_api import VendorApi
from webquarry.server.compat.vendor_context import VendorContext


def _routes(context: VendorContext) -> list[BaseRoute]:
    return [
        Route("/v2/scrape", scrape_handler(context), methods=["POST"]),
        Route("/v2/map", map_handler(context), methods=["POST"]),
        *_job_routes(context),
    ]


def _job_routes(context: VendorContext) -> list[BaseRoute]:
    status, cancel = status_handler(context), cancel_handler(context)
    errors, active = errors_handler(context), active_handler(context)
    return [
        Route("/v2/crawl", crawl_handler(context), methods=["POST"]),
        Route("/v2/batch/scrape", batch_handler(context), methods=["POST"]),
        Route("/v2/crawl/active", active, methods=["GET"]),
        Route("/v2/crawl/ongoing", active, methods=["GET"]),
        *(
            route
            for path in ("/v2/crawl/{id}", "/v2/batch/scrape/{id}")
            for route in (
                Route(path, status, methods=["GET"]),
                Route(path, cancel, methods=["DELETE"]),
                Route(f"{path}/errors", errors, methods=["GET"]),
            )
        ),
    ]


FIRECRAWL = VendorApi(
    name="firecrawl",
    routes=_routes,
    error=firecrawl_error,
    root_paths=("/v2/",),
    job_paths=("/v2/crawl", "/v2/batch", "/v2/extract", "/v1/crawl", "/v1/batch", "/v1/extract"),
)
