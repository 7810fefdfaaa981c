"""The `workspace_read` tool: the findings that a team shared."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.people import Contribution, Status
from webquarry.models.records import RecordsIn
from webquarry.models.search_out import rows_schema
from webquarry.models.zero_results import TRUST


class WorkspaceReadIn(RecordsIn):
    """Arguments of `workspace_read`."""

    workspace_id: str = Field(min_length=1, max_length=256, description="One you belong to.")
    limit: int = Field(default=20, ge=1, le=200, description="Findings.")
    offset: int = Field(default=0, ge=0, description="Findings to skip.")


class WorkspaceReadOut(Model):
    """Result of `workspace_read`."""

    status: Status
    reason: str | None = None
    count: int = 0
    total: int | None = None
    nextOffset: int | None = None
    contributions: Annotated[
        tuple[Contribution, ...],
        rows_schema(
            "id", "workspaceId", "contributorTenant", "contributorUser", "note", "url?", "tags",
            "createdAt",
        ),
    ] = ()  # fmt: skip
    trust: str = TRUST


@tool(
    "people",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        output_schema=names_schema("status", "contributions", "total", "nextOffset"),
        available=lambda services: services.people.workspaces is not None,
    ),
)
async def workspace_read(args: WorkspaceReadIn, call: Call) -> WorkspaceReadOut:
    """Read the findings shared in a workspace of yours, the newest first."""
    people, caller = call.services.people, call.caller
    status, reason = await people.consent_status(caller, "workspace")
    if status != "ok" or people.workspaces is None:
        return WorkspaceReadOut(status=status, reason=reason)
    if not await people.workspaces.has(args.workspace_id, caller.tenant, caller.user):
        return WorkspaceReadOut(status="not_member", reason="You do not belong to this workspace.")
    shared = await people.workspaces.read(args.workspace_id)
    end = args.offset + args.limit
    shown = shared[args.offset : end]
    return WorkspaceReadOut(
        status="ok",
        count=len(shown),
        total=len(shared),
        nextOffset=end if end < len(shared) else None,
        contributions=tuple(shown),
    )
