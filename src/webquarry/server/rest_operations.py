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


@dataclass(frozen=True, kw_only=True)
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
    Operation(
        name="scrape",
        method="POST",
        path="/v1/scrape",
        tool=SCRAPE,
        summary="Read one page.",
    ),
    Operation(
        name="search",
        method="POST",
        path="/v1/search",
        tool=SEARCH,
        summary="Search; page through the results with offset.",
    ),
    Operation(
        name="map",
        method="POST",
        path="/v1/map",
        tool=MAP,
        summary="List the URLs of a site without reading them.",
    ),
    Operation(
        name="startCrawl",
        method="POST",
        path="/v1/crawl",
        tool=CRAWL,
        summary="Start a crawl; a repeated Idempotency-Key returns the same crawl.",
        status=202,
        idempotent_by_key=True,
    ),
    Operation(
        name="getCrawl",
        method="GET",
        path="/v1/crawl/{id}",
        tool=STATUS,
        summary="Get the status of a crawl and a batch of its pages.",
        query=("offset", "limit"),
    ),
    Operation(
        name="cancelCrawl",
        method="DELETE",
        path="/v1/crawl/{id}",
        tool=STATUS,
        summary="Cancel a crawl; its pages are kept.",
    ),
    Operation(
        name="watchCrawl",
        method="GET",
        path="/v1/crawl/{id}/events",
        tool=STATUS,
        summary="Watch a crawl: server-sent events with its status now and after every change.",
        response_kind="events",
    ),
    Operation(
        name="exportCrawl",
        method="GET",
        path="/v1/crawl/{id}/export",
        tool=STATUS,
        summary="Export all pages of a crawl, one JSON object per line.",
        response_kind="lines",
    ),
    Operation(
        name="extract",
        method="POST",
        path="/v1/extract",
        tool=EXTRACT,
        summary="Extract structured data from pages.",
    ),
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
