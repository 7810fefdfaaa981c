"""One page in one browser context: opened, waited for, acted on, taken out."""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from webquarry.content.visibility.element_index import HIDDEN_MARK
from webquarry.errors import BrowserError
from webquarry.net.client.response import Headers
from webquarry.net.media_type import is_document
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.isolated_world import IsolatedWorld
from webquarry.reading.browser.page_scripts import page_script
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.browser.screenshots import Screenshot, take_screenshot
from webquarry.reading.browser.steps.consent_answer import answer_consent
from webquarry.reading.browser.steps.frame_content import with_frames
from webquarry.reading.browser.steps.step_runner import StepRunner, StepsRun
from webquarry.reading.tiers.read_errors import UnreadableError

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page, Request, Response, Route

logger = logging.getLogger(__name__)

HTML = Headers([("content-type", "text/html; charset=utf-8")])
_MAX_SETTLE_SECONDS = 10.0  # for pages that never stop changing
_MAX_STEP_SETTLE_SECONDS = 5.0  # after each step
_MARK_SECONDS = 1.5  # for finding out what is not shown
_MAX_TEXTS = 20_000
_RESERVE_SECONDS = 2.0  # left for taking the page out of the browser
_AWAITED_RESOURCES = frozenset({"document", "script", "xhr", "fetch"})
_SHOWN_RESOURCES = frozenset({"image", "stylesheet", "font"})
_UNKNOWN_FILE = "application/octet-stream"
_MEDIA_URL = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|m4v|mov|mp3|m4a|ogg|wav|flac|m3u8|mpd|ts"
    r"|woff2?|ttf|otf|eot)(?:\?|#|$)",
    re.IGNORECASE,
)


class PageVisit:
    """One page in one browser context."""

    def __init__(
        self,
        page: "Page",
        max_chars: int,
        options: ContextOptions | None = None,
        *,
        allow_scripts: bool = False,
    ) -> None:
        self._page = page
        self._max_chars = max_chars
        self._options = options or ContextOptions()
        self._allow_scripts = allow_scripts
        shown = _SHOWN_RESOURCES if self._options.shows_images else frozenset[str]()
        self._awaited = _AWAITED_RESOURCES | shown
        self._screenshot_problem = ""
        self._status = 0
        self._document_type = ""  # media type of a response that is no page
        self._pending: set[Request] = set()
        self._tasks: set[asyncio.Future[Any]] = set()
        self.has_acted = False  # a step may have changed something

    async def render(
        self, url: str, quiet: float, seconds_left: Callable[[], float]
    ) -> RenderedResponse:
        """Open the URL, wait until the page is quiet, return its document."""
        await self._subscribe()
        await self._open(url, seconds_left())
        if self._document_type:
            headers = Headers([("content-type", self._document_type)])
            return RenderedResponse(url=url, status=self._status or 200, headers=headers)
        await self._wait_until_quiet(quiet, seconds_left)
        consent = await self._dismiss_consent(quiet, seconds_left)
        run = await self._run_steps(quiet, lambda: seconds_left() - _RESERVE_SECONDS)
        # Chromium shows an error page of its own when a script opens a URL that is refused
        if not self._page.url.startswith(("http://", "https://")):
            reason = "a script of the page opened a URL that was refused or cannot be reached"
            raise UnreadableError("network", reason)
        image = await self._take_screenshot(seconds_left() - _RESERVE_SECONDS)
        html: str = await self._take_document(seconds_left())
        html = await with_frames(html, run.frames, self._max_chars)
        return RenderedResponse(
            screenshot=image,
            screenshot_problem=self._screenshot_problem,
            steps=run,
            consent=consent,
            url=self._page.url,
            status=self._status or 200,
            headers=HTML,
            content=html[: self._max_chars].encode("utf-8", "replace"),
            ending="size_limit" if len(html) > self._max_chars else "complete",
        )

    async def _dismiss_consent(self, quiet: float, seconds_left: Callable[[], float]) -> str:
        """Reject what a question for consent asks for; return the label of the button."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        steps = {step.do for step in self._options.steps}
        if self._options.consent == "ignore" or "accept_cookies" in steps:
            return ""
        try:
            accept = self._options.consent == "accept"
            clicked = await answer_consent(self._page, accept=accept)
        # the text of the page is still wanted
        except (BrowserError, *playwright_errors()) as error:
            logger.debug("consent of %s: %s", self._page.url, error)
            return ""
        if clicked:
            await self._wait_until_quiet(quiet, seconds_left)
        return clicked

    async def _run_steps(self, quiet: float, seconds_left: Callable[[], float]) -> StepsRun:
        if not self._options.steps:
            return StepsRun()

        async def settle() -> None:
            await self._wait_until_quiet(quiet, seconds_left, _MAX_STEP_SETTLE_SECONDS)

        self.has_acted = True
        runner = StepRunner(self._page, settle, seconds_left, allow_scripts=self._allow_scripts)
        return await runner.run(self._options.steps)

    async def _open(self, url: str, seconds: float) -> None:
        from webquarry.reading.browser.playwright_errors import playwright_errors

        try:
            first = await self._page.goto(url, wait_until="commit", timeout=seconds * 1000)
        except playwright_errors():
            # the navigation to a file that is saved ends with an error
            if not self._document_type:
                raise
        else:
            self._status = self._status or (first.status if first else 0)

    async def _take_screenshot(self, seconds: float) -> Screenshot | None:
        from webquarry.reading.browser.playwright_errors import playwright_errors

        if self._options.screenshot is None:
            return None
        try:
            return await take_screenshot(self._page, self._options.screenshot, max(0.2, seconds))
        # the text of the page is still wanted
        except (BrowserError, *playwright_errors()) as error:
            logger.warning("no screenshot of %s: %s", self._page.url, error)
            self._screenshot_problem = str(error).partition("\n")[0]
            return None

    async def _take_document(self, seconds: float) -> str:
        """Return the HTML of the document, with what is not shown marked."""
        world = await IsolatedWorld.of(self._page)
        limits = {
            "mark": HIDDEN_MARK,
            "milliseconds": min(_MARK_SECONDS, max(0.2, seconds / 2)) * 1000,
            "maxTexts": _MAX_TEXTS,
        }
        try:
            await world.call(page_script("mark_hidden"), limits)
        except BrowserError as error:  # the static rules still apply
            logger.warning("hidden text of %s is not marked: %s", self._page.url, error)
        return str(await world.call(page_script("take_document"), self._max_chars + 1))

    async def _subscribe(self) -> None:
        page = self._page
        if not self._options.shows_images:
            await page.context.route(_MEDIA_URL, _abort)
        page.on("response", self._on_response)
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_request_end)
        page.on("requestfailed", self._on_request_end)
        page.on("popup", lambda popup: self._spawn(popup.close()))
        page.on("dialog", self._dismiss)

    async def _wait_until_quiet(
        self,
        quiet: float,
        seconds_left: Callable[[], float],
        longest: float = _MAX_SETTLE_SECONDS,
    ) -> None:
        """Wait until neither the document nor its requests have changed for `quiet` seconds."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        left = min(longest, seconds_left() - _RESERVE_SECONDS)
        while left > 0:
            before = seconds_left()
            try:
                # a script in the head may delay the document
                await self._page.wait_for_load_state("domcontentloaded", timeout=left * 1000)
                milliseconds = [quiet * 1000, left * 1000]
                await self._page.evaluate(page_script("wait_until_quiet"), milliseconds)
            except playwright_errors() as error:
                # a navigation destroys the JavaScript context: wait for the next document
                if "context" not in str(error) and "Timeout" not in str(error):
                    raise
            else:
                if not self._pending:
                    return
            left -= before - seconds_left()

    def _on_request(self, request: "Request") -> None:
        if request.resource_type in self._awaited:
            self._pending.add(request)

    def _on_request_end(self, request: "Request") -> None:
        self._pending.discard(request)

    def _on_response(self, response: "Response") -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self._status = response.status
            media_type = Headers(response.headers.items()).media_type
            is_file = media_type == _UNKNOWN_FILE or is_document(b"", media_type)
            self._document_type = media_type if is_file and response.ok else ""

    def _dismiss(self, dialog: "Dialog") -> None:
        self._spawn(dialog.dismiss())

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved and ignored: a popup may be gone before it is closed


async def _abort(route: "Route") -> None:
    await route.abort("blockedbyclient")
