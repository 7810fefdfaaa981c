"""Calls tools for a command, with progress on stderr."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry.cli.output import Json, clean, list_field, object_field
from webquarry.errors import UnconfiguredError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from webquarry.library import LibrarySession

T = TypeVar("T")
_LOG_LEVELS = {1: "info", 2: "debug"}


@dataclass(frozen=True)
class ToolRequest:
    """A tool and its arguments."""

    tool: str
    arguments: Json
    # the tool exists only if a configured provider has this method
    required_method: str = ""


def run_in_library(work: "Callable[[LibrarySession], Awaitable[T]]", *, verbose: int = 0) -> T:
    """Run `work` with an open Webquarry that offers every tool."""
    return asyncio.run(_run_in_library(work, verbose))


def run_tool(request: ToolRequest, *, verbose: int = 0) -> Json:
    """Return the complete result of one tool."""
    return run_in_library(
        lambda library: call_tool(library, request, verbose=verbose), verbose=verbose
    )


async def call_tool(library: "LibrarySession", request: ToolRequest, *, verbose: int = 0) -> Json:
    """Return the complete result of one tool; progress and warnings go to stderr."""
    start = time.perf_counter()
    if request.required_method and request.tool not in library.tools():
        raise _unconfigured_error(request.required_method)
    with ProgressDisplay(request.tool, verbose=verbose) as progress:
        result = await library.result(request.tool, request.arguments, report=progress.report)
    seconds = time.perf_counter() - start
    if verbose and result.problem is not None:
        _print_attempts(result.problem.block)
    body = await library.body(result)
    warn_if_not_recorded(result.meta)
    if verbose:
        print_call_summary(result.meta, body, seconds)
    return body


def warn_if_not_recorded(meta: Json) -> None:
    """Warn on stderr when the findings were not added to their research session."""
    session = meta.get("session", {})
    if session.get("linked") is False:
        sys.stderr.write(f"not recorded in session {session['sessionId']}: {session['reason']}\n")


def print_call_summary(meta: Json, body: Json, seconds: float) -> None:
    """Print to stderr which provider answered, and how long it took."""
    routing = object_field(meta, "routing")
    provider = routing.get("provider_used") or body.get("provider") or body.get("source") or ""
    parts = [f"answered in {seconds:.1f} s"]
    if provider:
        parts.append(f"by {provider}")
    if meta.get("cached"):
        parts.append("from the cache")
    if len(tried := list_field(routing, "providers_attempted")) > 1:
        parts.append(f"(tried {', '.join(tried)})")
    sys.stderr.write(f"{' '.join(parts)}\n")


def _print_attempts(block: Json) -> None:
    """Print to stderr what each way of reading a page led to, if the error says it."""
    for attempt in list_field(block, "attempts"):
        sys.stderr.write(f"tried {attempt['tier']}: {clean(attempt['outcome'])}\n")


def _unconfigured_error(method: str) -> UnconfiguredError:
    from webquarry.providers.all_providers import PROVIDERS

    infos = [cls.about for cls in PROVIDERS if hasattr(cls, method)]
    settings = [f"{' and '.join(info.requires)} for {info.name}" for info in infos]
    return UnconfiguredError(f"No provider for this is configured. Set {', or '.join(settings)}.")


class ProgressDisplay:
    """Shows the progress of a call on stderr: live on a terminal, as lines with -v."""

    def __init__(self, name: str, *, verbose: int = 0) -> None:
        self._name = name.replace("_", " ")
        self._verbose = verbose
        self._stack = ExitStack()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "ProgressDisplay":
        # with -v the log is written to stderr, where a live line would overwrite it
        if sys.stderr.isatty() and not self._verbose:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

            text = TextColumn("{task.description}", markup=False)
            columns = (SpinnerColumn(), BarColumn(bar_width=24), text)
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar = self._stack.enter_context(bar)
            self._task = self._bar.add_task(f"{self._name}…", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show one step."""
        count = "" if total is None else f" ({done:g}/{total:g})"
        line = f"{clean(message or self._name)}{count}"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=line, completed=done, total=total)
        elif self._verbose:
            sys.stderr.write(f"{line}\n")


async def _run_in_library(work: "Callable[[LibrarySession], Awaitable[T]]", verbose: int) -> T:
    from webquarry.app import open_app
    from webquarry.library import LibrarySession
    from webquarry.serving import read_call_settings

    flags = {"TOOLSETS": "all"}
    if verbose:
        flags["LOG_LEVEL"] = _LOG_LEVELS[min(verbose, 2)]
    async with open_app(read_call_settings(flags), "cli") as app:
        return await work(LibrarySession(app))


def without_empty(arguments: dict[str, Any]) -> Json:
    """Return the arguments that have a value."""
    return {name: value for name, value in arguments.items() if value not in (None, [], ())}
