"""A server for the conformance suites: our registry, call path and HTTP server, test contents.

`python -m tests.conformance.everything_server DATA_DIR` prints its port and serves until stopped.
"""

import asyncio
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from starlette.applications import Starlette
from starlette.routing import Route

from tests.conformance.asking_tools import ASKING_TOOLS
from tests.conformance.conversation import open_to_client
from tests.conformance.plain_tools import PLAIN_TOOLS, Nothing
from tests.conformance.samples import LIBRARY, PROMPTS
from tests.conformance.talking_tools import TALKING_TOOLS
from webquarry.app import open_app
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.result import Result, text_result
from webquarry.server.http_app import build_http
from webquarry.server.subscriptions import Subscriptions
from webquarry.settings.load import load
from webquarry.wiring.build_http_access import build_house

LIMITS = ("RATE_LIMIT_PER_TENANT", "RATE_LIMIT_GLOBAL", "DAILY_QUOTA_PER_TENANT")


class Changes(Subscriptions):
    """Announces changes of lists that never change in the product."""

    async def tools_changed(self) -> None:
        await self._bus.publish(ToolsListChanged())

    async def prompts_changed(self) -> None:
        await self._bus.publish(PromptsListChanged())


def announcing_tools(changes: Changes) -> tuple[AnyTool, ...]:
    """Return the tools that pretend that a list has changed."""

    @tool("starter")
    async def test_trigger_tool_change(args: Nothing, call: Call) -> Result:
        """Announce that the tools have changed."""
        await changes.tools_changed()
        return text_result("Announced.")

    @tool("starter")
    async def test_trigger_prompt_change(args: Nothing, call: Call) -> Result:
        """Announce that the prompts have changed."""
        await changes.prompts_changed()
        return text_result("Announced.")

    return (test_trigger_tool_change, test_trigger_prompt_change)


async def serve(data_dir: Path) -> None:
    environ = {"WEBQUARRY_DATA_DIR": str(data_dir), "TOOLSETS": "starter"}
    settings = load(environ=environ | dict.fromkeys(LIMITS, "0"), directory=data_dir)
    changes = Changes()
    tools = (*PLAIN_TOOLS, *TALKING_TOOLS, *ASKING_TOOLS, *announcing_tools(changes))
    async with open_app(settings, "http", tools=tools) as app:
        offer = replace(app.offer, library=LIBRARY, prompts=PROMPTS, subscriptions=changes)
        web = build_http(offer, settings, build_house(settings, app.parts, app.audit))
        open_to_client(_protocol_server(web))
        config = uvicorn.Config(web, log_config=None, lifespan="on", timeout_graceful_shutdown=1)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # whoever reads the port may connect at once: the socket listens already
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
