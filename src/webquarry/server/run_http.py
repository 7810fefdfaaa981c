"""Runs the HTTP application and tells people where it is."""

import asyncio
import errno
import json
import logging
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from webquarry.errors import SettingsError
from webquarry.server.http_app import HttpApp, build_http
from webquarry.server.http_connection import bounded
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.request_guard import LOOPBACK
from webquarry.settings.load import Settings

logger = logging.getLogger(__name__)


async def run_http(
    offer: ServerOffer, settings: Settings, house: HttpApp, listener: socket.socket | None = None
) -> None:
    """Serve until cancelled; requests under way may finish within the shutdown time.

    Without a `listener`, which several processes may share, one is opened and people are told.
    """
    opened = listener or listen(settings)
    config = uvicorn.Config(
        build_http(offer, settings, house),
        http=bounded(settings.http),
        ws="none",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=round(settings.server.http_shutdown_timeout),
        timeout_keep_alive=round(settings.http.idle_timeout),
        server_header=False,
        proxy_headers=False,  # the access rules read them, when told to
        lifespan="on",
    )
    server = _Server(config, "" if listener else greeting(settings, opened))
    serving = asyncio.ensure_future(server.serve(sockets=[opened]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        # no new requests; those under way are finished first, unless we are told once more
        house.drain.begin()
        server.should_exit = True
        await serving
        raise


def greeting(settings: Settings, listener: socket.socket) -> str:
    """Return what people are told once the server listens."""
    return welcome(settings.server.host, listener.getsockname()[1], _command())


class _Server(uvicorn.Server):
    """Greets once it really listens, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, greeting: str) -> None:
        super().__init__(config)
        self._greeting = greeting

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave them alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        sys.stdout.write(self._greeting)
        sys.stdout.flush()


def _command() -> str:
    """Return how a client can start us: it has another PATH and directory."""
    return str(Path(sys.argv[0]).resolve())


def listen(settings: Settings) -> socket.socket:
    """Open the port; loudly when everybody can reach it and nobody is asked who they are."""
    host, port = settings.server.host, settings.server.port
    if host not in LOOPBACK and not settings.auth.demanded:
        logger.warning(
            "listening on %s without authentication: everyone who reaches this address "
            "can use the server",
            host,
        )
        sys.stderr.write(f"\n*** {host} IS OPEN TO EVERYONE: no token or key is asked for. ***\n\n")
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
    # nothing is bound here: whoever listens everywhere is reached on loopback as well
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
