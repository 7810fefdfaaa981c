"""The demo from beginning to end: a sample web, a research session on it, and what came of it."""

import contextlib
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from webquarry.app import App, open_app
from webquarry.errors import BadInputError, WebquarryError
from webquarry.library import LibrarySession
from webquarry.models.caller import Caller
from webquarry_demo.check_scenes import CHECKING
from webquarry_demo.demo_settings import clean_settings
from webquarry_demo.sample_server import sample_server
from webquarry_demo.scene import Json, Scene, SceneResult, Stage
from webquarry_demo.search_scenes import GATHERING, GOAL

SCENES = (*GATHERING, *CHECKING)
_DATA = "data"


class Watcher(Protocol):
    """Whoever the demo is shown to."""

    def begin(self, number: int, scene: Scene) -> None:
        """Announce a scene."""
        ...

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show how far the tool at work is."""
        ...

    def end(self, scene: Scene, outcome: SceneResult, seconds: float) -> None:
        """Show what came of a scene."""
        ...

    def fail(self, scene: Scene, error: WebquarryError) -> None:
        """Show that a scene failed; the demo ends."""
        ...


@dataclass(frozen=True)
class PlayedDemo:
    """What is left when the session is over."""

    session: str
    crawl: str
    folder: Path
    seconds: float
    scenes: tuple[Json, ...]

    @property
    def facts(self) -> dict[str, Json]:
        """Return what each scene found out, by its name."""
        return {scene["name"]: scene["facts"] for scene in self.scenes}

    def wire(self) -> Json:
        """Return the summary as JSON."""
        return {
            "goal": GOAL,
            "sessionId": self.session,
            "crawlId": self.crawl,
            "directory": str(self.folder),
            "seconds": round(self.seconds, 1),
            "scenes": list(self.scenes),
        }


@dataclass(frozen=True)
class DemoRun:
    """The sample web, an application that knows nothing else, and a place for the report."""

    app: App
    port: int
    folder: Path

    async def play(self, watcher: Watcher) -> PlayedDemo:
        """Run the scenes one after the other."""
        stage = Stage(LibrarySession(self.app), self.port, self.folder, watcher.report)
        begun = time.perf_counter()
        scenes: list[Json] = []
        for number, scene in enumerate(SCENES, 1):
            since = time.perf_counter()
            watcher.begin(number, scene)
            try:
                outcome = await scene.play(stage)
            except WebquarryError as error:
                watcher.fail(scene, error)
                raise
            spent = time.perf_counter() - since
            watcher.end(scene, outcome, spent)
            scenes.append(
                {
                    "name": scene.name,
                    "title": scene.title,
                    "tools": list(scene.tools),
                    "seconds": round(spent, 2),
                    "facts": outcome.facts,
                }
            )
        spent = time.perf_counter() - begun
        return PlayedDemo(stage.session, stage.facts["crawl"], self.folder, spent, tuple(scenes))


@asynccontextmanager
async def theatre(
    keep: Path | None, extra: Mapping[str, str] | None = None
) -> AsyncGenerator[DemoRun]:
    """Open everything the demo needs; at the end only its report is left, or all that is kept."""
    folder = prepared(keep) if keep else Path(tempfile.mkdtemp(prefix="webquarry-demo-"))
    data = folder / _DATA
    data.mkdir(exist_ok=True)
    try:
        async with sample_server() as port:
            settings = clean_settings(data, port, extra or {})
            async with open_app(settings, "http") as app:
                # whoever opens the console without a key is this caller, and sees the session
                yield DemoRun(replace(app, owner=Caller(transport="cli")), port, folder)
    finally:
        if not keep:
            shutil.rmtree(data, ignore_errors=True)
            with contextlib.suppress(OSError):  # a report is in it, and stays
                folder.rmdir()


def prepared(keep: Path) -> Path:
    """Return the directory to keep; one that holds something else is left alone."""
    folder = keep.expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise BadInputError(f"{keep} is a file; name a directory to keep the demo in")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _DATA / "lenses").is_dir():
        raise BadInputError(f"{keep} is not empty; name a new directory to keep the demo in")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
