"""Runs the HTTP application and tells people where it is."""

import errno
import json
import logging
import socket
import sys
from pathlib import Path

import uvicorn

from webquarry.errors import SettingsError
from webquarry.server.gate import LOOPBACK
from webquarry.server.http import build_http
from webquarry.server.protocol import Offer
from webquarry.settings.groups.server import Server as ServerSettings

logger = logging.getLogger(__name__)


async def run_http(offer: Offer, settings: ServerSettings) -> None:
    """Serve until cancelled; requests under way may finish within the shutdown time."""
    listener = _listen(settings.host, settings.port)
    config = uvicorn.Config(
        build_http(offer, settings),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=round(settings.http_shutdown_timeout),
        server_header=False,
        lifespan="on",
    )
    if settings.host not in LOOPBACK:
        logger.warning(
            "listening on %s without authentication: everyone who reaches this address "
            "can use the server",
            settings.host,
        )
    server = _Server(config, welcome(settings.host, listener.getsockname()[1], _command()))
    await server.serve(sockets=[listener])


class _Server(uvicorn.Server):
    """Greets once it really listens, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, greeting: str) -> None:
        super().__init__(config)
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        sys.stdout.write(self._greeting)
        sys.stdout.flush()


def _command() -> str:
    """Return how a client can start us: it has another PATH and directory."""
    return str(Path(sys.argv[0]).resolve())


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
        # connections inherit it; without it a reply waits 40 ms for an acknowledgement
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as exc:
        reason = "is in use" if exc.errno == errno.EADDRINUSE else f"cannot be used: {exc.strerror}"
        raise SettingsError(
            f"port {port} {reason} on {host}; choose another with --port or PORT"
        ) from exc
    return listener


def welcome(host: str, port: int, command: str) -> str:
    """Return the addresses and ready-to-paste client configuration."""
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
    base = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    over_http = {"mcpServers": {"webquarry": {"type": "http", "url": f"{base}/mcp"}}}
    over_stdio = {"mcpServers": {"webquarry": {"command": command, "args": ["serve", "--stdio"]}}}
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
