"""`stats://tools` and `diagnostics://errors/recent`: how the tools are doing."""

from webquarry.content.text.token_count import compact_json
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest

RECENT_ERRORS_URI = "diagnostics://errors/recent"


async def _tools(asked: ResourceRequest) -> ResourceContent:
    return ResourceContent(compact_json(asked.services.metrics.snapshot()))


async def _errors(asked: ResourceRequest) -> ResourceContent:
    return ResourceContent(compact_json(asked.services.metrics.recent_errors(asked.caller.tenant)))


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
