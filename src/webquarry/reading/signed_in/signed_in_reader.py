"""Reads a page with the caller's login, past every cache, index and capture."""

import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from webquarry.errors import AccessError, BrowserError
from webquarry.models.caller import Caller
from webquarry.models.login import StoredLogin
from webquarry.models.page_length import MAX_LENGTH, PREVIEW_LENGTH
from webquarry.models.reading import Mode, Reading, ReadMode
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.url import Url, parse
from webquarry.observe.active_recorder import capturing_with
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.page_output import classification_of, scraped_page
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.service import ReadResult
from webquarry.reading.tiers.acceptance import accept, check_status
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError
from webquarry.storage.logins import Logins

_HTTP_SECONDS, _BROWSER_SECONDS = 20.0, 30.0


@dataclass(frozen=True, kw_only=True)
class SignedInReader:
    """Reads pages of hosts for which their caller has stored a login."""

    logins: Logins
    fetcher: Fetcher
    browser: BrowserTier
    # by the HTML that is kept: (main content, entire page)
    responses: dict[tuple[bool, bool], ResponseReader]
    max_bytes: int
    clock: Clock

    async def scrape(
        self, url: str, mode: Mode, length: int, caller: Caller, read_mode: ReadMode
    ) -> ReadResult | None:
        """Return the page as its owner sees it; None if the caller has no login for its host."""
        target = parse(url)
        login = None if mode == "raw" else await self.logins.find(caller, target.host)
        if login is None:
            return None
        # nothing that follows is cached, indexed or captured
        with capturing_with(None):
            reading = await self._read(target, login, read_mode)
        length = PREVIEW_LENGTH if mode == "preview" else min(length, MAX_LENGTH)
        page = scraped_page(reading, length, self.clock.time())
        return ReadResult(page=page, reading=reading)

    async def _read(self, target: Url, login: StoredLogin, mode: ReadMode) -> Reading:
        reader = self.responses[mode.keep_html, mode.keep_source]
        both = (self._by_http, self._by_browser)
        methods = {"static": both[:1], "dynamic": both[1:]}.get(mode.strategy, both)
        failures: list[str] = []
        for read in methods:
            try:
                return self._noted(accept(await read(target, login, reader)), login)
            except UnreadableError as error:
                failures.append(error.reason)
            except (BrowserError, TimeoutError, *playwright_errors()) as error:
                failures.append(str(error).partition("\n")[0] or "the browser took too long")
        raise AccessError(
            f"{target.href} could not be read with your login for {login.host}: "
            f"{'; '.join(failures)}. Sign in again: webquarry login {target.href}"
        )

    async def _by_http(self, target: Url, login: StoredLogin, reader: ResponseReader) -> Reading:
        header = login.cookie_header(
            path=urlsplit(target.href).path, secure=target.scheme == "https", now=self.clock.time()
        )
        fetched = await self.fetcher.fetch(
            FetchRequest(
                url=target.href,
                headers={"Cookie": header} if header else {},
                timeout=_HTTP_SECONDS,
                max_page_bytes=self.max_bytes,
            )
        )
        self._check(fetched, login)
        return await reader.read(fetched, target.href, "signed_in")

    async def _by_browser(self, target: Url, login: StoredLogin, reader: ResponseReader) -> Reading:
        options = ContextOptions(storage_state=login.storage_state())
        rendered = await self.browser.render(target.href, _BROWSER_SECONDS, options)
        self._check(rendered, login)
        if rendered.headers.media_type != "text/html":
            raise UnreadableError("content_empty", "a file, which a browser does not show")
        return await reader.read(rendered, target.href, "signed_in", is_page=True)

    def _check(self, fetched: FetchedResponse, login: StoredLogin) -> None:
        """Raise unless the response is of the host, which may have sent us elsewhere to sign in."""
        check_status(fetched, self.clock)
        host = parse(fetched.url).host
        if host != login.host:
            raise UnreadableError("auth_required", f"it leads to {host}")

    def _noted(self, reading: Reading, login: StoredLogin) -> Reading:
        day = time.strftime("%Y-%m-%d", time.gmtime(login.stored_at))
        note = f"Read with your login for {login.host} of {day}: it is not cached or indexed."
        noted = reading.model_copy(update={"notes": (*reading.notes, note)})
        if noted.classification is None:
            return noted.model_copy(update={"classification": classification_of(noted)})
        return noted
