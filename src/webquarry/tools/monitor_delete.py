"""The `monitor_delete` tool."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.monitor_results import MonitorDeleted
from webquarry.models.short_schemas import ShortSchema


class MonitorDeleteIn(Model):
    """Arguments of `monitor_delete`."""

    id: Annotated[str, Field(min_length=1, max_length=100), ShortSchema(type="string")] = Field(
        description="monitorId."
    )


class MonitorDeleteOut(MonitorDeleted):
    """Result of `monitor_delete`."""


@tool(
    "watch",
    ToolOptions(
        title="Delete a monitor",
        annotations=ToolAnnotations(read_only=False, open_world=False),
        output_schema=names_schema("deleted"),
    ),
)
async def monitor_delete(args: MonitorDeleteIn, call: Call) -> MonitorDeleteOut:
    """Delete a monitor of yours with its history."""
    await call.services.watching.delete(args.id, call.caller)
    return MonitorDeleteOut(monitorId=args.id)
