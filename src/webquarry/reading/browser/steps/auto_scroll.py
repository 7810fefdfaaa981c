"""Scrolls through a list without an end, until scrolling brings nothing new."""

import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webquarry.reading.browser.isolated_world import IsolatedWorld
from webquarry.reading.browser.page_scripts import page_script

if TYPE_CHECKING:
    from playwright.async_api import Page

_MAX_ROUNDS = 80
_ROUNDS_WITHOUT_NEW = 2  # at the end of the page: then there is no more
_RESERVE_SECONDS = 3.0  # for putting rows back, and for reading the page


async def auto_scroll(
    page: "Page", settle: Callable[[], Awaitable[None]], seconds_left: Callable[[], float]
) -> str:
    """Scroll down, and click "load more", while there is something new; return what was done.

    Rows that a virtual list has removed from the document meanwhile are put back.
    """
    world = await IsolatedWorld.of(page)
    script, labels = page_script("scroll_round"), _load_more_labels()
    rounds = unchanged = clicks = 0
    stop = ""
    while not stop:
        state: dict[str, Any] = await world.call(script, {"labels": labels, "finish": False})
        rounds += 1
        clicks += bool(state["clicked"])
        # the first round sees the page as it was before
        is_new = rounds > 1 and state["fresh"] > 0
        unchanged = 0 if is_new or state["moved"] else unchanged + 1
        stop = _stop(rounds, unchanged, seconds_left())
        if not stop:
            await settle()
    restored: dict[str, Any] = await world.call(script, {"labels": [], "finish": True})
    parts = [f"{stop} after {rounds} rounds"]
    if clicks:
        parts.append(f"clicked to load more {clicks} times")
    if restored["restored"]:
        parts.append(f"put back {restored['restored']} rows that the list had removed")
    return "; ".join(parts)


def _stop(rounds: int, unchanged: int, seconds: float) -> str:
    if unchanged >= _ROUNDS_WITHOUT_NEW:
        return "nothing new"
    if seconds < _RESERVE_SECONDS:
        return "no time left: there may be more"
    return "stopped: there may be more" if rounds >= _MAX_ROUNDS else ""


@cache
def _load_more_labels() -> list[str]:
    text = files("webquarry.reading.browser").joinpath("load_more_words.json").read_text("utf-8")
    words: dict[str, list[str]] = json.loads(text)
    return [label for labels in words.values() for label in labels]
