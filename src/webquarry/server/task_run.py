"""One tool call that may be a task, while it runs in this process."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from webquarry.calls.call_path import CallPath
from webquarry.calls.tool import AnyTool
from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.models.caller import Caller

Json = dict[str, Any]


@dataclass(frozen=True)
class TaskCall:
    """The call of a tool, as the client sent it."""

    name: str
    arguments: Json
    request_id: str = ""


@dataclass(eq=False)
class TaskRun:
    """A call that runs in this process, and may be a task."""

    id: str
    tool: AnyTool
    arguments: Json
    caller: Caller
    request_id: str = ""
    listener: ReportsProgress | None = None  # of the request, until the call is a task
    message: str = ""
    requests: Json = field(default_factory=dict[str, Any])  # for input, before it is a task
    save_requests: Callable[[Json], Awaitable[None]] | None = None  # stores them when it is one
    path: CallPath | None = None  # if its tool may not be offered to MCP clients
    _responses: dict[str, asyncio.Future[Any]] = field(
        default_factory=dict[str, "asyncio.Future[Any]"]
    )

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Tell how far the call has come."""
        self.message = message or (f"{done:g} of {total:g}" if total else f"{done:g}")
        if self.listener:
            await self.listener(done, total, message)

    async def request_input(self, requests: Json) -> Json:
        """Return what the client responds to these requests; their keys are used once."""
        loop = asyncio.get_running_loop()
        futures = {key: loop.create_future() for key in requests}
        self._responses |= futures
        self.requests |= requests
        if self.save_requests:
            await self.save_requests(requests)
        return {key: await future for key, future in futures.items()}

    def deliver(self, responses: Json) -> None:
        """Hand over responses to requests for input."""
        for key, response in responses.items():
            future = self._responses.get(key)
            if future and not future.done():
                future.set_result(response)


RUN: ContextVar[TaskRun] = ContextVar("run")  # of the current call


def task_arguments(tool: AnyTool, arguments: Json, task_id: str) -> Json:
    """Return the arguments of a call that may be repeated with the same effect."""
    given = {name: value for name, value in arguments.items() if value is not None}
    defaults = dict(tool.options.task.defaults) if tool.options.task else {}
    if "idempotencyKey" in tool.input_model.model_fields:
        defaults["idempotencyKey"] = task_id
    return defaults | given if defaults else arguments


def may_repeat(tool: AnyTool) -> bool:
    """Return whether a second run of the call has no effect that the first had not."""
    annotations = tool.options.annotations
    harmless = annotations.read_only and annotations.idempotent
    return harmless or "idempotencyKey" in tool.input_model.model_fields
