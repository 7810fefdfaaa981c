"""Starts the servers: loads the settings, opens the application, runs until a stop signal."""

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
from webquarry.errors import EXIT_INTERRUPTED, SettingsError
from webquarry.front.loop import Handover
from webquarry.front.snapshot import sets_no_provider
from webquarry.observe.loop_watchdog import watched_loop
from webquarry.settings.load import Settings, load
from webquarry.settings.variable import Variable

logger = logging.getLogger(__name__)

EXIT_SETTINGS = 2
LoopFactory = Callable[[], asyncio.AbstractEventLoop]
# objects of a call are freed by reference counting; the default thresholds cost 4 % of a read
_GC_THRESHOLDS = (10_000, 10, 10)


def read_settings(flags: Mapping[str, str]) -> Settings:
    """Return the settings of this process and its working directory."""
    # imported here: it imports every provider
    from webquarry.wiring.declared_settings import declared_variables

    return _load(flags, declared_variables())


def read_call_settings(flags: Mapping[str, str]) -> Settings:
    """Return the settings as `read_settings`, for calls; faster if no provider's setting is set.

    These settings do not list the variables that providers declare.
    """
    if sets_no_provider(str(Path.cwd()), {**os.environ, **flags}):
        return _load(flags, ())
    return read_settings(flags)


def serve_stdio(
    flags: Mapping[str, str], handover: Handover, *, snapshot_key: str = "", plain: bool = False
) -> int:
    """Serve one MCP client on the handed-over descriptors; return the exit status.

    With `plain`, no setting of a provider is set, so their declarations need not be imported.
    """
    try:
        settings = _load(flags, ()) if plain else read_settings(flags)
    except SettingsError as exc:
        return _report_failed_start(str(exc), handover)
    return _run(_stdio(settings, handover, snapshot_key), _loop_factory())


def serve_http(flags: Mapping[str, str], listener: socket | None = None) -> int:
    """Serve MCP, REST and the console over HTTP; return the exit status.

    Worker processes share one `listener`.
    """
    settings = read_settings(flags)
    # imported here: the stdio server does not need it
    from webquarry.server.exposure import check_exposure
    from webquarry.server.http_controls import build_http_controls
    from webquarry.server.run_http import run_http
    from webquarry.server.worker_processes import supervise

    check_exposure(settings)
    if listener is None and settings.http.workers > 1:
        return supervise(settings, serve_http, flags)

    async def main() -> None:
        async with open_app(settings, "http") as app:
            controls = build_http_controls(settings, app.services, app.audit)
            with watched_loop(app.services.metrics):
                await run_http(app.offer, settings, controls, listener)

    return _run(main(), interrupted=EXIT_INTERRUPTED)


def serve_worker(flags: Mapping[str, str]) -> int:
    """Run crawls and monitors that several machines share; return the exit status."""
    settings = read_settings(flags)
    # imported here: other servers do not need it
    from webquarry.wiring.open_crawling import check_worker_settings, run_crawl_worker

    check_worker_settings(settings)

    async def main() -> None:
        async with open_app(settings, "http", tools=()) as app:
            with watched_loop(app.services.metrics):
                app.services.watching.scheduler.start()
                await run_crawl_worker(settings, app.services.crawl_resources)

    return _run(main(), interrupted=EXIT_INTERRUPTED)


def _load(flags: Mapping[str, str], declared: Sequence[Variable]) -> Settings:
    return load(environ=os.environ, directory=Path.cwd(), flags=flags, declared=declared)


async def _stdio(settings: Settings, handover: Handover, snapshot_key: str) -> None:
    # imported here: the command line and the library do not need the MCP SDK
    from webquarry.server.mcp_server import build_server
    from webquarry.server.stdio_transport import StdioConnection, serve

    async with open_app(settings, "stdio") as app:
        server = build_server(app.offer, lambda _: app.owner)
        if snapshot_key:
            from webquarry.snapshots import save_snapshot

            await save_snapshot(server, app.offer, settings, snapshot_key)
        connection = StdioConnection(
            read_fd=handover.read_fd,
            write_fd=handover.write_fd,
            unread=handover.unread,
            replay=handover.replay,
            answered=handover.answered,
            max_line=settings.server.max_request_body_bytes,
        )
        with watched_loop(app.services.metrics):
            await serve(server, connection)


def _run(
    main: Coroutine[Any, Any, None],
    loop_factory: LoopFactory | None = None,
    *,
    interrupted: int = 0,
) -> int:
    """Run to the end, or until SIGTERM or SIGINT; return `interrupted` after SIGINT."""
    received: list[signal.Signals] = []

    async def until_signal() -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(main)

        def stop(number: signal.Signals) -> None:
            received.append(number)
            task.cancel()

        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(number, stop, number)
        await task

    gc.set_threshold(*_GC_THRESHOLDS)
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(until_signal())
    except asyncio.CancelledError:
        logger.info("stopped by a signal")
        return interrupted if signal.SIGINT in received else 0
    except SettingsError as exc:
        sys.stderr.write(f"webquarry: {exc}\n")
        return EXIT_SETTINGS
    return 0


def _loop_factory() -> LoopFactory | None:
    """Return uvloop's factory; None, for the standard loop, where uvloop is not available."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _report_failed_start(problem: str, handover: Handover) -> int:
    """Report the problem on stderr, and to the client as the response to its requests."""
    sys.stderr.write(f"webquarry: {problem}\n")
    for line in handover.unread.splitlines():
        if reply := _error_reply(line, problem):
            os.write(handover.write_fd, reply)
    return EXIT_SETTINGS


def _error_reply(line: bytes, problem: str) -> bytes:
    """Return a JSON-RPC error as the response to a request; empty for other messages."""
    try:
        message = json.loads(line)
        request_id = message["id"] if "method" in message else None
    except (ValueError, TypeError, KeyError):
        return b""
    if request_id is None:
        return b""
    error = {"code": -32603, "message": f"webquarry cannot start: {problem}"}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode() + b"\n"
