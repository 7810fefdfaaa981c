"""The operations of the REST API, from which its routes and its OpenAPI document follow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.calls.registry import expand_toolsets
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.tools import TOOLS

Method = Literal["GET", "POST", "DELETE"]
ResponseKind = Literal["result", "events", "lines"]

SCRAPE, SEARCH, MAP = "cinder_scrape", "cinder_search", "cinder_map"
CRAWL, STATUS, EXTRACT = "cinder_crawl", "cinder_get_crawl_status", "cinder_extract"
# an operation is available if one of these toolsets is
_TOOLSETS = {
    SCRAPE: {"web", "cinder"},
    SEARCH: {"web", "cinder"},
    MAP: {"crawl"},
    CRAWL: {"crawl"},
    STATUS: {"crawl"},
    EXTRACT: {"crawl"},
}


@dataclass(frozen=True)
class Operation:
    """One REST operation, implemented by one tool."""

    name: str
    method: Method
    path: str
    tool: str
    summary: str
    status: int = 200
    query: tuple[str, ...] = ()  # tool arguments allowed in the query string
    response_kind: ResponseKind = "result"
    idempotent_by_key: bool = False


OPERATIONS = (
    Operation("scrape", "POST", "/v1/scrape", SCRAPE, "Read one page."),
    Operation(
        "search", "POST", "/v1/search", SEARCH, "Search; page through the results with offset."
    ),
    Operation("map", "POST", "/v1/map", MAP, "List the URLs of a site without reading them."),
    Operation(
        "startCrawl",
        "POST",
        "/v1/crawl",
        CRAWL,
        "Start a crawl; a repeated Idempotency-Key returns the same crawl.",
        status=202,
        idempotent_by_key=True,
    ),
    Operation(
        "getCrawl",
        "GET",
        "/v1/crawl/{id}",
        STATUS,
        "Get the status of a crawl and a batch of its pages.",
        query=("offset", "limit"),
    ),
    Operation(
        "cancelCrawl", "DELETE", "/v1/crawl/{id}", STATUS, "Cancel a crawl; its pages are kept."
    ),
    Operation(
        "watchCrawl",
        "GET",
        "/v1/crawl/{id}/events",
        STATUS,
        "Watch a crawl: server-sent events with its status now and after every change.",
        response_kind="events",
    ),
    Operation(
        "exportCrawl",
        "GET",
        "/v1/crawl/{id}/export",
        STATUS,
        "Export all pages of a crawl, one JSON object per line.",
        response_kind="lines",
    ),
    Operation("extract", "POST", "/v1/extract", EXTRACT, "Extract structured data from pages."),
)


def offered_operations(
    toolsets: Sequence[str], tools: Iterable[AnyTool | ToolEntry] = TOOLS
) -> list[Operation]:
    """Return the operations whose tool and toolset are available."""
    chosen, available = expand_toolsets(toolsets), {tool.name for tool in tools}
    return [
        operation
        for operation in OPERATIONS
        if operation.tool in available and _TOOLSETS[operation.tool] & chosen
    ]
