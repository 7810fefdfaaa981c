"""The operations on monitors."""

from webquarry.models.monitor_results import MonitorDetails, MonitorsListed
from webquarry.server.rest_operation import Operation

CREATE, LIST, CHANGES, DELETE = (
    "monitor_create", "monitor_list", "monitor_changes", "monitor_delete",
)  # fmt: skip
MONITOR_TOOLS = (CREATE, LIST, CHANGES, DELETE)
_PATH = "/v1/monitors"
_ONE = f"{_PATH}/{{id}}"


def _action(do: str, summary: str, body: tuple[str, ...] = ()) -> Operation:
    """Return an operation that does something with a monitor and returns its latest changes."""
    return Operation(
        f"{do}Monitor",
        "POST",
        f"{_ONE}/{do}",
        CHANGES,
        summary,
        fixed_arguments=(("do", do),),
        body=body,
    )


MONITOR_OPERATIONS = (
    Operation("createMonitor", "POST", _PATH, CREATE, "Create a monitor; it is checked at once."),
    Operation(
        "listMonitors",
        "GET",
        _PATH,
        LIST,
        "List your monitors, the newest first.",
        query=("offset", "limit"),
        response_model=MonitorsListed,
    ),
    Operation(
        "getMonitor",
        "GET",
        _ONE,
        LIST,
        "Get a monitor, with what it ignores.",
        response_model=MonitorDetails,
    ),
    Operation(
        "listMonitorChanges",
        "GET",
        f"{_ONE}/changes",
        CHANGES,
        "List what a monitor found, the newest first.",
        query=("limit", "before", "max_tokens", "cursor"),
    ),
    _action("run", "Check a monitor now."),
    _action("pause", "Pause a monitor."),
    _action("resume", "Go on with a paused monitor."),
    _action("mute", "Ignore changes in the place of a change.", ("what", "scope")),
    _action("unmute", "Report again what a rule ignores.", ("what",)),
    Operation("deleteMonitor", "DELETE", _ONE, DELETE, "Delete a monitor with its history."),
    Operation(
        "exportChangeBundle",
        "GET",
        f"{_ONE}/changes/{{number}}/bundle",
        CHANGES,
        "Get the evidence of a change as a signed WACZ file, if it was captured.",
        response_kind="bundle",
    ),
)
