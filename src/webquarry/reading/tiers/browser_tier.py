"""The browser tier: runs the scripts of a page in Chromium, then reads the rendered page."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.errors import Advice, BlockedError, BrowserError
from webquarry.models.reading import Reading
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.server import Guard
from webquarry.net.url import in_domains, parse
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.page_recording import PageRecording
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.acceptance import accept, check_status
from webquarry.reading.tiers.page_visit import HTML, PageVisit
from webquarry.reading.tiers.read_errors import UnreadableError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_QUIET_SECONDS = 0.5  # a page without changes for so long is finished
_QUIET_SECONDS_SPA = 2.0


class StepsLostError(BrowserError):
    """The browser died while steps were run: what they have sent must not be sent twice."""

    advice = Advice("browser_unavailable", retryable=False, action="inform_user")

    def __init__(self) -> None:
        super().__init__(
            "The browser died while the steps were run. Some may have been done, so they are not"
            " repeated; check the page before you try again."
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
    allow_scripts: bool = False  # of callers, as steps

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page, or raise `UnreadableError`."""
        rendered = await self._render_page(url, seconds)
        check_status(rendered, self.clock)
        return accept(await self.responses.read(rendered, url, self.name, is_page=True))

    async def read_with_steps(
        self, url: str, seconds: float, options: ContextOptions
    ) -> tuple[Reading, RenderedResponse]:
        """Return the page that the steps of the options led to, whatever it is."""
        rendered = await self._render_page(url, seconds, options)
        reading = await self.responses.read(rendered, url, self.name, is_page=True)
        try:
            return accept(reading), rendered
        except UnreadableError as poor:
            note = f"The steps led to a page that has {poor.reason}."
            if reading.wall:
                note = f"The steps led to {poor.reason}."
            update = {"complete": False, "notes": (*reading.notes, note)}
            return reading.model_copy(update=update), rendered

    async def _render_page(
        self, url: str, seconds: float, options: ContextOptions | None = None
    ) -> RenderedResponse:
        """Return the page as rendered, or raise `UnreadableError`."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        try:
            rendered = await self.render(url, seconds, options)
        except StepsLostError:
            raise
        except BrowserError as error:
            raise UnreadableError("browser_unavailable", str(error)) from error
        except TimeoutError as error:
            reason = f"not finished within {seconds:.0f} seconds"
            raise UnreadableError("network", reason) from error
        except playwright_errors() as error:
            raise self._navigation_failure(url, str(error)) from error
        if rendered.headers.media_type != HTML.media_type:
            reason = f"a file ({rendered.headers.media_type}), which a browser does not show"
            raise UnreadableError("content_empty", reason)
        return rendered

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

        visits: list[PageVisit] = []

        async def visit(context: "BrowserContext") -> RenderedResponse:
            if visits and visits[-1].has_acted:  # the browser was started again
                raise StepsLostError
            page = await context.new_page()
            if recording:
                recording.watch(page)
            if options:
                await options.prepare(context, page)
            visits.append(
                PageVisit(page, self.max_chars, options, allow_scripts=self.allow_scripts)
            )
            rendered = await visits[-1].render(
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
