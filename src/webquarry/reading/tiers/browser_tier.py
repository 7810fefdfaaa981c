"""The browser tier: runs the scripts of a page in Chromium, then reads the rendered page."""

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webquarry.content.visibility.element_index import HIDDEN_MARK
from webquarry.errors import BlockedError, BrowserError
from webquarry.models.reading import Reading
from webquarry.net.client.response import Headers
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.server import Guard
from webquarry.net.media_type import is_document
from webquarry.net.url import in_domains, parse
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.isolated_world import IsolatedWorld
from webquarry.reading.browser.page_recording import PageRecording
from webquarry.reading.browser.screenshots import (
    RenderedResponse,
    Screenshot,
    ScreenshotOptions,
    take_screenshot,
)
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.acceptance import accept, check_status
from webquarry.reading.tiers.read_errors import UnreadableError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Page, Request, Response, Route

logger = logging.getLogger(__name__)

_QUIET_SECONDS = 0.5  # a page without changes for so long is finished
_QUIET_SECONDS_SPA = 2.0
_MAX_SETTLE_SECONDS = 10.0  # for pages that never stop changing
_MARK_SECONDS = 1.5  # for finding out what is not shown
_MAX_TEXTS = 20_000
_RESERVE_SECONDS = 2.0  # left for taking the page out of the browser
_HTML = Headers([("content-type", "text/html; charset=utf-8")])
_AWAITED_RESOURCES = frozenset({"document", "script", "xhr", "fetch"})
_SHOWN_RESOURCES = frozenset({"image", "stylesheet", "font"})
_UNKNOWN_FILE = "application/octet-stream"
_MEDIA_URL = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|m4v|mov|mp3|m4a|ogg|wav|flac|m3u8|mpd|ts"
    r"|woff2?|ttf|otf|eot)(?:\?|#|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class BrowserTier:
    """Reads pages that need their scripts."""

    browser: Browser
    guard: Guard
    responses: ResponseReader
    spa_hosts: tuple[str, ...] = ()
    max_chars: int = 8 * 2**20
    clock: Clock = field(default_factory=Clock)
    name: str = "browser"
    timeout: float = 30.0

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page, or raise `UnreadableError`."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        try:
            rendered = await self.render(url, seconds)
        except BrowserError as error:
            raise UnreadableError("browser_unavailable", str(error)) from error
        except TimeoutError as error:
            reason = f"not finished within {seconds:.0f} seconds"
            raise UnreadableError("network", reason) from error
        except playwright_errors() as error:
            raise self._navigation_failure(url, str(error)) from error
        if rendered.headers.media_type != _HTML.media_type:
            reason = f"a file ({rendered.headers.media_type}), which a browser does not show"
            raise UnreadableError("content_empty", reason)
        check_status(rendered, self.clock)
        return accept(await self.responses.read(rendered, url, self.name, is_page=True))

    async def render(
        self, url: str, seconds: float, options: ContextOptions | None = None
    ) -> RenderedResponse:
        """Return the page as rendered, once it has stopped changing.

        A document (PDF, Office file) has its content type and no content.
        """
        target = parse(url)
        try:
            self.guard.policy.check(target)
        except RefusedError as error:
            raise UnreadableError("validation", str(error.to_error(url)), final=True) from error
        is_spa = in_domains(target.host, self.spa_hosts)
        quiet = _QUIET_SECONDS_SPA if is_spa else _QUIET_SECONDS
        deadline = self.clock.monotonic() + seconds
        recording = PageRecording.wanted(options)
        if recording:
            options = recording.options(options)

        async def visit(context: "BrowserContext") -> RenderedResponse:
            page = await context.new_page()
            if recording:
                recording.watch(page)
            if options:
                await options.prepare(context, page)
            visit = _Visit(page, self.max_chars, options.screenshot if options else None)
            rendered = await visit.render(
                target.href, quiet, lambda: deadline - self.clock.monotonic()
            )
            return await recording.finish(rendered) if recording else rendered

        return await self.browser.run(visit, seconds, options)

    def _navigation_failure(self, url: str, message: str) -> UnreadableError:
        """Return why a navigation failed; the guard knows when it refused the connection."""
        refusal = self.guard.refusal(parse(url)) if "ERR_SOCKS" in message else None
        if refusal:
            error = refusal.to_error(url)
            if isinstance(error, BlockedError):
                return UnreadableError("validation", str(error), final=True)
            return UnreadableError("network", refusal.reason)
        code = re.search(r"net::(ERR_\w+)", message)
        return UnreadableError("network", code[1] if code else message.partition("\n")[0][:120])


class _Visit:
    """One page in one browser context."""

    def __init__(
        self, page: "Page", max_chars: int, screenshot: ScreenshotOptions | None = None
    ) -> None:
        self._page = page
        self._max_chars = max_chars
        self._screenshot = screenshot
        self._awaited = _AWAITED_RESOURCES | _SHOWN_RESOURCES if screenshot else _AWAITED_RESOURCES
        self._status = 0
        self._document_type = ""  # media type of a response that is no page
        self._pending: set[Request] = set()
        self._tasks: set[asyncio.Future[Any]] = set()

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
        # Chromium shows an error page of its own when a script opens a URL that is refused
        if not self._page.url.startswith(("http://", "https://")):
            reason = "a script of the page opened a URL that was refused or cannot be reached"
            raise UnreadableError("network", reason)
        image = await self._take_screenshot(seconds_left() - _RESERVE_SECONDS)
        html: str = await self._take_document(seconds_left())
        return RenderedResponse(
            screenshot=image,
            url=self._page.url,
            status=self._status or 200,
            headers=_HTML,
            content=html[: self._max_chars].encode("utf-8", "replace"),
            ending="size_limit" if len(html) > self._max_chars else "complete",
        )

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

        if self._screenshot is None:
            return None
        try:
            return await take_screenshot(self._page, self._screenshot, max(0.2, seconds))
        # the text of the page is still wanted
        except (BrowserError, *playwright_errors()) as error:
            logger.warning("no screenshot of %s: %s", self._page.url, error)
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
            await world.call(_script("mark_hidden"), limits)
        except BrowserError as error:  # the static rules still apply
            logger.warning("hidden text of %s is not marked: %s", self._page.url, error)
        return str(await world.call(_script("take_document"), self._max_chars + 1))

    async def _subscribe(self) -> None:
        page = self._page
        if self._screenshot is None:
            await page.context.route(_MEDIA_URL, _abort)
        page.on("response", self._on_response)
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_request_end)
        page.on("requestfailed", self._on_request_end)
        page.on("popup", lambda popup: self._spawn(popup.close()))
        page.on("dialog", self._dismiss)

    async def _wait_until_quiet(self, quiet: float, seconds_left: Callable[[], float]) -> None:
        """Wait until neither the document nor its requests have changed for `quiet` seconds."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        left = min(_MAX_SETTLE_SECONDS, seconds_left() - _RESERVE_SECONDS)
        while left > 0:
            before = seconds_left()
            try:
                # a script in the head may delay the document
                await self._page.wait_for_load_state("domcontentloaded", timeout=left * 1000)
                milliseconds = [quiet * 1000, left * 1000]
                await self._page.evaluate(_script("wait_until_quiet"), milliseconds)
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


@cache
def _script(name: str) -> str:
    """Return a script for the page.

    - wait_until_quiet: resolves when nothing has changed for some ms, or after the longest wait;
    - take_document: the current document, with the shadow roots of its components copied into it.
    """
    return files("webquarry.reading.browser").joinpath(f"{name}.js").read_text("utf-8")
