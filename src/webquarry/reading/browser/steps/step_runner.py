"""Runs steps on a page, one after the other, and reports what became of each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.errors import BrowserError
from webquarry.models.page_steps import PageStep
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browser.steps.page_events import PageEvents
from webquarry.reading.browser.steps.step_actions import ACTIONS, StepContext, StepProduct
from webquarry.reading.browser.steps.targets import StepError

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

_MIN_SECONDS = 0.2
_MAX_NOTE = 500


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """What became of one step."""

    number: int  # from 1
    step: PageStep
    ok: bool
    note: str = ""
    product: StepProduct | None = None


@dataclass(frozen=True)
class StepsRun:
    """The steps that were done; the last one failed if `failed` is set."""

    results: tuple[StepResult, ...] = ()
    failed: StepResult | None = None
    frames: "frozenset[Frame]" = field(default_factory=frozenset["Frame"])  # with targets

    @property
    def failure(self) -> str:
        """Which step failed, and why; empty if all were done."""
        failed = self.failed
        return f"step {failed.number} ({failed.step.in_words()}): {failed.note}" if failed else ""


class StepRunner:
    """Runs steps on one page."""

    def __init__(
        self,
        page: "Page",
        settle: Callable[[], Awaitable[None]],
        seconds_left: Callable[[], float],
        *,
        allow_scripts: bool = False,
    ) -> None:
        """`settle` waits until the page is quiet; `seconds_left` is what all steps have."""
        self._context = StepContext(page, settle, seconds_left, allow_scripts=allow_scripts)
        self._events = PageEvents()

    async def run(self, steps: Sequence[PageStep]) -> StepsRun:
        """Run the steps until one fails that is not optional."""
        await self._events.watch(self._context.page)
        results: list[StepResult] = []
        for number, step in enumerate(steps, 1):
            result = await self.run_one(step, number)
            results.append(result)
            if not result.ok and not step.optional:
                return StepsRun(tuple(results), result, frozenset(self._context.frames))
        return StepsRun(tuple(results), None, frozenset(self._context.frames))

    async def run_one(self, step: PageStep, number: int = 1) -> StepResult:
        """Run one step; never raise because of the page."""
        context = self._context
        try:
            async with asyncio.timeout(max(_MIN_SECONDS, context.seconds_left())):
                product = await ACTIONS[step.do](context, step)
                await self._check_location()
        except TimeoutError:
            return self._failure(step, number, "there was no time left for it")
        except (StepError, BrowserError) as error:
            return self._failure(step, number, str(error))
        except playwright_errors() as error:
            return self._failure(step, number, _reason(str(error)))
        notes = filter(None, (product.note if product else "", self._events.take()))
        return StepResult(
            number=number, step=step, ok=True, note="; ".join(notes)[:_MAX_NOTE], product=product
        )

    async def _check_location(self) -> None:
        """Raise when the page led to where the guard lets nobody go; then return from there."""
        page = self._context.page
        if page.url.startswith(("http://", "https://")):
            return
        await page.go_back(timeout=max(_MIN_SECONDS, self._context.seconds_left()) * 1000)
        await self._context.settle()
        raise StepError("it led to a URL that was refused or cannot be reached")

    def _failure(self, step: PageStep, number: int, reason: str) -> StepResult:
        note = "; ".join(filter(None, (reason, self._events.take())))
        return StepResult(number=number, step=step, ok=False, note=note[:_MAX_NOTE])


def _reason(message: str) -> str:
    """Return why Playwright refused an action, in a line."""
    if "intercepts pointer events" in message:
        return "another element covers it"
    for state in ("not enabled", "not editable", "not stable", "not visible"):
        if f"is {state}" in message:
            return f"the element is {state}"
    first = message.partition("\n")[0]
    return first.rpartition("Error: ")[2] or first
