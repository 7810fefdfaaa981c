"""What the scenes of the demo share: the tools, the research session, and somebody who watches."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from webquarry.calls.tool import ReportsProgress
from webquarry.errors import WebquarryError
from webquarry.library import LibrarySession
from webquarry.models.result import Result
from webquarry_demo.sample_pages import located

Json = dict[str, Any]
Mark = Literal["", "good", "bad"]


class DemoError(WebquarryError):
    """A tool answered, but not what the sample web says."""


@dataclass(frozen=True)
class SceneLine:
    """One finding, as a person reads it."""

    text: str
    mark: Mark = ""


@dataclass(frozen=True)
class SceneResult:
    """What came of a scene: for people, and as data."""

    lines: tuple[SceneLine, ...]
    facts: Json


@dataclass(frozen=True)
class Scene:
    """One part of the demo."""

    name: str
    title: str
    tools: tuple[str, ...]
    why: str
    play: "Callable[[Stage], Awaitable[SceneResult]]"


@dataclass
class Stage:
    """Calls the same tools, on the same path, as every client does."""

    quarry: LibrarySession
    port: int
    folder: Path  # where the report goes
    report: ReportsProgress
    session: str = ""
    facts: Json = field(default_factory=dict[str, Any])  # what earlier scenes found out
    _steps: int = 0

    def url(self, site: str, path: str = "/") -> str:
        """Return an address on the sample web."""
        return located(site, path, self.port)

    async def call(self, tool: str, **arguments: Any) -> Json:
        """Return the whole result of a tool; a failure raises what the tool said."""
        return await self.quarry.body(await self.result(tool, **arguments))

    async def result(self, tool: str, **arguments: Any) -> Result:
        """Return everything a tool said, `_meta` included."""
        return await self.quarry.result(tool, arguments, report=self.report)

    async def step(self, text: str, *, more: bool = True, **about: Any) -> None:
        """Write a step into the research session, which the first one begins."""
        self._steps += 1
        known = {"sessionId": self.session} if self.session else {}
        taken = await self.call(
            "sequential_search",
            searchStep=text,
            stepNumber=self._steps,
            nextStepNeeded=more,
            **known,
            **about,
        )
        self.session = taken["sessionId"]


def sure(found: object, otherwise: str) -> None:
    """Stop the demo when a tool has missed what is plainly there."""
    if not found:
        raise DemoError(otherwise)


def is_retracted(record: Json) -> bool:
    """Tell whether a source, a paper or a citation was retracted."""
    status: Json = record.get("retractionStatus") or {}
    return bool(status.get("retracted"))


def shown(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"
