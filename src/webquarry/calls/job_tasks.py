"""How crawls and batches run as tasks, and how long a call waits for their end."""

from webquarry.calls.tool import Call, TaskOptions
from webquarry.models.caller import Caller
from webquarry.wiring.container import Services

WAIT_SECONDS = 110.0  # below the maximum timeout of a call
_MARGIN = 10.0  # between the end of the wait and the time limit of the task


async def _cancel(key: str, services: Services, caller: Caller) -> None:
    await services.crawling.cancel_started(key, caller)


# a task ends with its crawl, and finds it again by the key after a restart
JOB_TASK = TaskOptions(defaults=(("wait", True),), cancel=_cancel)


def wait_seconds(call: Call) -> float:
    """Return how long a call may wait for the end of a crawl."""
    return call.time_limit - _MARGIN if call.time_limit else WAIT_SECONDS
