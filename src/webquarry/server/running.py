"""Runs the HTTP application and tells people where it is."""

import json
import logging
import sys

import uvicorn

from webquarry.server.gate import LOOPBACK
from webquarry.server.http import build_http
from webquarry.server.protocol import Offer
from webquarry.settings.groups.server import Server as ServerSettings

logger = logging.getLogger(__name__)


async def run_http(offer: Offer, settings: ServerSettings) -> None:
    """Serve until cancelled; requests under way may finish within the shutdown time."""
    config = uvicorn.Config(
        build_http(offer, settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=round(settings.http_shutdown_timeout),
        server_header=False,
        lifespan="on",
    )
    server = _Server(config)
    if settings.host not in LOOPBACK:
        logger.warning(
            "listening on %s without authentication: everyone who reaches this address "
            "can use the server",
            settings.host,
        )
    await server.serve()


class _Server(uvicorn.Server):
    """Announces its addresses once it really listens."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # pyright: ignore
        await super().startup()
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            sys.stdout.write(welcome(self.config.host, port))
            sys.stdout.flush()


def welcome(host: str, port: int) -> str:
    """Return the addresses and ready-to-paste client configuration."""
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
    base = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    over_http = {"mcpServers": {"webquarry": {"type": "http", "url": f"{base}/mcp"}}}
    over_stdio = {
        "mcpServers": {"webquarry": {"command": "webquarry", "args": ["serve", "--stdio"]}}
    }
    return f"""\
Webquarry is running. Stop it with Ctrl-C.

  MCP      {base}/mcp
  REST     {base}/v1/tools
  Console  {base}/

Claude Code:  claude mcp add --transport http webquarry {base}/mcp
Other clients, over HTTP:
{json.dumps(over_http, indent=2)}
or started by the client itself:
{json.dumps(over_stdio, indent=2)}
"""
