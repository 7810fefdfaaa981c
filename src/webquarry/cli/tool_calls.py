"""Calls tools for a command: on the one call path, with progress for whoever waits."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry.cli.output import Json, clean, inside, many
from webquarry.errors import UnconfiguredError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from webquarry.library import LibrarySession

T = TypeVar("T")
_LEVELS = {1: "info", 2: "debug"}


@dataclass(frozen=True)
class ToolRequest:
    """A tool and its arguments."""

    tool: str
    arguments: Json
    needs: str = ""  # the method of a provider without which there is no such tool


def run(work: "Callable[[LibrarySession], Awaitable[T]]", *, verbose: int = 0) -> T:
    """Open Webquarry with every tool, do the work, close it."""
    return asyncio.run(_with_quarry(work, verbose))


def ask(asked: ToolRequest, *, verbose: int = 0) -> Json:
    """Return the whole result of one tool."""

    async def work(quarry: "LibrarySession") -> Json:
        return await answer(quarry, asked, verbose=verbose)

    return run(work, verbose=verbose)


async def answer(quarry: "LibrarySession", asked: ToolRequest, *, verbose: int = 0) -> Json:
    """Call one tool, showing how far it is, and say what the data does not."""
    begun = time.perf_counter()
    if asked.needs and asked.tool not in quarry.tools():
        raise _unoffered(asked)
    with Progressing(asked.tool, verbose=verbose) as progressing:
        result = await quarry.result(asked.tool, asked.arguments, report=progressing.report)
    spent = time.perf_counter() - begun
    body = await quarry.body(result)
    tell_session(result.meta)
    if verbose:
        tell(result.meta, body, spent)
    return body


def tell_session(meta: Json) -> None:
    """Say on stderr that findings are missing from their session."""
    session = meta.get("session", {})
    if session.get("linked") is False:
        sys.stderr.write(f"not recorded in session {session['sessionId']}: {session['reason']}\n")


def tell(meta: Json, body: Json, seconds: float) -> None:
    """Say on stderr who answered, and how long it took."""
    routing = inside(meta, "routing")
    who = routing.get("provider_used") or body.get("provider") or body.get("source") or ""
    said = [f"answered in {seconds:.1f} s"]
    said += [f"by {who}"] if who else []
    said += ["from the cache"] if meta.get("cached") else []
    if len(tried := many(routing, "providers_attempted")) > 1:
        said.append(f"(tried {', '.join(tried)})")
    sys.stderr.write(f"{' '.join(said)}\n")


def _unoffered(asked: ToolRequest) -> UnconfiguredError:
    from webquarry.providers import PROVIDERS

    able = [cls.about for cls in PROVIDERS if hasattr(cls, asked.needs)]
    ways = [f"{' and '.join(about.requires)} for {about.name}" for about in able]
    return UnconfiguredError(f"No source for this is configured: set {', or '.join(ways)}.")


class Progressing:
    """Shows on stderr how far a call is: live on a terminal, as lines with -v."""

    def __init__(self, name: str, *, verbose: int = 0) -> None:
        self._name = name.replace("_", " ")
        self._verbose = verbose
        self._stack = ExitStack()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "Progressing":
        # with -v the log has the screen
        if sys.stderr.isatty() and not self._verbose:
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn

            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False))
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar = self._stack.enter_context(bar)
            self._task = self._bar.add_task(f"{self._name}…", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show one step."""
        of = "" if total is None else f" ({done:g}/{total:g})"
        told = f"{clean(message or self._name)}{of}"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=told)
        elif self._verbose:
            sys.stderr.write(f"{told}\n")


async def _with_quarry(work: "Callable[[LibrarySession], Awaitable[T]]", verbose: int) -> T:
    from webquarry.app import open_app
    from webquarry.library import LibrarySession
    from webquarry.serving import read_settings

    flags = {"TOOLSETS": "all"}
    if verbose:
        flags["LOG_LEVEL"] = _LEVELS[min(verbose, 2)]
    async with open_app(read_settings(flags), "cli") as app:
        return await work(LibrarySession(app))


def arguments_of(given: dict[str, Any]) -> Json:
    """Return what was said, without what was not."""
    return {name: value for name, value in given.items() if value not in (None, [], ())}
