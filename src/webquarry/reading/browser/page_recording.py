"""Records what made up a page in the browser: its responses, its final document, an image."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from webquarry.models.exchange import Exchange, Truncation
from webquarry.net.client.recording import recorded_request_headers, recorded_response_headers
from webquarry.net.client.response import Headers
from webquarry.observe.active_recorder import RecordsExchanges, active_recorder
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.browser.screenshots import ScreenshotOptions

if TYPE_CHECKING:
    from playwright.async_api import Page, Response

_MAX_RESPONSES = 500  # of one page
_BODY_SECONDS = 3.0
# the browser hands over the decoded body
_DECODED = frozenset({"content-encoding", "content-length"})


@dataclass
class PageRecording:
    """The responses of one page while it is rendered."""

    recorder: RecordsExchanges
    has_own_image: bool  # nobody else asked for the screenshot
    _responses: "list[tuple[float, Response]]" = field(
        default_factory=list["tuple[float, Response]"]
    )

    @classmethod
    def wanted(cls, options: ContextOptions | None) -> "PageRecording | None":
        """Return a recording if exchanges are captured; None costs nothing."""
        recorder = active_recorder.get()
        return cls(recorder, not (options and options.screenshot)) if recorder else None

    def options(self, options: ContextOptions | None) -> ContextOptions:
        """Return the options with a screenshot: for it, the browser also loads images."""
        given = options or ContextOptions()
        shot = given.screenshot or ScreenshotOptions(full_page=True)
        return replace(given, screenshot=shot)

    def watch(self, page: "Page") -> None:
        """Note the responses of a page from now on."""
        page.on("response", self._note)

    async def finish(self, rendered: RenderedResponse) -> RenderedResponse:
        """Record everything; return the page as it was asked for."""
        for at, response in self._responses:
            self.recorder.record(await _exchange(at, response, self.recorder.max_body))
        now = time.time()
        if rendered.content:
            document = Exchange(
                url=rendered.url,
                at=now,
                headers=tuple(rendered.headers.items()),
                body=rendered.content,
                kind="dom",
            )
            self.recorder.record(document)
        image = rendered.screenshot
        if image:
            headers = (("content-type", image.media_type),)
            shot = Exchange(
                url=rendered.url, at=now, headers=headers, body=image.content, kind="screenshot"
            )
            self.recorder.record(shot)
        return replace(rendered, screenshot=None) if self.has_own_image else rendered

    def _note(self, response: "Response") -> None:
        is_web = response.url.startswith(("http://", "https://"))
        if is_web and len(self._responses) < _MAX_RESPONSES:
            self._responses.append((time.time(), response))


async def _exchange(at: float, response: "Response", max_body: int) -> Exchange:
    from webquarry.reading.browser.playwright_errors import playwright_errors

    body, truncated = b"", "unspecified"
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            body = await response.body()
            truncated = ""
    except (TimeoutError, *playwright_errors()):  # a redirect has none, and one may be gone
        pass
    headers = recorded_response_headers(Headers(response.headers.items()))
    state: Truncation = "length" if len(body) > max_body else "" if not truncated else "unspecified"
    return Exchange(
        url=response.url.partition("#")[0],
        at=at,
        method=response.request.method,
        request_headers=recorded_request_headers(response.request.headers),
        status=response.status,
        headers=tuple(pair for pair in headers if pair[0] not in _DECODED),
        body=body[:max_body],
        truncated=state,
    )
