"""The operations of the REST API, from which its routes and its OpenAPI document follow."""

from collections.abc import Iterable, Sequence

from webquarry.calls.registry import expand_toolsets
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.models.cinder_crawl_status import CrawlFailures, CrawlList
from webquarry.server.rest_monitors import MONITOR_OPERATIONS, MONITOR_TOOLS
from webquarry.server.rest_operation import Operation
from webquarry.tools import TOOLS

SCRAPE, SEARCH, MAP = "cinder_scrape", "cinder_search", "cinder_map"
CRAWL, STATUS, EXTRACT = "cinder_crawl", "cinder_get_crawl_status", "cinder_extract"
BATCH, CHECK, PARSE = "cinder_batch_scrape", "check_document", "scrape_page"
SESSION = "research_export"
# an operation is available if one of these toolsets is
_TOOLSETS = {
    SCRAPE: {"web", "cinder"},
    PARSE: {"web"},
    SEARCH: {"web", "cinder"},
    MAP: {"crawl"},
    CRAWL: {"crawl"},
    BATCH: {"crawl"},
    STATUS: {"crawl"},
    EXTRACT: {"crawl"},
    CHECK: {"trust"},
    SESSION: {"research"},
    **{name: {"watch"} for name in MONITOR_TOOLS},
}


def _job_operations(name: str, path: str, noun: str) -> tuple[Operation, ...]:
    """Return the operations on one job."""
    return (
        Operation(
            f"get{name}",
            "GET",
            f"{path}/{{id}}",
            STATUS,
            f"Get the status of a {noun} and some of its pages.",
            query=("offset", "limit", "max_tokens", "cursor"),
        ),
        Operation(
            f"cancel{name}",
            "DELETE",
            f"{path}/{{id}}",
            STATUS,
            f"Cancel a {noun}; its pages are kept.",
            cancels=True,
        ),
        Operation(
            f"list{name}Errors",
            "GET",
            f"{path}/{{id}}/errors",
            STATUS,
            f"List the URLs of a {noun} that could not be read, with reasons.",
            query=("skipped", "offset", "limit", "max_tokens", "cursor"),
            fixed_arguments=(("errors", True),),
            response_model=CrawlFailures,
        ),
        Operation(
            f"watch{name}",
            "GET",
            f"{path}/{{id}}/events",
            STATUS,
            f"Watch a {noun}: server-sent events with its status now and after every change.",
            response_kind="events",
        ),
        Operation(
            f"export{name}",
            "GET",
            f"{path}/{{id}}/export",
            STATUS,
            f"Export all pages of a {noun} as one file.",
            response_kind="file",
        ),
        _bundle_operation(f"export{name}Bundle", f"{path}/{{id}}", STATUS, noun),
        _screenshot_operation(name, path, noun),
    )


def _screenshot_operation(name: str, path: str, noun: str) -> Operation:
    return Operation(
        f"get{name}Screenshot",
        "GET",
        f"{path}/{{id}}/screenshots/{{number}}",
        STATUS,
        f"Get the screenshot of one page of a {noun}.",
        response_kind="image",
    )


def _bundle_operation(name: str, path: str, tool: str, noun: str) -> Operation:
    return Operation(
        name,
        "GET",
        f"{path}/bundle",
        tool,
        f"Get the evidence of a {noun} as a signed WACZ file, if it was captured.",
        response_kind="bundle",
    )


OPERATIONS = (
    Operation("scrape", "POST", "/v1/scrape", SCRAPE, "Read one page."),
    Operation(
        "parse",
        "POST",
        "/v1/parse",
        PARSE,
        "Read a document: multipart/form-data with a file, or JSON with its name and data.",
        fixed_arguments=(("max_length", 5_000_000),),
        takes_upload=True,
        file_name_field="url",
    ),
    Operation(
        "getArtifact",
        "GET",
        "/v1/artifacts/{id}",
        SCRAPE,
        "Get the screenshot of a page, or a large result, until it expires.",
        response_kind="artifact",
    ),
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
        "listCrawls",
        "GET",
        "/v1/crawl",
        STATUS,
        "List your crawls and batches, the newest first.",
        query=("status", "kind", "offset", "limit", "max_tokens", "cursor"),
        response_model=CrawlList,
    ),
    *_job_operations("Crawl", "/v1/crawl", "crawl"),
    Operation(
        "startBatch",
        "POST",
        "/v1/batch/scrape",
        BATCH,
        "Read up to 10,000 URLs; a repeated Idempotency-Key returns the same batch.",
        status=202,
        idempotent_by_key=True,
    ),
    *_job_operations("Batch", "/v1/batch/scrape", "batch"),
    Operation("extract", "POST", "/v1/extract", EXTRACT, "Extract structured data from pages."),
    Operation(
        "startCheck",
        "POST",
        "/v1/check",
        CHECK,
        "Check a document: JSON, or multipart/form-data with a file.",
        status=202,
        fixed_arguments=(("wait", False),),
        takes_upload=True,
        id_field="checkId",
    ),
    Operation(
        "getCheck",
        "GET",
        "/v1/check/{id}",
        CHECK,
        "Get the findings of a check so far.",
        query=("max_tokens", "cursor"),
        fixed_arguments=(("wait", False),),
    ),
    Operation(
        "cancelCheck",
        "DELETE",
        "/v1/check/{id}",
        CHECK,
        "Cancel a check; what it has found is kept.",
        fixed_arguments=(("wait", False),),
        cancels=True,
    ),
    Operation(
        "watchCheck",
        "GET",
        "/v1/check/{id}/events",
        CHECK,
        "Watch a check: server-sent events with its state now and after every change.",
        response_kind="events",
    ),
    Operation(
        "exportCheck",
        "GET",
        "/v1/check/{id}/report",
        CHECK,
        "Get the result of a check as a file, or the document with notes.",
        response_kind="report",
    ),
    _bundle_operation("exportCheckBundle", "/v1/check/{id}", CHECK, "check"),
    _bundle_operation("exportSessionBundle", "/v1/session/{id}", SESSION, "research session"),
    *MONITOR_OPERATIONS,
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
