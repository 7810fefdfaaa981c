"""Reads pages after steps on them. Such a reading is never cached and never indexed."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.page_formats import Device
from webquarry.models.page_steps import PageStep, StepFile, StepOutcome
from webquarry.models.reading import ReadAttempt, Reading
from webquarry.models.result import ImageBlock
from webquarry.net.clock import Clock
from webquarry.net.url import parse
from webquarry.observe.active_recorder import capturing_with
from webquarry.parsing.task import ParseTask
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.screenshots import Screenshot, ScreenshotOptions
from webquarry.reading.browser.steps.step_actions import HTML_TYPE
from webquarry.reading.browser.steps.step_runner import StepResult, StepsRun
from webquarry.reading.page_output import scraped_page
from webquarry.reading.read_port import ChecksRobots
from webquarry.reading.service import ReadResult
from webquarry.reading.signed_in.page_access import PageAccess
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError, error_for_attempts
from webquarry.services.cinder.cinder_screenshots import image_block
from webquarry.storage.artifacts import Artifacts

_MAX_IMAGES = 3  # that a model sees of one result
_NO_SCRIPTS = (
    "steps: javascript is not allowed on this server; its operator can allow it with"
    " ALLOW_PAGE_SCRIPTS. Use click, fill, press, select or scroll instead"
)


@dataclass(frozen=True, kw_only=True)
class StepRequest:
    """What is done on a page, and what is wanted of it besides Markdown."""

    steps: tuple[PageStep, ...]
    keep_html: bool = False
    keep_source: bool = False
    screenshot: ScreenshotOptions | None = None
    device: Device = "desktop"
    dark: bool = False
    access: PageAccess | None = None  # how the host knows the caller


@dataclass(frozen=True, kw_only=True)
class SteppedPage:
    """A page after steps, and what became of them."""

    result: ReadResult
    outcomes: tuple[StepOutcome, ...] = ()  # none without steps
    images: tuple[ImageBlock, ...] = ()  # screenshots of steps, if they are small
    screenshot: Screenshot | None = None  # of the page at the end


@dataclass(frozen=True, kw_only=True)
class PageStepService:
    """Runs steps on pages, and reads what they lead to."""

    tier: Callable[[bool, bool], BrowserTier]  # that keeps the main HTML, or the whole source
    artifacts: Artifacts
    robots: ChecksRobots | None = None
    allow_scripts: bool = False
    seconds: float = 55.0  # for one page with all its steps
    clock: Clock = field(default_factory=Clock)

    async def read(
        self, url: str, request: StepRequest, length: int, caller: Caller
    ) -> SteppedPage:
        """Return the page after the steps, or as it was when one failed."""
        check_scripts(request.steps, allowed=self.allow_scripts)
        target = parse(url)
        if self.robots:
            await self.robots.check(target)
        tier = self.tier(request.keep_html, request.keep_source)
        try:
            with capturing_with(None) if request.access else nullcontext():
                reading, rendered = await tier.read_with_steps(
                    target.href, self.seconds, _context_options(request)
                )
        except UnreadableError as failure:
            attempts = [ReadAttempt(tier=tier.name, outcome=failure.reason)]
            raise error_for_attempts(url, [failure], attempts) from failure
        run = rendered.steps
        access = (request.access.note,) if request.access else ()
        notes = (*reading.notes, *access, *_notes(run, len(request.steps)))
        markdown = await self._with_extracts(tier, run.results, reading)
        reading = reading.model_copy(
            update={
                "notes": notes,
                "markdown": markdown,
                "word_count": reading.word_count if markdown is reading.markdown else None,
                "complete": reading.complete and run.failed is None,
            }
        )
        page = scraped_page(reading, length, self.clock.time())
        outcomes = [await self._outcome(result, caller) for result in run.results]
        return SteppedPage(
            result=ReadResult(page=page, reading=reading),
            outcomes=tuple(outcomes),
            images=_images(run.results),
            screenshot=rendered.screenshot,
        )

    async def _outcome(self, result: StepResult, caller: Caller) -> StepOutcome:
        """Return what became of a step; its file is stored for the caller."""
        product = result.product
        values: dict[str, Any] = {}
        if product and product.value:
            values["value"] = product.value
        if product and product.file:
            artifact = await self.artifacts.put(
                product.file, mime=product.media_type, tenant=caller.tenant, owner=caller.user
            )
            values["file"] = StepFile(
                mimeType=product.media_type,
                bytes=len(product.file),
                url=f"/v1/artifacts/{artifact.id}",
                resource=artifact.uri,
            )
        return StepOutcome(
            step=result.number,
            do=result.step.in_words(),
            ok=result.ok,
            note=result.note or None,
            **values,
        )

    async def _with_extracts(
        self, tier: BrowserTier, results: Sequence[StepResult], reading: Reading
    ) -> str:
        """Return the page with the texts of its extract steps before it."""
        parts: list[str] = []
        for result in results:
            if result.product and result.product.html:
                text = await _markdown(tier, result)
                parts.append(f"# Step {result.number}: {result.step.in_words()}\n\n{text}")
        if not parts:
            return reading.markdown
        return "\n\n".join((*parts, f"# The page after the steps\n\n{reading.markdown}"))


def _context_options(request: StepRequest) -> ContextOptions:
    access = request.access
    return replace(
        access.context_options() if access else ContextOptions(),
        steps=request.steps,
        screenshot=request.screenshot,
        device=request.device,
        dark=request.dark,
    )


def check_scripts(steps: Sequence[PageStep], *, allowed: bool) -> None:
    """Raise for a script of the caller, unless the operator allows it."""
    if not allowed and any(step.do == "javascript" for step in steps):
        raise BadInputError(_NO_SCRIPTS)


async def _markdown(tier: BrowserTier, result: StepResult) -> str:
    """Return what an extract step took: of a page its main content, of an element all."""
    product = result.product
    if product is None:
        return ""
    content, extractor = product.html.encode("utf-8", "replace"), tier.responses.extractor
    if not result.step.is_given:
        reading = await extractor.read(
            content, url=product.url, content_type=HTML_TYPE, keep_html=False
        )
        return reading.markdown
    # imported here: it loads the parsers, which listing the tools does not need
    from webquarry.content.html.selected_elements import selected_page

    task = ParseTask(selected_page, subject=f"The page {product.url}")
    chosen = await extractor.parsers.run(
        task, content, url=product.url, content_type=HTML_TYPE, main=False
    )
    return chosen.markdown


def _notes(run: StepsRun, count: int) -> list[str]:
    """Say which step failed, and what happened at the others."""
    notes = [
        f"Step {result.number} ({result.step.in_words()}): {result.note}."
        for result in run.results
        if result.note and result != run.failed
    ]
    if failed := run.failed:
        left = count - failed.number
        rest = f" {left} further step{'s were' if left > 1 else ' was'} not done." if left else ""
        notes.append(
            f"Step {failed.number} of {count} ({failed.step.in_words()}) failed: {failed.note}."
            f" This is the page as it was then.{rest}"
        )
    return notes


def _images(results: Sequence[StepResult]) -> tuple[ImageBlock, ...]:
    images = [result.product.image for result in results if result.product]
    blocks = (image_block(image) for image in images if image)
    return tuple(block for block in blocks if block)[:_MAX_IMAGES]
