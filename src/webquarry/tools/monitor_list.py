"""The `monitor_list` tool: the caller's monitors, or one of them."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.monitor_results import MonitorDetails, MonitorsListed
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema
from webquarry.services.watching.monitor_views import monitor_details, monitor_row

_Id = Annotated[str, Field(min_length=1, max_length=100), ShortSchema(type="string")]


class MonitorListIn(Model):
    """Arguments of `monitor_list`."""

    id: _Id | None = Field(default=None, description="Show this one.")
    offset: Annotated[int, Field(ge=0, le=1_000_000), FullSchemaOnly()] = Field(
        default=0, description="Monitors to skip."
    )
    limit: Annotated[int, Field(ge=1, le=100), FullSchemaOnly()] = Field(
        default=50, description="Monitors to list."
    )


class MonitorListOut(MonitorsListed):
    """Result of `monitor_list`."""


@tool(
    "watch",
    ToolOptions(
        title="List monitors",
        annotations=ToolAnnotations(open_world=False),
        output_schema=names_schema("monitors", "nextOffset"),
    ),
)
async def monitor_list(args: MonitorListIn, call: Call) -> MonitorListOut | MonitorDetails:
    """List your monitors, or show one with what it ignores."""
    watching, caller = call.services.watching, call.caller
    if args.id:
        monitor = await watching.get(args.id, caller)
        return monitor_details(monitor, watching.feed_token(monitor.id))
    found = await watching.monitors(caller, offset=args.offset, limit=args.limit + 1)
    more = len(found) > args.limit
    return MonitorListOut(
        monitors=tuple(map(monitor_row, found[: args.limit])),
        nextOffset=args.offset + args.limit if more else None,
    )
