"""What `webquarry demo` shows: its scenes as they are played, and what to do next."""

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
    from webquarry_demo.script import PlayedDemo

_READABLE = 100  # columns
_WIDEST = 100_000  # where nobody looks, a line ends where it ends
_MARKS = {"": ("·", "dim"), "good": ("✓", "green"), "bad": ("!", "bold red")}
_MARGIN = 4


class Silent:
    """Shows nothing: the summary is for a program."""

    def open(self) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Nothing is open."""

    def begin(self, number: int, scene: "Scene") -> None:
        """Say nothing."""

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Say nothing."""

    def end(self, scene: "Scene", outcome: "SceneResult", seconds: float) -> None:
        """Say nothing."""

    def fail(self, scene: "Scene", error: "WebquarryError") -> None:
        """Say where it failed; what failed is said by whoever ends the program."""
        sys.stderr.write(f"webquarry: the demo failed at “{scene.title}”\n")


class Programme(Silent):
    """Shows the scenes on the terminal, with a live line for the tool at work."""

    def __init__(self) -> None:
        self._out = Printer()
        self._status: Status | None = None

    def open(self) -> None:
        """Say what this is."""
        self._out.say("Webquarry demo", style="bold")
        self._out.say(
            "A research session on a made-up web inside this machine: no network, no keys. "
            "The tools are the real ones, called as an assistant would call them.",
            style="dim",
        )

    def close(self) -> None:
        """Take the live line away."""
        self._stop()

    def begin(self, number: int, scene: "Scene") -> None:
        self._out.line()
        self._out.say(f"{number:>2}  {scene.title}", style="bold", hang=_MARGIN)
        self._out.say(scene.why, style="dim", margin=_MARGIN)
        if sys.stderr.isatty():
            console = Console(stderr=True, markup=False, highlight=False)
            self._status = Status(f"{scene.tools[-1]} …", console=console)
            self._status.start()

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        if self._status is not None and message:
            self._status.update(one_line(message, 70))

    def end(self, scene: "Scene", outcome: "SceneResult", seconds: float) -> None:
        self._stop()
        for line in outcome.lines:
            mark, style = _MARKS[line.mark]
            self._out.say(f"{mark} {line.text}", style=style, first=1, margin=_MARGIN, hang=2)
        self._out.say(f"{', '.join(scene.tools)} · {seconds:.1f} s", style="dim", margin=_MARGIN)

    def fail(self, scene: "Scene", error: "WebquarryError") -> None:
        self._stop()
        super().fail(scene, error)

    def _stop(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


class Closing:
    """The summary, and where to go from here."""

    def __init__(self, played: "PlayedDemo", address: str, *, kept: bool) -> None:
        self._played = played
        self._address = address
        self._kept = kept
        self._out = Printer()

    @property
    def session_url(self) -> str:
        """Return where the console shows the session."""
        return f"{self._address}/console/sessions?id={self._played.session}"

    def show(self) -> None:
        """Print it."""
        out, folder = self._out, self._played.folder
        out.line()
        out.say(f"Done in {self._played.seconds:.0f} s.", style="bold")
        for text in self._summary():
            out.say(f"· {text}", margin=2, hang=2)
        out.line()
        out.say("The report", style="bold")
        out.say(str(folder / "report.md"), margin=2, style="cyan", whole=True)
        out.say("with references.bib and search-log.md beside it", margin=2, style="dim")
        if self._address:
            self._show_console()
        out.line()
        out.say("Next, on the real web", style="bold")
        name = _command()
        for what, command in _NEXT:
            out.say(what, margin=2, style="dim")
            out.say(f"{name} {command}", margin=4, whole=True)
        if self._address:
            out.line()
            out.say(f"The console is open. Ctrl-C ends the demo{self._ending()}.", style="bold")

    def goodbye(self) -> None:
        """Say that it is over."""
        self._out.line()
        self._out.say(f"The demo has ended. Its report is in {self._played.folder}", whole=True)

    def _ending(self) -> str:
        return "; its data stay" if self._kept else " and removes its data; the report stays"

    def _show_console(self) -> None:
        out = self._out
        pages = {
            "The session, step by step": self.session_url,
            "The crawl": f"{self._address}/console/crawls?id={self._played.crawl}",
            "Try every tool on the sample web": f"{self._address}/console/playground",
        }
        out.line()
        out.say("In your browser", style="bold")
        for what, url in pages.items():
            out.say(what, margin=2, style="dim")
            out.say(url, margin=2, style="cyan", whole=True)

    def _summary(self) -> list[str]:
        facts = self._played.facts
        promotion: str = facts["ranking"]["selfPromotion"]
        audit = facts["bibliography"]["summary"]
        return [
            f"{facts['read']['pagesRead']} pages were read and ranked, {facts['crawl']['pages']} "
            f"crawled, {len(facts['products']['products'])} products taken as data.",
            f"{facts['hidden']['hiddenTexts']} hidden instructions to AI assistants were removed "
            "from a page before anybody read it.",
            "Of three citations one stands, one was retracted, and one is in no register.",
            f"Of {audit['total']} references in a .bib file {audit['ok']} are without a flaw.",
            f"A list of the best boxes was written by its winner ({promotion.rstrip('.')}).",
        ]


_NEXT = (
    ("search the web, without a key", "search barn owl nest boxes"),
    ("read a page as Markdown", "read https://example.org/"),
    ("let your assistant use it", "install claude-code"),
    ("everything else", "--help"),
)


def _command() -> str:
    """Return how this program can be started again from here."""
    started = Path(sys.argv[0]).absolute()
    if shutil.which("webquarry") or started.name != "webquarry":
        return "webquarry"
    here = Path.cwd()
    return str(started.relative_to(here) if started.is_relative_to(here) else started)


class Printer:
    """Prints wrapped text on a terminal, and lines as they are elsewhere."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)
        if not self._console.is_terminal:
            self._console.width = _WIDEST

    def line(self) -> None:
        """Print an empty line."""
        self._console.print()

    def say(
        self,
        text: str,
        *,
        style: str = "",
        margin: int = 0,
        hang: int = 0,
        first: int = 0,
        whole: bool = False,
    ) -> None:
        """Print text: `hang` indents its further lines, `first` styles only its beginning.

        A `whole` text is never broken: it must be possible to copy it.
        """
        styled = Styled(clean(text), style="" if first else style)
        if first:
            styled.stylize(style, 0, first)
        if whole or not self._console.is_terminal:
            self._console.print(Styled(" " * margin) + styled, soft_wrap=True)
            return
        width = min(self._console.width, _READABLE) - margin - hang
        for place, part in enumerate(styled.wrap(self._console, max(20, width))):
            indent = margin + (hang if place else 0)
            self._console.print(Styled(" " * indent) + part)
