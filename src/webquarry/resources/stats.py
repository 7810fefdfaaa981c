"""`stats://tools` and `diagnostics://errors/recent`: how the tools are doing."""

from webquarry.content.tokens import compact_json
from webquarry.resources.base import Asked, Reading, Resource

RECENT_ERRORS_URI = "diagnostics://errors/recent"


async def _tools(asked: Asked) -> Reading:
    return Reading(compact_json(asked.services.metrics.snapshot()))


async def _errors(asked: Asked) -> Reading:
    return Reading(compact_json(asked.services.metrics.recent_errors(asked.caller.tenant)))


TOOL_STATISTICS = Resource(
    uri="stats://tools",
    name="Tool Statistics",
    description="Per-tool call count, latency and error rate.",
    read=_tools,
)
RECENT_ERRORS = Resource(
    uri=RECENT_ERRORS_URI,
    name="Recent Errors",
    description="The newest tool errors of your tenant, secrets masked.",
    read=_errors,
)
