"""Starts the servers: reads the settings, opens the application, runs until told to stop."""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from socket import socket
from typing import Any

from webquarry.app import open_app
from webquarry.errors import SettingsError
from webquarry.front.loop import Handover
from webquarry.server.mcp_server import build_server
from webquarry.server.stdio_transport import StdioConnection, serve
from webquarry.settings.load import Settings, load
from webquarry.settings.variable import Variable

logger = logging.getLogger(__name__)

EXIT_SETTINGS = 2
LoopFactory = Callable[[], asyncio.AbstractEventLoop]
# what a call makes goes when it ends; looking for the rest as often as usual is 4 % of a read
_COLLECTING = (10_000, 10, 10)


def read_settings(flags: Mapping[str, str]) -> Settings:
    """Return the settings of this process and its working directory."""
    # imported here: it loads every provider
    from webquarry.wiring.declared_settings import declared_variables

    return _load(flags, declared_variables())


def serve_stdio(
    flags: Mapping[str, str], handover: Handover, *, snapshot_key: str = "", plain: bool = False
) -> int:
    """Serve one MCP client on the handed-over descriptors; return the exit status.

    A `plain` start has no settings of providers, so there is no need to ask them for their names.
    """
    try:
        settings = _load(flags, ()) if plain else read_settings(flags)
    except SettingsError as exc:
        return _refuse(str(exc), handover)
    return _run(_stdio(settings, handover, snapshot_key), _quick_loop())


def serve_http(flags: Mapping[str, str], listener: socket | None = None) -> int:
    """Serve MCP, REST and the console over HTTP; return the exit status.

    A worker gets the `listener` that it shares with the others.
    """
    settings = read_settings(flags)
    # imported here: the stdio server needs none of it
    from webquarry.server.run_http import run_http
    from webquarry.server.worker_processes import supervise
    from webquarry.wiring.build_http_access import build_house, check_exposure

    check_exposure(settings)
    if listener is None and settings.http.workers > 1:
        return supervise(settings, serve_http, flags)

    async def main() -> None:
        async with open_app(settings, "http") as app:
            house = build_house(settings, app.parts, app.audit)
            await run_http(app.offer, settings, house, listener)

    return _run(main())


def serve_worker(flags: Mapping[str, str]) -> int:
    """Work on crawls that several machines share; return the exit status."""
    settings = read_settings(flags)
    # imported here: servers that run their own crawls need none of it
    from webquarry.wiring.open_crawling import check_worker, work_on_crawls

    check_worker(settings)

    async def main() -> None:
        async with open_app(settings, "http", tools=()) as app:
            await work_on_crawls(settings, app.parts.lent_to_crawls)

    return _run(main())


def _load(flags: Mapping[str, str], declared: Sequence[Variable]) -> Settings:
    return load(environ=os.environ, directory=Path.cwd(), flags=flags, declared=declared)


async def _stdio(settings: Settings, handover: Handover, snapshot_key: str) -> None:
    async with open_app(settings, "stdio") as app:
        server = build_server(app.offer, lambda _: app.owner)
        if snapshot_key:
            from webquarry.snapshots import keep_snapshot

            await keep_snapshot(server, app.offer, settings, snapshot_key)
        wire = StdioConnection(
            read_fd=handover.read_fd,
            write_fd=handover.write_fd,
            unread=handover.unread,
            replay=handover.replay,
            answered=handover.answered,
            max_line=settings.server.max_request_body_bytes,
        )
        await serve(server, wire)


def _run(main: Coroutine[Any, Any, None], loop_factory: LoopFactory | None = None) -> int:
    """Run until done, or until SIGTERM or SIGINT asks to stop."""

    async def until_told() -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(main)
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(number, task.cancel)
        await task

    gc.set_threshold(*_COLLECTING)
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(until_told())
    except asyncio.CancelledError:
        logger.info("stopped by a signal")
    except SettingsError as exc:
        sys.stderr.write(f"webquarry: {exc}\n")
        return EXIT_SETTINGS
    return 0


def _quick_loop() -> LoopFactory | None:
    """Return what makes an event loop; None where there is nothing better than the standard one.

    uvloop makes each turn of the loop cheaper; it does not exist for Windows.
    """
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _refuse(problem: str, handover: Handover) -> int:
    """Tell the person on stderr and the client on the protocol why there will be no server."""
    sys.stderr.write(f"webquarry: {problem}\n")
    for line in handover.unread.splitlines():
        if reply := _error_reply(line, problem):
            os.write(handover.write_fd, reply)
    return EXIT_SETTINGS


def _error_reply(line: bytes, problem: str) -> bytes:
    """Return the JSON-RPC error for a request that will never be served; empty for others."""
    try:
        message = json.loads(line)
        request_id = message["id"] if "method" in message else None
    except (ValueError, TypeError, KeyError):
        return b""
    if request_id is None:
        return b""
    error = {"code": -32603, "message": f"webquarry cannot start: {problem}"}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode() + b"\n"
