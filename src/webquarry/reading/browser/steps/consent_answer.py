"""Answers questions for consent: by the button that rejects, unless the caller wants to accept."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webquarry.reading.browser.isolated_world import IsolatedWorld
from webquarry.reading.browser.page_scripts import page_script
from webquarry.reading.browser.playwright_errors import playwright_errors

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

_CONSENT_FRAME = re.compile(r"consent|cookie|privacy|gdpr|cmp\b|sp_message|trustarc", re.IGNORECASE)
_MAX_FRAMES = 10


async def answer_consent(page: "Page", *, accept: bool = False) -> str:
    """Click the button that rejects (or accepts); return its label, '' if there is none.

    Buttons count only in a dialog or banner about cookies or privacy.
    """
    arguments = _arguments(accept=accept)
    world = await IsolatedWorld.of(page)
    script = page_script("answer_consent")
    if clicked := str(await world.call(script, arguments | {"inFrame": False})):
        return clicked
    for frame in page.frames[1:_MAX_FRAMES]:
        if not _CONSENT_FRAME.search(f"{frame.url[:300]} {frame.name[:100]}"):
            continue
        if clicked := await _in_frame(frame, arguments):
            return clicked
    return ""


async def _in_frame(frame: "Frame", arguments: dict[str, Any]) -> str:
    try:
        return str(await frame.evaluate(page_script("answer_consent"), arguments | _IN_FRAME))
    except playwright_errors():  # the frame is gone, or its scripts have changed the language
        return ""


_IN_FRAME = {"inFrame": True}


@cache
def _arguments(*, accept: bool) -> dict[str, Any]:
    text = files("webquarry.reading.browser").joinpath("consent_words.json").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    answer = "accept" if accept else "reject"
    labels: dict[str, list[str]] = words[answer]
    return {
        "labels": [label for each in labels.values() for label in each],
        "selectors": words["selectors"][answer],
        "topics": words["topics"],
    }
