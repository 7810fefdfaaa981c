"""`monitor://{id}`: the latest changes of a monitor; clients may subscribe to it."""

from typing import Any

from webquarry.resources.resource import Resource, ResourceRequest

MONITOR_URI = "monitor://"
_LATEST = 20


async def _monitor(request: ResourceRequest) -> dict[str, Any]:
    # imported here: few clients read a monitor this way
    from webquarry.services.watching.monitor_views import change_row, monitor_row

    watching, monitor_id = request.services.watching, request.variables["id"]
    monitor = await watching.get(monitor_id, request.caller)
    changes = await watching.changes(monitor_id, request.caller, limit=_LATEST)
    return monitor_row(monitor).model_dump(mode="json", exclude_none=True) | {
        "latest": [change_row(each).model_dump(mode="json", exclude_none=True) for each in changes]
    }


MONITOR = Resource(
    uri="monitor://{id}",
    name="Monitor",
    description="One of your monitors with its latest changes; subscribe to be notified.",
    read=_monitor,
)
