"""The `get_my_analytics` tool: the caller's own use of the tools."""

from typing import Annotated

from pydantic import WithJsonSchema

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.people import Status, UserAnalytics

_SUMMARY = "totalCalls, toolCounts, firstSeen, lastSeen, recentTools"


class GetMyAnalyticsIn(Model):
    """No arguments: it is always about the caller."""


class GetMyAnalyticsOut(Model):
    """Result of `get_my_analytics`."""

    status: Status
    reason: str | None = None
    analytics: (
        Annotated[UserAnalytics, WithJsonSchema({"type": "object", "description": _SUMMARY})] | None
    ) = None


@tool(
    "people",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        output_schema=names_schema("status", "analytics"),
        available=lambda services: services.people.analytics is not None,
    ),
)
async def get_my_analytics(args: GetMyAnalyticsIn, call: Call) -> GetMyAnalyticsOut:
    """Show how you have used these tools: counts, first and last call."""
    del args
    people, caller = call.services.people, call.caller
    status, reason = await people.consent_status(caller, "analytics")
    if status != "ok" or people.analytics is None:
        return GetMyAnalyticsOut(status=status, reason=reason)
    analytics = await people.analytics.find(caller.tenant, caller.user)
    return GetMyAnalyticsOut(status="ok" if analytics else "empty", analytics=analytics)
