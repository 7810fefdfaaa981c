"""The corpus in Chromium: a part of it, or with HIDDEN_TEXT=all every page."""

import asyncio
import os
from itertools import starmap

import pytest

from tests.hidden_text import TECHNIQUES, VISIBLE
from tests.hidden_text.technique import MARKER, NEEDS_LAYOUT, SEEN, Technique
from tests.net.servers import ReceivedRequest, serve
from tests.reading.chromium import needs_chromium, open_browser
from webquarry.reading.tiers import browser_tier

pytestmark = [pytest.mark.anyio, needs_chromium]


async def _read(techniques: tuple[Technique, ...]) -> dict[str, str]:
    """Return the Markdown of each page, as read in one browser."""

    async def handle(asked: ReceivedRequest) -> None:
        number, _, path = asked.target.strip("/").partition("/")
        technique = techniques[int(number)] if number.isdecimal() else techniques[0]
        sheet = technique.files.get(f"/{path}")
        content = technique.page.replace("=/a.css", "=a.css").replace("(/a.css)", "(a.css)")
        if sheet is not None:
            await asked.respond(200, sheet.encode(), content_type="text/css")
        else:
            await asked.respond(200, content.encode(), content_type="text/html")

    async with serve(handle) as site, open_browser() as (_, tier):

        async def read(number: int, technique: Technique) -> tuple[str, str]:
            return technique.id, (await tier.read(site.url(f"/{number}/"), 600)).markdown

        return dict(await asyncio.gather(*starmap(read, enumerate(techniques))))


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_tier, "_QUIET_SECONDS", 0.05)


def _chosen(techniques: tuple[Technique, ...]) -> tuple[Technique, ...]:
    """Return all pages if asked for, else some of each family and those that need a browser."""
    if os.environ.get("HIDDEN_TEXT") == "all":
        return techniques
    needed = [technique for technique in techniques if technique.id in NEEDS_LAYOUT]
    return (*needed, *techniques[::12])


async def test_hidden_text_is_removed_from_rendered_pages() -> None:
    found = await _read(_chosen(TECHNIQUES))

    leaks = sorted(name for name, text in found.items() if MARKER in text)
    losses = sorted(name for name, text in found.items() if not all(w in text for w in SEEN))
    assert (leaks, losses) == ([], [])


async def test_visible_text_stays_on_rendered_pages() -> None:
    found = await _read(_chosen(VISIBLE))

    assert [name for name, text in found.items() if MARKER not in text] == []
