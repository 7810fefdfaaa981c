"""The `monitor_changes` tool: what a monitor found, and what may be done with it."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.changes import PatternScope
from webquarry.models.model import ArgumentsError
from webquarry.models.monitor import Monitor
from webquarry.models.monitor_results import MonitorHistory
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema
from webquarry.services.watching.monitor_views import change_row
from webquarry.services.watching.service import MonitorService

_RUN_SECONDS = 120.0
MonitorAction = Literal["run", "pause", "resume", "mute", "unmute"]
_Text = Annotated[str, Field(min_length=1, max_length=200), ShortSchema(type="string")]


class MonitorChangesIn(Budgeted):
    """Arguments of `monitor_changes`."""

    id: _Text = Field(description="monitorId.")
    limit: Annotated[int, Field(ge=1, le=100), ShortSchema(type="integer")] = Field(
        default=10, description="At most."
    )
    before: Annotated[int | None, Field(ge=1), FullSchemaOnly()] = Field(
        default=None, description="Only changes with a smaller number."
    )
    do: MonitorAction | None = Field(default=None, description="First check it now, or …")
    what: _Text | None = Field(default=None, description="mute: id of a change; unmute: rule.")
    scope: Annotated[PatternScope | None, FullSchemaOnly()] = Field(
        default=None, description="What is muted: lines of this form, what follows, or the section."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.do in ("mute", "unmute")) != bool(self.what):
            raise ArgumentsError("what: goes with mute and unmute, and they need it", "what")
        return self


class MonitorChangesOut(MonitorHistory, Paged):
    """Result of `monitor_changes`."""


@tool(
    "watch",
    ToolOptions(
        title="Changes of a monitor",
        annotations=ToolAnnotations(read_only=False),
        timeout=_RUN_SECONDS + 10,
        cuttable=("changes",),
        default_tokens=DEFAULT_TOKENS,
        output_schema=names_schema("status", "changes", "rule", "nextBefore", "nextCursor"),
    ),
)
async def monitor_changes(args: MonitorChangesIn, call: Call) -> MonitorChangesOut:
    """Get what a monitor found, the newest first; or run, pause, mute it."""
    watching = call.services.watching
    monitor = await watching.get(args.id, call.caller)
    rule = await _act(args, watching, call) if args.do else None
    if args.do:
        monitor = await watching.get(args.id, call.caller)
    found = await watching.changes(args.id, call.caller, before=args.before, limit=args.limit + 1)
    shown = found[: args.limit]
    return MonitorChangesOut(
        monitorId=monitor.id,
        name=monitor.definition.name,
        status=monitor.state,
        lastRun=_time(monitor),
        lastOutcome=monitor.progress.last_outcome,
        error=monitor.progress.last_error,
        changes=tuple(map(change_row, shown)),
        nextBefore=shown[-1].seq if len(found) > len(shown) else None,
        rule=rule,
    )


async def _act(args: MonitorChangesIn, watching: MonitorService, call: Call) -> str | None:
    """Do what was asked for; return the rule that was muted."""
    if args.do == "run":
        await watching.run(args.id, call.caller)
    elif args.do in ("pause", "resume"):
        state = "paused" if args.do == "pause" else "active"
        await watching.set_state(args.id, state, call.caller)
    elif args.do == "mute":
        noise = await watching.mute(args.id, args.what or "", call.caller, args.scope)
        return noise.patterns[-1].id
    elif args.do == "unmute":
        await watching.unmute(args.id, args.what or "", call.caller)
    return None


def _time(monitor: Monitor) -> str | None:
    at = monitor.progress.last_run
    return None if at is None else to_rfc3339(at, at)
