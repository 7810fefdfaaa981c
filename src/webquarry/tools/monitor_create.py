"""The `monitor_create` tool: watches something on a schedule."""

from typing import Annotated, Any

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.monitor import (
    MonitorDefinition,
    MonitorKind,
    MonitorNotify,
    MonitorSchedule,
    MonitorTarget,
)
from webquarry.models.monitor_results import MonitorDetails
from webquarry.models.short_schemas import FullSchemaOnly, JsonSchemaArgument, ShortSchema
from webquarry.models.webhook import WebhookTarget
from webquarry.services.watching.monitor_views import monitor_details

_STRINGS = ShortSchema(type="array", items={"type": "string"})
_MAX_TARGET = 500_000
_MAX_NAME = 200
_Text = Annotated[str, Field(min_length=1, max_length=2000), ShortSchema(type="string")]
_Texts = Annotated[tuple[_Text, ...], Field(max_length=50), _STRINGS]


class MonitorCreateIn(Model):
    """Arguments of `monitor_create`."""

    target: Annotated[
        str, Field(min_length=1, max_length=_MAX_TARGET), ShortSchema(type="string")
    ] = Field(description="What to watch.")
    kind: MonitorKind = Field(
        default="page", description="What target is: a URL, a query, or DOIs or BibTeX."
    )
    selector: _Text | None = Field(default=None, description="Only this CSS part of a page,")
    words: _Texts = Field(default=(), description="or passages with these words,")
    fields: _Text | None = Field(default=None, description="or fields: price, stock.")
    json_schema: Annotated[JsonSchemaArgument | None, FullSchemaOnly()] = Field(
        default=None, description="JSON Schema of the fields, instead of their names."
    )
    when: _Texts = Field(default=(), description="Only if: price < 20, drops 5 %.")
    schedule: _Text = Field(default="1d", description="30m, 6h, 1d or cron.")
    timezone: _Text = Field(default="UTC", description="Of cron and quiet.")
    quiet: _Text | None = Field(default=None, description="No checks: 22:00-07:00.")
    jitter: Annotated[int, Field(ge=0, le=86_400), FullSchemaOnly()] = Field(
        default=0, description="Start each check up to so many seconds later, at random."
    )
    notify: _Texts = Field(default=(), description="Webhook or Apprise URLs.")
    webhooks: Annotated[tuple[WebhookTarget, ...], FullSchemaOnly()] = Field(
        default=(), description="Webhooks with headers, metadata or a secret of their own."
    )
    digest: _Text | None = Field(default=None, description="Notify at most so often: 1d or cron.")
    name: Annotated[
        str | None, Field(min_length=1, max_length=_MAX_NAME), ShortSchema(type="string")
    ] = Field(default=None, description="Title.")
    maxPages: Annotated[int, Field(ge=1), FullSchemaOnly()] = Field(
        default=100, description="Pages of a site."
    )
    render: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Run JavaScript before reading."
    )
    capture: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Keep the requests and responses of each version for bundles."
    )


class MonitorCreateOut(MonitorDetails):
    """Result of `monitor_create`."""


@tool(
    "watch",
    ToolOptions(
        title="Create a monitor",
        annotations=ToolAnnotations(read_only=False, idempotent=False),
        output_schema=names_schema("monitorId", "nextRun", "feed"),
    ),
)
async def monitor_create(args: MonitorCreateIn, call: Call) -> MonitorCreateOut:
    """Watch a page, site, search, feed or references; changes come with before and after."""
    watching = call.services.watching
    monitor = await watching.create(definition_of(args), call.caller)
    details = monitor_details(monitor, watching.feed_token(monitor.id))
    return MonitorCreateOut.model_construct(**dict(details))


def definition_of(args: MonitorCreateIn) -> MonitorDefinition:
    """Return the monitor that the arguments ask for."""
    hooks = [url for url in args.notify if _is_web(url)]
    target: dict[str, Any] = {
        "kind": args.kind,
        "target": args.target.strip(),
        "selector": args.selector,
        "words": args.words,
        "fields": args.fields,
        "json_schema": args.json_schema,
        "conditions": args.when,
        "max_pages": args.maxPages,
        "render": args.render,
    }
    return MonitorDefinition(
        name=args.name or " ".join(args.target.split())[:_MAX_NAME],
        target=MonitorTarget.model_validate(target),
        schedule=MonitorSchedule(
            every=args.schedule.strip(),
            timezone=args.timezone,
            quiet=args.quiet,
            jitter=float(args.jitter),
        ),
        notify=MonitorNotify(
            webhooks=(*args.webhooks, *(WebhookTarget(url=url) for url in hooks)),
            services=tuple(url for url in args.notify if not _is_web(url)),
            digest=args.digest,
        ),
        capture=args.capture,
    )


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
