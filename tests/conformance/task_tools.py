"""Conformance tools that run as tasks (extension io.modelcontextprotocol/tasks)."""

import asyncio
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from tests.conformance.client_access import CLIENT, Schema, elicitation
from tests.conformance.input_required_tools import NAME
from tests.conformance.plain_tools import NoArguments
from webquarry.calls.call_path import CallPath
from webquarry.calls.tool import AnyTool, Call, TaskOptions, ToolOptions, tool
from webquarry.models.model import Model
from webquarry.models.result import Result, error_result, text_result
from webquarry.server.task_methods import EXTENSION, declares_tasks
from webquarry.server.task_run import RUN

AS_TASK = ToolOptions(task=TaskOptions())


class GreetIn(Model):
    """Arguments of `greet`."""

    name: str


class SlowComputeIn(Model):
    """Arguments of `slow_compute`."""

    seconds: float
    label: str = ""


class ConfirmDeleteIn(Model):
    """Arguments of `confirm_delete`."""

    filename: str


@tool("starter")
async def greet(args: GreetIn, call: Call) -> Result:
    """Greet at once."""
    return text_result(f"Hello, {args.name}!")


@tool("starter", AS_TASK)
async def slow_compute(args: SlowComputeIn, call: Call) -> Result:
    """Wait for some seconds."""
    await asyncio.sleep(args.seconds)
    return text_result(f"Computed {args.label} in {args.seconds:g} seconds.")


@tool("starter", AS_TASK)
async def failing_job(args: NoArguments, call: Call) -> Result:
    """Fail after a second; only as a task."""
    client = CLIENT.get()
    if not declares_tasks(client.context):
        required: Schema = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        return client.reject(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "needs tasks", required)
    await asyncio.sleep(1)
    return error_result("The job failed.")


@tool("starter", AS_TASK)
async def protocol_error_job(args: NoArguments, call: Call) -> Result:
    """Fail with a protocol error: see `FailingPath`."""
    return text_result("This is never sent.")


@tool("starter", AS_TASK)
async def confirm_delete(args: ConfirmDeleteIn, call: Call) -> Result:
    """Ask for a confirmation while the task runs."""
    question = _request(f"Delete {args.filename}?", "confirm", "boolean")
    responses = await RUN.get().request_input({"confirmation": question})
    return text_result(f"Response: {responses['confirmation']['action']}")


@tool("starter", AS_TASK)
async def multi_input(args: NoArguments, call: Call) -> Result:
    """Ask for two things at once."""
    questions = {key: _request(f"Your {key} name?", "name") for key in ("first", "last")}
    responses = await RUN.get().request_input(questions)
    return text_result(f"{len(responses)} responses")


@tool("starter", AS_TASK)
async def test_tool_with_task(args: NoArguments, call: Call) -> Result:
    """Ask for a name first, then run as a task."""
    client = CLIENT.get()
    if not client.has_responses("user_name"):
        return client.request_input(NAME)
    await asyncio.sleep(1)
    return text_result(f"Response: {(client.params.input_responses or {})['user_name']}")


class FailingPath(CallPath):
    """A call path on which one tool ends with a protocol error."""

    async def call(self, name: str, *arguments: Any, **options: Any) -> Result:
        if name == protocol_error_job.name:
            await asyncio.sleep(1)
            raise MCPError(types.INTERNAL_ERROR, "The job crashed.")
        return await super().call(name, *arguments, **options)


def _request(message: str, field: str, kind: str = "string") -> dict[str, Any]:
    request = elicitation(message, field, kind)
    return request.model_dump(mode="json", by_alias=True, exclude_none=True)


TASK_TOOLS: tuple[AnyTool, ...] = (
    confirm_delete,
    failing_job,
    greet,
    multi_input,
    protocol_error_job,
    slow_compute,
    test_tool_with_task,
)
