"""The output of `webquarry demo`: its scenes while they run, the summary and next steps."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.status import Status
from rich.text import Text as Styled

from webquarry.cli.output import clean, one_line

if TYPE_CHECKING:
    from webquarry.errors import WebquarryError
    from webquarry_demo.scene import Scene, SceneResult
    from webquarry_demo.script import DemoSummary

_MAX_WIDTH = 100  # columns
_UNLIMITED = 100_000  # columns: lines written to a file or pipe are not wrapped
_MARKS = {"": ("·", "dim"), "good": ("✓", "green"), "bad": ("!", "bold red")}
_MARGIN = 4


class SilentObserver:
    """Shows nothing; used with --json."""

    def open(self) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Do nothing."""

    def begin(self, number: int, scene: "Scene") -> None:
        """Show nothing."""

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show nothing."""

    def end(self, scene: "Scene", result: "SceneResult", seconds: float) -> None:
        """Show nothing."""

    def fail(self, scene: "Scene", error: "WebquarryError") -> None:
        """Print which scene failed; the CLI prints the error."""
        sys.stderr.write(f"webquarry: the demo failed at “{scene.title}”\n")


class TerminalObserver(SilentObserver):
    """Shows the scenes on the terminal, with a live line for the running tool."""

    def __init__(self) -> None:
        self._out = Printer()
        self._status: Status | None = None

    def open(self) -> None:
        """Print the introduction."""
        self._out.print("Webquarry demo", style="bold")
        self._out.print(
            "A research session on a sample web on this machine: no network, no keys. The tools "
            "are the real ones, called as an assistant would call them.",
            style="dim",
        )

    def close(self) -> None:
        """Remove the live line."""
        self._stop()

    def begin(self, number: int, scene: "Scene") -> None:
        self._out.line()
        self._out.print(f"{number:>2}  {scene.title}", style="bold", hang=_MARGIN)
        self._out.print(scene.why, style="dim", margin=_MARGIN)
        if sys.stderr.isatty():
            console = Console(stderr=True, markup=False, highlight=False)
            self._status = Status(f"{scene.tools[-1]} …", console=console)
            self._status.start()

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        if self._status is not None and message:
            self._status.update(one_line(message, 70))

    def end(self, scene: "Scene", result: "SceneResult", seconds: float) -> None:
        self._stop()
        for line in result.lines:
            mark, style = _MARKS[line.mark]
            self._out.print(f"{mark} {line.text}", style=style, first=1, margin=_MARGIN, hang=2)
        self._out.print(f"{', '.join(scene.tools)} · {seconds:.1f} s", style="dim", margin=_MARGIN)

    def fail(self, scene: "Scene", error: "WebquarryError") -> None:
        self._stop()
        super().fail(scene, error)

    def _stop(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


class DemoClosing:
    """Prints the summary and the next steps."""

    def __init__(self, summary: "DemoSummary", console_url: str, *, kept: bool) -> None:
        self._summary = summary
        self._console_url = console_url
        self._kept = kept
        self._out = Printer()

    @property
    def session_url(self) -> str:
        """Return the URL of the session in the console."""
        return f"{self._console_url}/console/sessions?id={self._summary.session}"

    @property
    def _check(self) -> str:
        return self._summary.facts["document"]["checkId"]

    def show(self) -> None:
        """Print the summary."""
        out, folder = self._out, self._summary.folder
        out.line()
        out.print(f"Done in {self._summary.seconds:.0f} s.", style="bold")
        for text in self._findings():
            out.print(f"· {text}", margin=2, hang=2)
        out.line()
        out.print("Report", style="bold")
        out.print(str(folder / "report.md"), margin=2, style="cyan", unbroken=True)
        out.print(
            "with references.bib, search-log.md and check.html next to it", margin=2, style="dim"
        )
        if self._console_url:
            self._show_console()
        out.line()
        out.print("Next, on the real web", style="bold")
        name = _command()
        for what, command in _NEXT:
            out.print(what, margin=2, style="dim")
            out.print(f"{name} {command}", margin=4, unbroken=True)
        if self._console_url:
            out.line()
            out.print(f"The console is open. Ctrl-C ends the demo{self._ending()}.", style="bold")

    def goodbye(self) -> None:
        """Print that the demo has ended."""
        self._out.line()
        self._out.print(
            f"The demo has ended. The report is in {self._summary.folder}", unbroken=True
        )

    def _ending(self) -> str:
        return " and keeps its data" if self._kept else " and deletes its data, but not the report"

    def _show_console(self) -> None:
        out = self._out
        pages = {
            "The session, step by step": self.session_url,
            "The crawl": f"{self._console_url}/console/crawls?id={self._summary.crawl}",
            "The checked report": f"{self._console_url}/console/check?id={self._check}",
            "Try any tool on the sample web": f"{self._console_url}/console/playground",
        }
        out.line()
        out.print("In your browser", style="bold")
        for what, url in pages.items():
            out.print(what, margin=2, style="dim")
            out.print(url, margin=2, style="cyan", unbroken=True)

    def _findings(self) -> list[str]:
        facts = self._summary.facts
        promotion: str = facts["ranking"]["selfPromotion"]
        audit = facts["bibliography"]["summary"]
        return [
            f"{facts['read']['pagesRead']} pages read and ranked, {facts['crawl']['pages']} "
            f"crawled, {len(facts['products']['products'])} products extracted as data.",
            f"{facts['hidden']['hiddenTexts']} hidden instructions to AI assistants removed from "
            "a page before a model could read them.",
            "Three citations: one confirmed, one retracted, one that does not exist.",
            f"{audit['total']} references in a .bib file: {audit['ok']} OK.",
            "One draft report: a wrong number, two invented works, one retracted, a dead link.",
            f"One ranking written by the maker of its winner ({promotion.rstrip('.')}).",
        ]


_NEXT = (
    ("Search the web, without a key", "search barn owl nest boxes"),
    ("Read a page as Markdown", "read https://example.org/"),
    ("Set up your assistant", "install claude-code"),
    ("All commands", "--help"),
)


def _command() -> str:
    """Return the command that starts this program from the current directory."""
    started = Path(sys.argv[0]).absolute()
    if shutil.which("webquarry") or started.name != "webquarry":
        return "webquarry"
    directory = Path.cwd()
    relative = started.is_relative_to(directory)
    return str(started.relative_to(directory) if relative else started)


class Printer:
    """Prints text, wrapped on a terminal and unwrapped elsewhere."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)
        if not self._console.is_terminal:
            self._console.width = _UNLIMITED

    def line(self) -> None:
        """Print an empty line."""
        self._console.print()

    def print(
        self,
        text: str,
        *,
        style: str = "",
        margin: int = 0,
        hang: int = 0,
        first: int = 0,
        unbroken: bool = False,
    ) -> None:
        """Print text. `hang` indents its further lines, `first` styles only its first characters.

        Text with `unbroken` is not wrapped, so that it can be copied.
        """
        styled = Styled(clean(text), style="" if first else style)
        if first:
            styled.stylize(style, 0, first)
        if unbroken or not self._console.is_terminal:
            self._console.print(Styled(" " * margin) + styled, soft_wrap=True)
            return
        width = min(self._console.width, _MAX_WIDTH) - margin - hang
        for index, part in enumerate(styled.wrap(self._console, max(20, width))):
            indent = margin + (hang if index else 0)
            self._console.print(Styled(" " * indent) + part)
