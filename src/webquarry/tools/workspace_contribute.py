"""The `workspace_contribute` tool: shares a finding with a team."""

from pydantic import Field

from webquarry.calls.field_types import WebUrl
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.people import Contribution, Status
from webquarry.models.records import RecordsIn


class WorkspaceContributeIn(RecordsIn):
    """Arguments of `workspace_contribute`."""

    workspace_id: str = Field(min_length=1, max_length=256, description="One you belong to.")
    note: str = Field(min_length=1, max_length=20_000, description="The finding.")
    url: WebUrl | None = Field(default=None, description="Its source.")
    tags: tuple[str, ...] = Field(default=(), max_length=50, description="Labels.")


class WorkspaceContributeOut(Model):
    """Result of `workspace_contribute`."""

    status: Status
    reason: str | None = None
    id: str | None = None


@tool(
    "people",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, idempotent=False, open_world=False),
        output_schema=names_schema("status", "id"),
        available=lambda services: services.people.workspaces is not None,
    ),
)
async def workspace_contribute(args: WorkspaceContributeIn, call: Call) -> WorkspaceContributeOut:
    """Share a copy of a finding in a team workspace."""
    people, caller = call.services.people, call.caller
    status, reason = await people.consent_status(caller, "workspace")
    if status != "ok" or people.workspaces is None:
        return WorkspaceContributeOut(status=status, reason=reason)
    if not await people.workspaces.has(args.workspace_id, caller.tenant, caller.user):
        return WorkspaceContributeOut(
            status="not_member", reason="You do not belong to this workspace."
        )
    contribution = await people.workspaces.contribute(
        Contribution(
            id="",
            workspaceId=args.workspace_id,
            contributorTenant=caller.tenant,
            contributorUser=caller.user,
            note=args.note,
            url=args.url,
            tags=args.tags,
            createdAt="",
        )
    )
    return WorkspaceContributeOut(status="ok", id=contribution.id)
