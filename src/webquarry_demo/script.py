"""Runs the demo: starts the sample web, plays the scenes on it and returns a summary."""

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
from webquarry_demo.check_scenes import CHECK_SCENES
from webquarry_demo.demo_settings import clean_settings
from webquarry_demo.sample_server import sample_server
from webquarry_demo.scene import Json, Scene, SceneContext, SceneResult
from webquarry_demo.search_scenes import GOAL, SEARCH_SCENES

SCENES = (*SEARCH_SCENES, *CHECK_SCENES)
_DATA_FOLDER = "data"


class DemoObserver(Protocol):
    """Is notified of the progress of the demo."""

    def begin(self, number: int, scene: Scene) -> None:
        """Show that a scene starts."""
        ...

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show the progress of the running tool."""
        ...

    def end(self, scene: Scene, result: SceneResult, seconds: float) -> None:
        """Show the result of a scene."""
        ...

    def fail(self, scene: Scene, error: WebquarryError) -> None:
        """Show that a scene failed; the demo ends."""
        ...


@dataclass(frozen=True)
class DemoSummary:
    """The results of the demo."""

    session: str
    crawl: str
    folder: Path
    seconds: float
    scenes: tuple[Json, ...]

    @property
    def facts(self) -> dict[str, Json]:
        """Return the data of each scene by its name."""
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
    """The sample web, an application that uses only it, and the folder for the report."""

    app: App
    port: int
    folder: Path

    async def play(self, observer: DemoObserver) -> DemoSummary:
        """Run all scenes in order."""
        context = SceneContext(LibrarySession(self.app), self.port, self.folder, observer.report)
        start = time.perf_counter()
        scenes: list[Json] = []
        for number, scene in enumerate(SCENES, 1):
            scene_start = time.perf_counter()
            observer.begin(number, scene)
            try:
                result = await scene.play(context)
            except WebquarryError as error:
                observer.fail(scene, error)
                raise
            seconds = time.perf_counter() - scene_start
            observer.end(scene, result, seconds)
            scenes.append(
                {
                    "name": scene.name,
                    "title": scene.title,
                    "tools": list(scene.tools),
                    "seconds": round(seconds, 2),
                    "facts": result.facts,
                }
            )
        seconds = time.perf_counter() - start
        return DemoSummary(
            context.session, context.facts["crawl"], self.folder, seconds, tuple(scenes)
        )


@asynccontextmanager
async def open_demo(
    keep: Path | None, extra: Mapping[str, str] | None = None
) -> AsyncGenerator[DemoRun]:
    """Start the sample web and the application; at the end, delete the data unless `keep`."""
    folder = prepare_directory(keep) if keep else Path(tempfile.mkdtemp(prefix="webquarry-demo-"))
    data = folder / _DATA_FOLDER
    data.mkdir(exist_ok=True)
    try:
        async with sample_server() as port:
            settings = clean_settings(data, port, extra or {})
            async with open_app(settings, "http") as app:
                yield DemoRun(replace(app, owner=_demo_caller(app)), port, folder)
    finally:
        if not keep:
            shutil.rmtree(data, ignore_errors=True)
            with contextlib.suppress(OSError):  # it contains the report, which is kept
                folder.rmdir()


def _demo_caller(app: App) -> Caller:
    """Return the caller of the scenes: the user of the console, so that it shows the session."""
    return Caller(user=app.owner.user, transport="cli")


def prepare_directory(keep: Path) -> Path:
    """Create and return the directory; reject one with files that are not from the demo."""
    folder = keep.expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise BadInputError(f"{keep} is a file. Name a directory.")
    if (
        folder.is_dir()
        and any(folder.iterdir())
        and not (folder / _DATA_FOLDER / "lenses").is_dir()
    ):
        raise BadInputError(f"{keep} is not empty. Name a new directory.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
