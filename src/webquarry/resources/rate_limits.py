"""`stats://rate-limits`: how often the caller may call, and what is left of it."""

from webquarry.content.text.token_count import compact_json
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest

_GUIDANCE = "A refused call costs nothing and says how many seconds to wait."
_NONE = "No limit of ours applies to you; providers have their own."


async def _read(asked: ResourceRequest) -> ResourceContent:
    quotas = await asked.services.quotas.standing(asked.caller)
    body = {
        "config": {quota.name: quota.limit for quota in quotas},
        "limits": [quota.model_dump() for quota in quotas],
        "guidance": _GUIDANCE if quotas else _NONE,
    }
    return ResourceContent(compact_json(body))


RATE_LIMITS = Resource(
    uri="stats://rate-limits",
    name="Rate Limit Status",
    description="Per-tenant and global limits, and what is left of them.",
    read=_read,
)
