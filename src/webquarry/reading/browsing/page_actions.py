"""Acts on the elements of a page, as a person would: with the mouse and the keyboard."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webquarry.errors import BadInputError
from webquarry.models.browsing import NEEDS_ID, NEEDS_VALUE, PageAction
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browsing.page_snapshot import SnapshotMemory
from webquarry.reading.browsing.page_worlds import MAIN, PageWorlds

if TYPE_CHECKING:
    from playwright.async_api import Page

MAX_WAIT = 10_000  # ms
_DEFAULT_WAIT = 1000
_PROBLEMS = {
    "gone": "is not on the page any more; use an id of the latest snapshot",
    "hidden": "is not shown on the page",
    "disabled": "is disabled",
    "covered": "is covered by {by}; close or move that first",
    "not_editable": "takes no text",
    "not_accepted": "does not accept this value; a date is written 2026-11-18, a time 13:30",
    "not_a_select": "is no list of options; click it and then the option",
    "no_option": "has no such option; it has: {by}",
}
_TRIES = 10  # for an element that is covered while something fades out
_TRY_SECONDS = 0.2
_SCROLLS = {"up": -0.8, "down": 0.8}


class ActionFailedError(Exception):
    """An action could not be done; its text is for the caller."""


@dataclass
class PageActor:
    """Does what a caller wants done on one page."""

    page: "Page"
    worlds: PageWorlds
    memory: SnapshotMemory

    async def do(self, action: PageAction) -> None:
        """Do one action; `ActionFailedError` says why it cannot be done."""
        handlers = {
            "click": self._click,
            "type": self._type,
            "press": self._press,
            "select": self._select,
            "scroll": self._scroll,
            "wait": self._wait,
            "back": self._back,
        }
        try:
            await handlers[action.do](action)
        except playwright_errors() as error:
            raise ActionFailedError(str(error).partition("\n")[0][:200]) from error

    async def _click(self, action: PageAction) -> None:
        x, y = await self._point(action)
        await self.page.mouse.click(x, y)

    async def _type(self, action: PageAction) -> None:
        found = await self._target(action, "fill")
        if found.get("done"):
            return
        if action.value:
            await self.page.keyboard.insert_text(action.value)
        else:
            await self.page.keyboard.press("Delete")

    async def _press(self, action: PageAction) -> None:
        if action.id:
            await self._target(action, "focus")
        await self.page.keyboard.press(action.value)

    async def _select(self, action: PageAction) -> None:
        await self._target(action, "choose")

    async def _scroll(self, action: PageAction) -> None:
        if action.id:
            x, y = await self._point(action)
            await self.page.mouse.move(x, y)
            if not action.value:
                return
        size = self.page.viewport_size or {"width": 0, "height": 768}
        if action.value in {"top", "bottom"}:
            # as far as a page can be scrolled
            await self.page.mouse.wheel(0, -1e7 if action.value == "top" else 1e7)
        elif factor := _SCROLLS.get(action.value or "down"):
            await self.page.mouse.wheel(0, size["height"] * factor)
        else:
            raise ActionFailedError("value: one of up, down, top, bottom")

    async def _wait(self, action: PageAction) -> None:
        text = action.value or str(_DEFAULT_WAIT)
        if not text.isdecimal() or int(text) > MAX_WAIT:
            raise ActionFailedError(f"value: milliseconds, at most {MAX_WAIT}")
        await asyncio.sleep(int(text) / 1000)

    async def _back(self, _: PageAction) -> None:
        if await self.page.go_back(wait_until="commit", timeout=MAX_WAIT) is None:
            raise ActionFailedError("there is no earlier page")

    async def _point(self, action: PageAction) -> tuple[float, float]:
        """Return where in the window an element is, once nothing covers it."""
        found = await self._ask(action, "point")
        for _ in range(_TRIES):
            if found.get("problem") not in {"covered", "hidden"}:
                break
            await asyncio.sleep(_TRY_SECONDS)
            found = await self._ask(action, "point")
        _raise_problem(action, found)
        frame, owner = self._frame(action)
        left, top = await self.worlds.offset(owner) if frame else (0.0, 0.0)
        return left + found["x"], top + found["y"]

    async def _target(self, action: PageAction, do: str) -> dict[str, Any]:
        return _raise_problem(action, await self._ask(action, do))

    async def _ask(self, action: PageAction, do: str) -> dict[str, Any]:
        frame, _ = self._frame(action)
        argument = {"id": number_of(action), "do": do, "text": action.value}
        found: dict[str, Any] = await self.worlds.call("page_target", argument, frame)
        return found

    def _frame(self, action: PageAction) -> tuple[str, int]:
        return self.memory.frames.get(number_of(action), (MAIN, 0))


def number_of(action: PageAction) -> int:
    """Return the number in the id of the element."""
    return int((action.id or "e0")[1:])


def check_action(action: PageAction) -> None:
    """Raise `BadInputError` if an action lacks what it needs."""
    if action.do in NEEDS_ID and not action.id:
        raise BadInputError(f"actions: {action.do} needs the id of an element, such as e5")
    if action.do in NEEDS_VALUE - {"type"} and not action.value:
        raise BadInputError(f"actions: {action.do} needs a value")


def _raise_problem(action: PageAction, found: dict[str, Any]) -> dict[str, Any]:
    problem = found.get("problem")
    if problem:
        text = _PROBLEMS[problem].format(by=found.get("by", ""))
        raise ActionFailedError(f"{action.id} {text}")
    return found
