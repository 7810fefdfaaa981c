"""The Tasks extension of the protocol (SEP-2663): `tasks/get`, `tasks/update`, `tasks/cancel`."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from webquarry.errors import NotFoundError
from webquarry.models.call_task import CallTask
from webquarry.models.caller import Caller
from webquarry.observe.timestamp import rfc3339
from webquarry.server.call_tasks import CallTasks

Context = ServerRequestContext[Any, Any]
Json = dict[str, Any]

EXTENSION = "io.modelcontextprotocol/tasks"
_POLL_MS = 1000
_ACKNOWLEDGED: Json = {"resultType": "complete"}


class TaskParams(types.RequestParams):
    """The parameters of every method: which task."""

    task_id: str = Field(alias="taskId")
    input_responses: Json = Field(default_factory=dict[str, Any], alias="inputResponses")


def declares_tasks(ctx: Context) -> bool:
    """Return whether the client that sent this request understands tasks."""
    declared = ctx.session.client_capabilities
    extensions = declared.extensions if declared else None
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    return modern and extensions is not None and EXTENSION in extensions


def created_task(task: CallTask) -> Json:
    """Return the result of a call that has become a task."""
    return {"resultType": "task", **_task(task)}


def add_task_methods(
    server: Server[Any], tasks: CallTasks, identify: Callable[[Context], Caller]
) -> None:
    """Let `server` announce the extension and respond to its methods."""
    server.extensions[EXTENSION] = {}

    def add(method: str, work: Callable[[TaskParams, Caller], Awaitable[Json]]) -> None:
        async def handle(ctx: Context, params: TaskParams) -> Json:
            _check(ctx, params)
            try:
                return await work(params, identify(ctx))
            except NotFoundError as exc:
                raise MCPError(code=types.INVALID_PARAMS, message=str(exc)) from exc

        server.add_request_handler(method, TaskParams, handle)

    async def get(params: TaskParams, caller: Caller) -> Json:
        return detailed_task(await tasks.get(params.task_id, caller))

    async def update(params: TaskParams, caller: Caller) -> Json:
        await tasks.answer(params.task_id, caller, params.input_responses)
        return _ACKNOWLEDGED

    async def cancel(params: TaskParams, caller: Caller) -> Json:
        await tasks.cancel(params.task_id, caller)
        return _ACKNOWLEDGED

    add("tasks/get", get)
    add("tasks/update", update)
    add("tasks/cancel", cancel)


def detailed_task(task: CallTask) -> Json:
    """Return the result of `tasks/get`: the state, and what its status adds."""
    details: Json = {}
    if task.outcome == "completed":
        details["result"] = {"resultType": "complete", **(task.result or {})}
    elif task.outcome == "failed":
        details["error"] = task.error
    elif task.status == "input_required":
        details["inputRequests"] = task.input_requests
    return {"resultType": "complete", **_task(task), **details}


def _task(task: CallTask) -> Json:
    wire: Json = {
        "taskId": task.id,
        "status": task.status,
        "createdAt": rfc3339(task.created),
        "lastUpdatedAt": rfc3339(task.updated),
        "ttlMs": round(1000 * task.ttl),
        "pollIntervalMs": _POLL_MS,
    }
    return wire | ({"statusMessage": task.message} if task.message else {})


def _check(ctx: Context, params: TaskParams) -> None:
    """Reject a client that did not declare the extension, and a header that names another task."""
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=ctx.method)
    if not declares_tasks(ctx):
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message=f"{ctx.method} needs the client capability {EXTENSION}.",
            data={"requiredCapabilities": {"extensions": {EXTENSION: {}}}},
        )
    if ctx.request is None:  # stdio has no headers
        return
    if decode_header_value(ctx.request.headers.get(MCP_NAME_HEADER)) != params.task_id:
        raise MCPError(
            code=types.HEADER_MISMATCH,
            message=f"{MCP_NAME_HEADER} header does not match the task id of the request body",
        )
