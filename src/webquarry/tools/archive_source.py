"""The `archive_source` tool: a fresh copy of a page in the Internet Archive."""

from typing import Literal

from pydantic import Field

from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.zero_results import TRUST
from webquarry.providers.capabilities_archive import FindsSnapshots, SavesPages
from webquarry.services.archiving import ArchiveService

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
    archivedAt: str | None = None
    httpStatus: int | None = None
    reason: str | None = None
    pollUrl: str | None = None
    source: str = _SOURCE
    provenance: tuple[str, ...] = ()
    trust: str = TRUST


@tool(
    "trust",
    Options(
        title="Archive a page",
        output_schema=names_schema("status", "snapshotUrl", "pollUrl", "reason"),
        hints=ToolAnnotations(read_only=False, open_world=False),
        timeout=45.0,
    ),
)
async def archive_source(args: ArchiveSourceIn, call: Call) -> ArchiveSourceOut:
    """Save a public page in the Wayback Machine, so that a citation stays checkable."""
    choices = call.services.choices
    saver = next(iter(choices.of(SavesPages).ready.values()), None)
    finder = next(iter(choices.of(FindsSnapshots).ready.values()), None)
    done = await ArchiveService(saver, finder).archive(args.url)
    fresh = done.status == "archived"
    return ArchiveSourceOut(
        requestedUrl=args.url,
        status=done.status,
        captured=fresh,
        snapshotUrl=done.snapshot.url if done.snapshot else None,
        archivedAt=done.snapshot.takenAt if done.snapshot and fresh else None,
        httpStatus=done.http_status,
        reason=done.reason,
        pollUrl=f"https://web.archive.org/web/*/{args.url}" if done.status == "pending" else None,
        provenance=done.provenance,
    )
