"""The `archive_source` tool: a new copy of a page in the Internet Archive."""

from typing import Literal

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import typed_schema
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.zero_results import TRUST

_SOURCE = "web.archive.org Save Page Now"


class ArchiveSourceIn(RecordsIn):
    """Arguments of `archive_source`."""

    url: str = Field(min_length=1, max_length=2048, description="Public page to capture.")


class ArchiveSourceOut(Model):
    """Result of `archive_source`."""

    requestedUrl: str
    status: Literal["archived", "existing", "pending", "unavailable"]
    captured: bool
    snapshotUrl: str | None = None
    archivedAt: str | None = None  # only of a new copy
    takenAt: str | None = None  # of the copy, new or existing
    httpStatus: int | None = None
    reason: str | None = None
    pollUrl: str | None = None
    source: str = _SOURCE
    provenance: tuple[str, ...] = ()
    trust: str = TRUST


_OUTPUT = typed_schema(
    status=("archived", "existing", "pending", "unavailable"),
    captured="boolean",
    snapshotUrl="string",
    takenAt="string",
    pollUrl="string",
    reason="string",
)


@tool(
    "trust",
    ToolOptions(
        title="Archive a page",
        output_schema=_OUTPUT,
        annotations=ToolAnnotations(read_only=False, open_world=False),
        timeout=45.0,
    ),
)
async def archive_source(args: ArchiveSourceIn, call: Call) -> ArchiveSourceOut:
    """Save a public page in the Wayback Machine, so that a citation stays checkable."""
    outcome = await call.services.archiving.archive(args.url)
    is_new = outcome.status == "archived"
    return ArchiveSourceOut(
        requestedUrl=args.url,
        status=outcome.status,
        captured=is_new,
        snapshotUrl=outcome.snapshot.url if outcome.snapshot else None,
        archivedAt=outcome.snapshot.takenAt if outcome.snapshot and is_new else None,
        takenAt=outcome.snapshot.takenAt if outcome.snapshot else None,
        httpStatus=outcome.http_status,
        reason=outcome.reason,
        pollUrl=f"https://web.archive.org/web/*/{args.url}"
        if outcome.status == "pending"
        else None,
        provenance=outcome.provenance,
    )
