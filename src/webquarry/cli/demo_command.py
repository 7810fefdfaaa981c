"""`webquarry demo`: a research session on a sample web, and the console open on it."""

import asyncio
import contextlib
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.demo_view import Closing, Programme, Silent
from webquarry.cli.options import AsJson, Verbose, plain, verbosity
from webquarry.cli.output import Json
from webquarry.cli.terminal import show
from webquarry.errors import SettingsError

if TYPE_CHECKING:
    from webquarry_demo.script import DemoRun, PlayedDemo

PORT = 8642
_PORTS_TRIED = 20
_LEVELS = {1: "warn", 2: "info", 3: "debug"}


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(demo)
    return made


def demo(
    ctx: typer.Context,
    *,
    console: Annotated[
        bool | None,
        typer.Option(
            "--console/--no-console",
            help="Leave the console open at the end, or not; on a terminal it is.",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="Show the session in your browser.")
    ] = False,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Keep report and data in this directory."),
    ] = None,
    as_json: AsJson = False,
    verbose: Verbose = 0,
) -> None:
    """See what Webquarry does: a research session on a sample web, without network or keys.

    The sample web and stand-ins for search engine and registries run inside this command. Your
    settings, keys and data are neither read nor changed.
    """
    wanted = console if console is not None else browser or (sys.stdout.isatty() and not as_json)
    told = verbosity(ctx, verbose)
    extra = {"LOG_LEVEL": _LEVELS[min(told, 3)]} if told else {}
    listener = listen() if wanted else None
    run = _Run(keep, extra, listener, browser=browser, as_json=as_json)
    try:
        played = asyncio.run(run.until_told())
    finally:
        if listener:
            listener.close()
    if not played:
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

    async def until_told(self) -> bool:
        """Play, and serve the console until Ctrl-C; return whether all was played before that."""
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
        watcher = Silent() if self._as_json else Programme()
        watcher.open()
        # imported here: it takes a while, and by now there is something to read
        from webquarry_demo.script import theatre

        async with theatre(self._keep, self._extra) as opened:
            try:
                played = await opened.play(watcher)
            finally:
                watcher.close()
            address = _address(self._listener)
            closing = Closing(played, address, kept=self._keep is not None)
            if self._as_json:
                show((), _wire(played, address), "json")
            else:
                closing.show()
            sys.stdout.flush()  # whoever reads a pipe should not wait for the end
            if self._listener:
                await self._serve(opened, self._listener, closing)

    async def _serve(self, opened: "DemoRun", listener: socket.socket, closing: Closing) -> None:
        from webquarry.server.run_http import run_http
        from webquarry.wiring.build_http_access import build_house

        app = opened.app
        house = build_house(app.settings, app.parts, app.audit)
        serving = asyncio.ensure_future(run_http(app.offer, app.settings, house, listener))
        if self._browser:
            import webbrowser

            await asyncio.to_thread(webbrowser.open, closing.session_url)
        try:
            await serving
        except asyncio.CancelledError:
            if not self._as_json:
                closing.goodbye()
            # asked for, and everything is closed: a good end
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()


def listen() -> socket.socket:
    """Open the usual port, or the first free one behind it."""
    for port in (*range(PORT, PORT + _PORTS_TRIED), 0):
        with contextlib.suppress(OSError):
            listener = socket.create_server(("127.0.0.1", port), backlog=128)
            # connections inherit it; without it a reply waits 40 ms for an acknowledgement
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listener
    raise SettingsError("there is no free port for the console; try --no-console")


def _address(listener: socket.socket | None) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}" if listener else ""


def _wire(played: "PlayedDemo", address: str) -> Json:
    return played.wire() | {"console": f"{address}/" if address else None}
