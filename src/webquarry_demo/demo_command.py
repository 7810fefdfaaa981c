"""`webquarry demo`: runs a research session on a sample web and opens the console on it."""

import asyncio
import contextlib
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.options import AsJson, Verbose, single_command, verbosity
from webquarry.cli.output import Json
from webquarry.cli.terminal import show
from webquarry.errors import SettingsError
from webquarry_demo.demo_view import DemoClosing, SilentObserver, TerminalObserver

if TYPE_CHECKING:
    from webquarry_demo.script import DemoRun, DemoSummary

PORT = 8642
_PORTS_TRIED = 20
_LOG_LEVELS = {1: "warn", 2: "info", 3: "debug"}


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(demo)


def demo(
    ctx: typer.Context,
    *,
    console: Annotated[
        bool | None,
        typer.Option(
            "--console/--no-console",
            help="Keep the web console open at the end [default: only on a terminal].",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="Open the session in your browser.")
    ] = False,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Keep report and data in this directory."),
    ] = None,
    as_json: AsJson = False,
    verbose: Verbose = 0,
) -> None:
    """Watch Webquarry work: a research session on a sample web, without network or keys.

    The sample web and stand-ins for the search engine and the registries run inside this command.
    It neither reads nor changes your settings, keys and data.
    """
    on_terminal = sys.stdout.isatty() and not as_json
    with_console = console if console is not None else browser or on_terminal
    level = verbosity(ctx, verbose)
    extra = {"LOG_LEVEL": _LOG_LEVELS[min(level, 3)]} if level else {}
    listener = listen() if with_console else None
    run = _Run(keep, extra, listener, browser=browser, as_json=as_json)
    try:
        completed = asyncio.run(run.until_interrupted())
    finally:
        if listener:
            listener.close()
    if not completed:
        raise KeyboardInterrupt


class _Run:
    """One run of the demo."""

    def __init__(
        self,
        keep: Path | None,
        extra: dict[str, str],
        listener: socket.socket | None,
        *,
        browser: bool,
        as_json: bool,
    ) -> None:
        self._keep = keep
        self._extra = extra
        self._listener = listener
        self._browser = browser
        self._as_json = as_json

    async def until_interrupted(self) -> bool:
        """Run the demo and serve the console until Ctrl-C; return whether the demo completed."""
        task = asyncio.ensure_future(self._play_and_serve())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(number, task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            return False
        return True

    async def _play_and_serve(self) -> None:
        observer = SilentObserver() if self._as_json else TerminalObserver()
        observer.open()
        # imported here because it is slow, and the introduction is on the screen by now
        from webquarry_demo.script import open_demo

        async with open_demo(self._keep, self._extra) as opened:
            try:
                summary = await opened.play(observer)
            finally:
                observer.close()
            console_url = _console_url(self._listener)
            closing = DemoClosing(summary, console_url, kept=self._keep is not None)
            if self._as_json:
                show((), _to_json(summary, console_url), "json")
            else:
                closing.show()
            sys.stdout.flush()  # a reader of a pipe sees the summary at once
            if self._listener:
                await self._serve(opened, self._listener, closing)

    async def _serve(
        self, opened: "DemoRun", listener: socket.socket, closing: DemoClosing
    ) -> None:
        from webquarry.server.http_controls import build_http_controls
        from webquarry.server.run_http import run_http

        app = opened.app
        controls = build_http_controls(app.settings, app.services, app.audit)
        serving = asyncio.ensure_future(run_http(app.offer, app.settings, controls, listener))
        if self._browser:
            import webbrowser

            await asyncio.to_thread(webbrowser.open, closing.session_url)
        try:
            await serving
        except asyncio.CancelledError:
            if not self._as_json:
                closing.goodbye()
            # Ctrl-C is the normal way to end the demo
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()


def listen() -> socket.socket:
    """Open the default port, or the next free one."""
    for port in (*range(PORT, PORT + _PORTS_TRIED), 0):
        with contextlib.suppress(OSError):
            listener = socket.create_server(("127.0.0.1", port), backlog=128)
            # connections inherit it; otherwise Nagle's algorithm delays a response by 40 ms
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listener
    raise SettingsError("No free port for the console. Try --no-console.")


def _console_url(listener: socket.socket | None) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}" if listener else ""


def _to_json(summary: "DemoSummary", console_url: str) -> Json:
    return summary.wire() | {"console": f"{console_url}/" if console_url else None}
