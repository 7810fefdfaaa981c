"""`stats://tools`, `stats://rate-limits` and `diagnostics://errors/recent`: use of the tools."""

from typing import Any

from webquarry.resources.resource import Resource, ResourceRequest

RECENT_ERRORS_URI = "diagnostics://errors/recent"
_GUIDANCE = "A rejected call does not count, and says how many seconds to wait."
_NONE = "No rate limits apply to you. Providers have their own limits."


async def _tools(request: ResourceRequest) -> dict[str, Any]:
    return request.services.metrics.snapshot()


async def _errors(request: ResourceRequest) -> dict[str, Any]:
    return request.services.metrics.recent_errors(request.caller.tenant, request.caller.user)


async def _rate_limits(request: ResourceRequest) -> dict[str, Any]:
    quotas = await request.services.quotas.for_caller(request.caller)
    return {
        "config": {quota.name: quota.limit for quota in quotas},
        "limits": [quota.model_dump() for quota in quotas],
        "guidance": _GUIDANCE if quotas else _NONE,
    }


TOOL_STATISTICS = Resource(
    uri="stats://tools",
    name="Tool Statistics",
    description="Per-tool call count, latency and error rate.",
    read=_tools,
)
RECENT_ERRORS = Resource(
    uri=RECENT_ERRORS_URI,
    name="Recent Errors",
    description="The newest tool errors of your tenant; messages of your own calls only.",
    read=_errors,
)
RATE_LIMITS = Resource(
    uri="stats://rate-limits",
    name="Rate Limit Status",
    description="Per-tenant and global limits, and what is left of them.",
    read=_rate_limits,
)
