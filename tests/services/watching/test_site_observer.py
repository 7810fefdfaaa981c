"""A monitor of a site: pages that are new, gone or changed."""

from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.crawl.site import Reply, Site, running_site
from tests.services.watching.kettle_shop import HEAT, WATER, watching_app
from webquarry.models.caller import Caller
from webquarry.models.monitor import Monitor, MonitorDefinition, MonitorTarget
from webquarry.services.watching.service import MonitorService

pytestmark = pytest.mark.anyio

ALICE = Caller(tenant="acme", user="alice")
_PAGE = "<title>{name}</title><main><h1>{name}</h1><p>{text}</p><p>{more}</p>{links}</main>"


@dataclass
class Pages:
    """The pages of a site: their second passage by path; `broken` ones cannot be read."""

    texts: dict[str, str]
    broken: set[str] = field(default_factory=set[str])
    site: Site = field(default_factory=Site)

    def __call__(self, path: str, headers: dict[str, str]) -> Reply:
        if path in self.broken:
            return Reply(b"", status=503)
        if path not in self.texts:
            return Reply(b"", status=404)
        links = "".join(f'<p><a href="{each}">{each}</a></p>' for each in self.texts)
        name, links = f"Page {path}", links if path == "/" else ""
        page = _PAGE.format(name=name, text=WATER, more=self.texts[path], links=links)
        return Reply(page.encode())


@pytest.fixture
def pages() -> Generator[Pages]:
    pages = Pages({"/": HEAT, "/steel": HEAT, "/glass": HEAT})
    with running_site(pages) as site:
        pages.site = site
        yield pages


@pytest.fixture
async def monitors(tmp_path: Path) -> AsyncGenerator[MonitorService]:
    async with watching_app(tmp_path) as app:
        yield replace(app.services.watching, embedded=False)


async def watched(monitors: MonitorService, pages: Pages, *, max_pages: int = 100) -> Monitor:
    """Return a monitor of the site after its first check."""
    target = MonitorTarget(target=f"{pages.site.url}/", kind="site", max_pages=max_pages)
    monitor = await monitors.create(MonitorDefinition(name="Kettles", target=target), ALICE)
    assert await outcome(monitors, monitor) == "first"
    return monitor


async def outcome(monitors: MonitorService, monitor: Monitor) -> str | None:
    return (await monitors.run(monitor.id, ALICE)).progress.last_outcome


async def found(monitors: MonitorService, monitor: Monitor, pages: Pages) -> set[tuple[str, str]]:
    """Return action and path of each change of the latest check that had some."""
    latest = (await monitors.changes(monitor.id, ALICE))[0]
    anchors = [(each.action, each.after or each.before) for each in latest.changes]
    return {
        (action, anchor.url.removeprefix(pages.site.url).partition("#")[0])
        for action, anchor in anchors
        if anchor
    }


async def test_a_site_that_stays_is_unchanged(monitors: MonitorService, pages: Pages) -> None:
    monitor = await watched(monitors, pages)

    assert await outcome(monitors, monitor) == "unchanged"


async def test_pages_that_are_new_gone_or_changed_are_told(
    monitors: MonitorService, pages: Pages
) -> None:
    monitor = await watched(monitors, pages)
    del pages.texts["/glass"]
    pages.texts |= {"/copper": HEAT, "/steel": HEAT.replace("three", "four")}

    assert await outcome(monitors, monitor) == "changed"

    assert {("added", "/copper"), ("removed", "/glass"), ("changed", "/steel")} <= await found(
        monitors, monitor, pages
    )


async def test_a_page_that_cannot_be_read_is_not_gone(
    monitors: MonitorService, pages: Pages
) -> None:
    monitor = await watched(monitors, pages)
    pages.broken = {"/glass"}

    assert await outcome(monitors, monitor) == "unchanged"


async def test_pages_beyond_the_limit_are_not_gone(monitors: MonitorService, pages: Pages) -> None:
    monitor = await watched(monitors, pages, max_pages=2)
    pages.texts = {"/": HEAT, "/glass": HEAT, "/steel": HEAT}

    assert await outcome(monitors, monitor) == "changed"

    assert await found(monitors, monitor, pages) == {("added", "/glass")}


async def test_a_site_that_is_down_is_a_failure(monitors: MonitorService, pages: Pages) -> None:
    monitor = await watched(monitors, pages)
    pages.broken = set(pages.texts)

    assert await outcome(monitors, monitor) == "failed"
