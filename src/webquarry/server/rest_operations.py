"""The operations of the REST interface; its routes and its description both follow from these."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.calls.registry import expand_toolsets
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.tools import TOOLS

Method = Literal["GET", "POST", "DELETE"]
Answers = Literal["result", "events", "lines"]

SCRAPE, SEARCH, MAP = "cinder_scrape", "cinder_search", "cinder_map"
CRAWL, STATUS, EXTRACT = "cinder_crawl", "cinder_get_crawl_status", "cinder_extract"
# a tool of either toolset does what the operation does, so whoever chose one has chosen it
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
    """One thing a program can do over HTTP, by one tool."""

    name: str
    method: Method
    path: str
    tool: str
    summary: str
    status: int = 200
    query: tuple[str, ...] = ()  # arguments of the tool that may be in the query string
    answers: Answers = "result"
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
        summary="Find pages; leaf through them with offset.",
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
        summary="Start a crawl; the same Idempotency-Key again returns the same crawl.",
        status=202,
        idempotent_by_key=True,
    ),
    Operation(
        name="getCrawl",
        method="GET",
        path="/v1/crawl/{id}",
        tool=STATUS,
        summary="How far a crawl is, and a batch of its pages.",
        query=("offset", "limit"),
    ),
    Operation(
        name="cancelCrawl",
        method="DELETE",
        path="/v1/crawl/{id}",
        tool=STATUS,
        summary="End a crawl; the pages it brought stay.",
    ),
    Operation(
        name="watchCrawl",
        method="GET",
        path="/v1/crawl/{id}/events",
        tool=STATUS,
        summary="Server-sent events: the state of a crawl now, after every change, at its end.",
        answers="events",
    ),
    Operation(
        name="exportCrawl",
        method="GET",
        path="/v1/crawl/{id}/export",
        tool=STATUS,
        summary="All pages of a crawl, one JSON object per line.",
        answers="lines",
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
    """Return the operations whose tool exists and whose toolset the operator has chosen."""
    wanted, known = expand_toolsets(toolsets), {tool.name for tool in tools}
    return [
        operation
        for operation in OPERATIONS
        if operation.tool in known and _TOOLSETS[operation.tool] & wanted
    ]
