"""A captured session of the demo, and the bundle made of it: once for all tests of a module."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from webquarry.app import App, open_app
from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import BundleCheck
from webquarry.services.bundles.bundle_plan import BundlePlan
from webquarry_demo.demo_settings import clean_settings
from webquarry_demo.demo_view import SilentObserver
from webquarry_demo.script import open_demo

T = TypeVar("T")


@dataclass(frozen=True)
class CapturedDemo:
    """The demo, played with CAPTURE=on."""

    folder: Path
    port: int
    session: str
    crawl: str
    owner: Caller
    plan: BundlePlan
    check: BundleCheck

    @property
    def bundle(self) -> Path:
        """The bundle of the session, with everything captured during it."""
        return self.folder / "demo.wacz"

    @property
    def warc(self) -> Path:
        """The same as records only."""
        return self.folder / "demo.warc.gz"

    @property
    def report(self) -> str:
        """The report that the demo wrote."""
        return (self.folder / "report.md").read_text(encoding="utf-8")


async def play(folder: Path) -> CapturedDemo:
    async with open_demo(folder, {"CAPTURE": "on"}) as demo:
        summary = await demo.play(SilentObserver())
        app, bundles = demo.app, demo.app.services.bundles
        plan = await bundles.plan("session", summary.session, app.owner, everything=True)
        with (folder / "demo.wacz").open("wb") as file:
            await bundles.write(plan, file)
        with (folder / "demo.warc.gz").open("wb") as file:
            await bundles.write(plan, file, "warc")
        check = await bundles.verify(folder / "demo.wacz")
        return CapturedDemo(
            folder, demo.port, summary.session, summary.crawl, app.owner, plan, check
        )


@pytest.fixture(scope="session")
def captured(tmp_path_factory: pytest.TempPathFactory) -> CapturedDemo:
    """Return the captured demo."""
    level, handlers = logging.root.level, [*logging.root.handlers]
    try:
        return asyncio.run(play(tmp_path_factory.mktemp("captured-demo")))
    finally:  # later tests read warnings, which an application sends elsewhere
        logging.root.setLevel(level)
        logging.root.handlers[:] = handlers


@dataclass(frozen=True)
class InApp:
    """Runs work in an application with its own data directory, without a network."""

    data: Path

    def __call__(self, work: Callable[[App], Awaitable[T]], port: int = 1, **settings: str) -> T:
        async def main() -> T:
            async with open_app(clean_settings(self.data, port, settings), "library") as app:
                return await work(app)

        return asyncio.run(main())


@pytest.fixture
def in_app(tmp_path: Path) -> InApp:
    """Return what runs work in an application."""
    data = tmp_path / "data"
    data.mkdir()
    return InApp(data)
