"""A server for the conformance suites: our registry, call path and HTTP server with test data.

`python -m tests.conformance.everything_server DATA_DIR` prints its port and serves until stopped.
"""

import asyncio
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from starlette.applications import Starlette
from starlette.routing import Route

from tests.conformance.client_access import give_client_access
from tests.conformance.client_request_tools import CLIENT_REQUEST_TOOLS
from tests.conformance.input_required_tools import INPUT_REQUIRED_TOOLS
from tests.conformance.plain_tools import PLAIN_TOOLS, NoArguments
from tests.conformance.samples import PROMPTS, RESOURCES
from tests.conformance.task_tools import TASK_TOOLS, FailingPath
from webquarry.app import open_app
from webquarry.calls.call_path import CallRules
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.result import Result, text_result
from webquarry.server.call_tasks import CallTasks
from webquarry.server.http_app import build_starlette
from webquarry.server.http_controls import build_http_controls
from webquarry.server.subscriptions import Subscriptions
from webquarry.settings.load import load
from webquarry.storage.task_records import TaskRecords

LIMITS = ("RATE_LIMIT_PER_TENANT", "RATE_LIMIT_GLOBAL", "DAILY_QUOTA_PER_TENANT")


class ListChanges(Subscriptions):
    """Publishes changes of lists that never change in the product."""

    async def tools_changed(self) -> None:
        await self._bus.publish(ToolsListChanged())

    async def prompts_changed(self) -> None:
        await self._bus.publish(PromptsListChanged())


def list_change_tools(changes: ListChanges) -> tuple[AnyTool, ...]:
    """Return tools that publish a list change."""

    @tool("starter")
    async def test_trigger_tool_change(args: NoArguments, call: Call) -> Result:
        """Publish a change of the tool list."""
        await changes.tools_changed()
        return text_result("Published.")

    @tool("starter")
    async def test_trigger_prompt_change(args: NoArguments, call: Call) -> Result:
        """Publish a change of the prompt list."""
        await changes.prompts_changed()
        return text_result("Published.")

    return (test_trigger_tool_change, test_trigger_prompt_change)


async def serve(data_dir: Path) -> None:
    environ = {"WEBQUARRY_DATA_DIR": str(data_dir), "TOOLSETS": "starter"}
    settings = load(environ=environ | dict.fromkeys(LIMITS, "0"), directory=data_dir)
    changes = ListChanges()
    tools = (
        *PLAIN_TOOLS,
        *CLIENT_REQUEST_TOOLS,
        *INPUT_REQUIRED_TOOLS,
        *list_change_tools(changes),
        *TASK_TOOLS,
    )
    async with open_app(settings, "http", tools=tools) as app:
        path = FailingPath(app.path.registry, app.services, CallRules(record=lambda _: None))
        tasks = CallTasks(path, lambda: TaskRecords(app.services.store, time.time))
        offer = replace(
            app.offer,
            resources=RESOURCES,
            prompts=PROMPTS,
            subscriptions=changes,
            path=path,
            tasks=tasks,
        )
        web = build_starlette(
            offer, settings, build_http_controls(settings, app.services, app.audit)
        )
        give_client_access(_protocol_server(web))
        config = uvicorn.Config(web, log_config=None, lifespan="on", timeout_graceful_shutdown=1)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # the socket already listens, so a client may connect as soon as it reads the port
            sys.stdout.write(f"{listener.getsockname()[1]}\n")
            sys.stdout.flush()
            await uvicorn.Server(config).serve(sockets=[listener])


def _protocol_server(web: Starlette) -> Server[Any]:
    """Return the SDK's server behind /mcp."""
    for route in web.routes:
        if isinstance(route, Route) and isinstance(route.endpoint, StreamableHTTPASGIApp):
            return route.endpoint.session_manager.app
    raise LookupError("no MCP endpoint")


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
