"""Reads a page as its caller is known there, past every cache, index and capture."""

from dataclasses import dataclass

from webquarry.errors import AccessError, BrowserError, WebquarryError
from webquarry.models.page_length import MAX_LENGTH, PREVIEW_LENGTH
from webquarry.models.reading import Mode, ReadAttempt, Reading, ReadMode
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.url import parse
from webquarry.observe.active_recorder import capturing_with
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.page_output import classification_of, scraped_page
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.service import ReadResult
from webquarry.reading.signed_in.page_access import PageAccess
from webquarry.reading.tiers.acceptance import accept, check_status
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError, error_for_attempts

_HTTP_SECONDS, _BROWSER_SECONDS = 20.0, 30.0


@dataclass(frozen=True, kw_only=True)
class SignedInReader:
    """Reads pages with a login of their caller, or with the headers and cookies of a call."""

    fetcher: Fetcher
    browser: BrowserTier
    # by the HTML that is kept: (main content, entire page)
    responses: dict[tuple[bool, bool], ResponseReader]
    max_bytes: int
    clock: Clock

    async def scrape(
        self, access: PageAccess, mode: Mode, length: int, read_mode: ReadMode
    ) -> ReadResult:
        """Return the page as its caller sees it."""
        # nothing that follows is cached, indexed or captured
        with capturing_with(None):
            reading = await self._read(access, read_mode)
        length = PREVIEW_LENGTH if mode == "preview" else min(length, MAX_LENGTH)
        page = scraped_page(reading, length, self.clock.time())
        return ReadResult(page=page, reading=reading)

    async def _read(self, access: PageAccess, mode: ReadMode) -> Reading:
        reader = self.responses[mode.keep_html, mode.keep_source]
        both = (self._by_http, self._by_browser)
        methods = {"static": both[:1], "dynamic": both[1:]}.get(mode.strategy, both)
        failures: list[UnreadableError] = []
        for read in methods:
            try:
                return _noted(accept(await read(access, reader)), access)
            except UnreadableError as error:
                failures.append(error)
                if error.final:
                    break
            except (BrowserError, TimeoutError, *playwright_errors()) as error:
                reason = str(error).partition("\n")[0] or "the browser took too long"
                failures.append(UnreadableError("browser_unavailable", reason))
        raise _error(access, failures)

    async def _by_http(self, access: PageAccess, reader: ResponseReader) -> Reading:
        url = access.target.href
        fetched = await self.fetcher.fetch(
            FetchRequest(
                url=url,
                headers=access.request_headers(self.clock.time()),
                timeout=_HTTP_SECONDS,
                max_page_bytes=self.max_bytes,
            )
        )
        self._check(fetched, access)
        return await reader.read(fetched, url, "signed_in")

    async def _by_browser(self, access: PageAccess, reader: ResponseReader) -> Reading:
        url = access.target.href
        rendered = await self.browser.render(url, _BROWSER_SECONDS, access.context_options())
        self._check(rendered, access)
        if rendered.headers.media_type != "text/html":
            raise UnreadableError("content_empty", "a file, which a browser does not show")
        return await reader.read(rendered, url, "signed_in", is_page=True)

    def _check(self, fetched: FetchedResponse, access: PageAccess) -> None:
        """Raise unless the response is of the host, which may have sent us elsewhere to sign in."""
        check_status(fetched, self.clock)
        host = parse(fetched.url).host
        if access.login and host != access.login.host:
            raise UnreadableError("auth_required", f"it leads to {host}")


def _error(access: PageAccess, failures: list[UnreadableError]) -> WebquarryError:
    url = access.target.href
    if access.login is None or failures[-1].kind == "not_found":
        attempts = [ReadAttempt(tier="signed_in", outcome=failure.reason) for failure in failures]
        return error_for_attempts(url, failures, attempts)
    reasons = "; ".join(dict.fromkeys(failure.reason for failure in failures))
    return AccessError(
        f"{url} could not be read with {access.described}: {reasons}. "
        f"Sign in again: webquarry login {url}"
    )


def _noted(reading: Reading, access: PageAccess) -> Reading:
    noted = reading.model_copy(update={"notes": (*reading.notes, access.note)})
    if noted.classification is None:
        return noted.model_copy(update={"classification": classification_of(noted)})
    return noted
