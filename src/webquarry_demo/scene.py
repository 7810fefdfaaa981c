"""The scenes of the demo, and the context in which they run: tools and research session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from webquarry.calls.tool import ReportsProgress
from webquarry.errors import WebquarryError
from webquarry.library import LibrarySession
from webquarry.models.result import Result
from webquarry_demo.sample_pages import page_url

Json = dict[str, Any]
Mark = Literal["", "good", "bad"]


class DemoError(WebquarryError):
    """A tool returned something other than what the sample web contains."""


@dataclass(frozen=True)
class SceneLine:
    """One finding in words."""

    text: str
    mark: Mark = ""


@dataclass(frozen=True)
class SceneResult:
    """The result of a scene: in words, and as data."""

    lines: tuple[SceneLine, ...]
    facts: Json


@dataclass(frozen=True)
class Scene:
    """One part of the demo."""

    name: str
    title: str
    tools: tuple[str, ...]
    why: str
    play: "Callable[[SceneContext], Awaitable[SceneResult]]"


@dataclass
class SceneContext:
    """Calls the same tools on the same call path as every client."""

    library: LibrarySession
    port: int
    folder: Path  # for the report
    report: ReportsProgress
    session: str = ""
    facts: Json = field(default_factory=dict[str, Any])  # results of earlier scenes
    _steps: int = 0

    def url(self, site: str, path: str = "/") -> str:
        """Return a URL of the sample web."""
        return page_url(site, path, self.port)

    async def call(self, tool: str, **arguments: Any) -> Json:
        """Return the complete result of a tool; a failure raises its error."""
        return await self.library.body(await self.result(tool, **arguments))

    async def result(self, tool: str, **arguments: Any) -> Result:
        """Return the raw result of a tool, including `_meta`."""
        return await self.library.result(tool, arguments, report=self.report)

    async def step(self, text: str, *, more: bool = True, **fields: Any) -> None:
        """Add a step to the research session; the first step starts it."""
        self._steps += 1
        session = {"sessionId": self.session} if self.session else {}
        result = await self.call(
            "sequential_search",
            searchStep=text,
            stepNumber=self._steps,
            nextStepNeeded=more,
            **session,
            **fields,
        )
        self.session = result["sessionId"]


def require(condition: object, message: str) -> None:
    """Stop the demo if a tool did not find what the sample web contains."""
    if not condition:
        raise DemoError(message)


def is_retracted(record: Json) -> bool:
    """Return whether a source, paper or citation was retracted."""
    status: Json = record.get("retractionStatus") or {}
    return bool(status.get("retracted"))
