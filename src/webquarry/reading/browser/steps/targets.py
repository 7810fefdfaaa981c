"""Finds the elements that steps name: in the page, its open shadow roots and its frames."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webquarry.models.page_steps import StepTarget
from webquarry.reading.browser.playwright_errors import playwright_errors

if TYPE_CHECKING:
    from playwright.async_api import Frame, Locator, Page

_POLL_SECONDS = 0.1
_MAX_NAMES = 8  # of elements that an error suggests
_NAMES = """elements => elements.map(e => (e.ariaLabel || e.innerText || e.value || '').trim())
  .filter(Boolean).map(text => text.replace(/\\s+/g, ' ').slice(0, 40))"""


class StepError(Exception):
    """A step failed; the message says why."""


@dataclass(frozen=True)
class FoundElement:
    """An element that a step acts on."""

    locator: "Locator"
    frame: "Frame"


async def find(
    page: "Page", target: StepTarget, seconds: Callable[[], float], *, hidden: bool = False
) -> FoundElement:
    """Return the element as soon as it is shown; `StepError` if it is not in time.

    With `hidden`, an element that is not shown will do.
    """
    while True:
        for frame in page.frames:
            try:
                found = await _in_frame(frame, target, hidden=hidden)
            except playwright_errors() as error:
                if _is_bad_selector(str(error)):
                    raise StepError(f"{target.describe()} is not a valid CSS selector") from error
                continue  # the frame is being replaced
            if found is not None:
                return FoundElement(found, frame)
        if seconds() <= 0:
            raise StepError(await _why_not(page, target))
        await asyncio.sleep(_POLL_SECONDS)


def locate(frame: "Frame", target: StepTarget) -> "Locator":
    """Return what the target means in one frame, whether it is there or not."""
    exact = target.exact
    if target.role:
        role = cast("Any", target.role)  # Playwright lists the roles as literals
        return frame.get_by_role(role, name=target.name or None, exact=exact)
    if target.label:
        return frame.get_by_label(target.label, exact=exact)
    if target.text:
        return frame.get_by_text(target.text, exact=exact)
    return frame.locator(f"css={target.selector}")


async def _in_frame(frame: "Frame", target: StepTarget, *, hidden: bool) -> "Locator | None":
    found = locate(frame, target)
    if not hidden:
        found = found.filter(visible=True)
    return found.nth(target.index) if await found.count() > target.index else None


async def _why_not(page: "Page", target: StepTarget) -> str:
    """Say why an element was not found, and what there is instead."""
    what, frame = target.describe(), page.main_frame
    try:
        count = await locate(frame, target).count()
        shown = await locate(frame, target).filter(visible=True).count()
        if count > shown:
            return f"{what} is on the page, but not shown"
        if shown:
            return f"{what} is {shown} times on the page, so that there is no index {target.index}"
        names = await _others(frame, target)
    except playwright_errors():  # the page is being replaced
        return f"nothing on the page matches {what}"
    also = f"; there is {', '.join(map(repr, names))}" if names else ""
    return f"nothing on the page matches {what}{also}"


async def _others(frame: "Frame", target: StepTarget) -> list[str]:
    """Return the names of elements that might have been meant."""
    if target.label:
        elements = frame.locator("label")
    elif target.role:
        elements = frame.get_by_role(cast("Any", target.role))
    else:
        elements = frame.locator("button,a,[role=button],[role=tab]")
    names: list[str] = await elements.filter(visible=True).evaluate_all(_NAMES)
    return list(dict.fromkeys(names))[:_MAX_NAMES]


def _is_bad_selector(message: str) -> bool:
    return "is not a valid selector" in message or "Unexpected token" in message
