"""Runs the HTTP server and prints its URLs."""

import asyncio
import errno
import json
import logging
import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from webquarry.errors import SettingsError
from webquarry.server.exposure import LOOPBACK
from webquarry.server.http_app import HttpControls, build_starlette
from webquarry.server.http_connection import limited_protocol
from webquarry.server.mcp_server import ServerOffer
from webquarry.settings.load import Settings

logger = logging.getLogger(__name__)


async def run_http(
    offer: ServerOffer,
    settings: Settings,
    controls: HttpControls,
    listener: socket.socket | None = None,
) -> None:
    """Serve until cancelled; running requests may finish within the shutdown timeout.

    Several processes may share a `listener`. Without one, it opens its own and prints the URLs.
    """
    opened = listener or listen(settings)
    config = uvicorn.Config(
        build_starlette(offer, settings, controls),
        http=limited_protocol(settings.http),
        ws="websockets-sansio",  # for clients of other APIs: see server/compat
        ws_max_size=2**16,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=round(settings.server.http_shutdown_timeout),
        timeout_keep_alive=round(settings.http.idle_timeout),
        server_header=False,
        proxy_headers=False,  # access_control reads them if TRUST_PROXY is on
        lifespan="on",
    )
    server = _Server(config, "" if listener else greeting(settings, opened))
    serving = asyncio.ensure_future(server.serve(sockets=[opened]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        # accept no new requests and finish the running ones, unless cancelled again
        controls.drain.start()
        server.should_exit = True
        await serving
        raise


def greeting(settings: Settings, listener: socket.socket) -> str:
    """Return the text to print once the server listens."""
    return welcome(settings.server.host, listener.getsockname()[1], _command())


class _Server(uvicorn.Server):
    """Prints the greeting once it listens, and does not handle signals."""

    def __init__(self, config: uvicorn.Config, greeting: str) -> None:
        super().__init__(config)
        self._greeting = greeting

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signal handling to the caller."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        sys.stdout.write(self._greeting)
        sys.stdout.flush()


def _command() -> str:
    """Return the absolute path of this program: clients have another PATH and directory."""
    return str(Path(sys.argv[0]).resolve())


def listen(settings: Settings) -> socket.socket:
    """Open the port; warn if everyone can use it, or if the server runs as root."""
    host, port = settings.server.host, settings.server.port
    if sys.platform != "win32" and os.geteuid() == 0:
        logger.warning(
            "serving as root: Chromium has no sandbox, and a mistake can change the whole system;"
            " use a user of its own, as deploy/webquarry.service and deploy/Dockerfile do"
        )
        sys.stderr.write("\n*** SERVING AS ROOT: run it as a user of its own. ***\n\n")
    if host not in LOOPBACK and not settings.auth.required:
        logger.warning(
            "listening on %s without authentication: everyone who can reach it can use the server",
            host,
        )
        sys.stderr.write(f"\n*** {host} IS OPEN TO EVERYONE: no authentication required. ***\n\n")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
        # connections inherit it; otherwise Nagle's algorithm delays a response by 40 ms
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as exc:
        reason = "is in use" if exc.errno == errno.EADDRINUSE else f"cannot be used: {exc.strerror}"
        raise SettingsError(
            f"port {port} {reason} on {host}. Choose another with --port or PORT"
        ) from exc
    return listener


def welcome(host: str, port: int, command: str) -> str:
    """Return the URLs and client configurations to copy."""
    # nothing is bound here: a server on all interfaces is also reachable on loopback
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
Other clients, over stdio:
{json.dumps(over_stdio, indent=2)}
"""
