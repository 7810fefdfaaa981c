"""What each kind of step does on a page."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webquarry.models.page_steps import PageStep, StepKind
from webquarry.reading.browser.page_scripts import page_script
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browser.screenshots import (
    Screenshot,
    ScreenshotOptions,
    take_screenshot,
)
from webquarry.reading.browser.steps.auto_scroll import auto_scroll
from webquarry.reading.browser.steps.consent_answer import answer_consent
from webquarry.reading.browser.steps.targets import FoundElement, StepError, find

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

HTML_TYPE = "text/html; charset=utf-8"
_ELEMENT_SECONDS = 10.0  # to wait for an element
_KEYS = {  # as people spell them
    name.lower(): name
    for name in (
        "Enter", "Tab", "Escape", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown",
        "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space",
    )
}  # fmt: skip
_MAX_PDF = 20 * 2**20
_MAX_HTML = 4 * 2**20  # characters of an extract
_MAX_RESULT = 20_000  # characters of what a script returns


@dataclass(frozen=True, kw_only=True)
class StepProduct:
    """What a step brings: HTML of the page or of an element, a value, a file, a remark."""

    html: str = ""  # to be read as Markdown
    url: str = ""  # of the page that the HTML is from
    value: str = ""
    file: bytes = b""
    media_type: str = ""
    image: Screenshot | None = None  # the file, if it is one
    note: str = ""


@dataclass
class StepContext:
    """The page that steps are run on."""

    page: "Page"
    settle: Callable[[], Awaitable[None]]  # waits until the page is quiet
    seconds_left: Callable[[], float]  # of all steps
    allow_scripts: bool = False
    frames: "set[Frame]" = field(default_factory=set["Frame"])  # in which an element was found

    async def element(self, step: PageStep, *, hidden: bool = False) -> FoundElement:
        """Return the element of a step, once it is on the page."""
        ends = self.seconds_left() - self.milliseconds / 1000
        found = await find(self.page, step, lambda: self.seconds_left() - ends, hidden=hidden)
        if found.frame != self.page.main_frame:
            self.frames.add(found.frame)
        return found

    @property
    def milliseconds(self) -> float:
        """How long an action on an element may take."""
        return max(0.2, min(_ELEMENT_SECONDS, self.seconds_left() - 0.5)) * 1000


async def _wait(context: StepContext, step: PageStep) -> None:
    if step.value:
        await context.page.wait_for_timeout(int(step.value))
    if step.is_given:
        await context.element(step)
    elif not step.value:
        await context.settle()


async def _click(context: StepContext, step: PageStep) -> None:
    found = await context.element(step)
    await found.locator.click(timeout=context.milliseconds)
    await context.settle()


async def _fill(context: StepContext, step: PageStep) -> None:
    found = await context.element(step)
    await found.locator.fill(step.value or "", timeout=context.milliseconds)
    await context.settle()


async def _type(context: StepContext, step: PageStep) -> None:
    if step.is_given:
        found = await context.element(step)
        await found.locator.press_sequentially(step.value or "", timeout=context.milliseconds)
    else:  # into what has the focus
        await context.page.keyboard.type(step.value or "")
    await context.settle()


async def _press(context: StepContext, step: PageStep) -> None:
    key = _KEYS.get((step.value or "").lower(), step.value or "")
    if step.is_given:
        found = await context.element(step)
        await found.locator.press(key, timeout=context.milliseconds)
    else:
        await context.page.keyboard.press(key)
    await context.settle()


async def _select(context: StepContext, step: PageStep) -> None:
    found = await context.element(step)
    if await found.locator.evaluate("e => e.nodeName") != "SELECT":
        raise StepError(f"{step.describe()} is no select element: click it, then click the option")
    options: list[str] = await found.locator.evaluate("e => [...e.options].map(o => o.label)")
    values: list[str] = await found.locator.evaluate("e => [...e.options].map(o => o.value)")
    if step.value not in (*options, *values):
        raise StepError(f"there is no option {step.value!r}; there is {', '.join(options[:20])}")
    await found.locator.select_option(step.value, timeout=context.milliseconds)
    await context.settle()


async def _scroll(context: StepContext, step: PageStep) -> StepProduct | None:
    if step.value == "auto":
        note = await auto_scroll(context.page, context.settle, context.seconds_left)
        return StepProduct(note=note)
    if step.is_given and step.value is None:
        found = await context.element(step)
        await found.locator.scroll_into_view_if_needed(timeout=context.milliseconds)
    elif step.is_given:
        found = await context.element(step)
        await found.locator.evaluate(page_script("scroll_by"), step.value)
    else:
        await context.page.evaluate(f"value => ({page_script('scroll_by')})(null, value)",
                                    step.value or "down")  # fmt: skip
    await context.settle()
    return None


async def _accept_cookies(context: StepContext, step: PageStep) -> StepProduct:
    return await _consent(context, accept=True)


async def _reject_cookies(context: StepContext, step: PageStep) -> StepProduct:
    return await _consent(context, accept=False)


async def _consent(context: StepContext, *, accept: bool) -> StepProduct:
    clicked = await answer_consent(context.page, accept=accept)
    if not clicked:
        kind = "an accept" if accept else "a reject"
        return StepProduct(note=f"no question for consent with {kind} button is shown")
    await context.settle()
    return StepProduct(note=f"clicked {clicked!r}")


async def _extract(context: StepContext, step: PageStep) -> StepProduct:
    script = page_script("copy_document")
    if step.is_given:
        found = await context.element(step, hidden=True)
        html = await found.locator.evaluate(script, _MAX_HTML, timeout=context.milliseconds)
    else:
        html = await context.page.evaluate(f"max => ({script})(null, max)", _MAX_HTML)
    if step.value == "html":
        content = str(html).encode("utf-8", "replace")
        return StepProduct(file=content, media_type=HTML_TYPE, url=context.page.url)
    return StepProduct(html=str(html), url=context.page.url)


async def _screenshot(context: StepContext, step: PageStep) -> StepProduct:
    options = ScreenshotOptions(full_page=step.fullPage, element=step if step.is_given else None)
    image = await take_screenshot(context.page, options, context.seconds_left() - 0.5)
    note = "the page is longer than the image" if image.truncated else ""
    return StepProduct(file=image.content, media_type=image.media_type, image=image, note=note)


async def _pdf(context: StepContext, step: PageStep) -> StepProduct:
    content = await context.page.pdf(print_background=True)
    if len(content) > _MAX_PDF:
        raise StepError(f"the PDF has {len(content):,} bytes; at most {_MAX_PDF:,} are kept")
    return StepProduct(file=content, media_type="application/pdf")


async def _javascript(context: StepContext, step: PageStep) -> StepProduct:
    if not context.allow_scripts:
        raise StepError("the operator of this server does not allow scripts: ALLOW_PAGE_SCRIPTS")
    try:
        value: Any = await context.page.evaluate(step.value or "")
    except playwright_errors() as error:
        raise StepError(f"the script failed: {str(error).partition(chr(10))[0]}") from error
    await context.settle()
    text = json.dumps(value, ensure_ascii=False, default=str)
    note = f"only the first {_MAX_RESULT:,} characters" if len(text) > _MAX_RESULT else ""
    return StepProduct(value=text[:_MAX_RESULT], note=note)


Action = Callable[[StepContext, PageStep], Awaitable[StepProduct | None]]
ACTIONS: dict[StepKind, Action] = {
    "wait": _wait,
    "click": _click,
    "fill": _fill,
    "type": _type,
    "press": _press,
    "select": _select,
    "scroll": _scroll,
    "accept_cookies": _accept_cookies,
    "reject_cookies": _reject_cookies,
    "extract": _extract,
    "screenshot": _screenshot,
    "pdf": _pdf,
    "javascript": _javascript,
}
