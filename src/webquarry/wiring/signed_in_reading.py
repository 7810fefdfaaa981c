"""Reading with logins, headers and cookies of callers; its parts are opened when first used."""

from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from webquarry.models.caller import Caller
from webquarry.models.page_options import PageOptions
from webquarry.models.reading import Mode, ReadMode
from webquarry.net.url import parse
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.reading.service import ReadResult
    from webquarry.reading.signed_in.page_access import PageAccess
    from webquarry.reading.signed_in.signed_in_reader import SignedInReader
    from webquarry.wiring.browser_services import BrowserServices


class SignedInReading:
    """Reads pages as their callers are known there."""

    def __init__(
        self, settings: Settings, services: "BrowserServices", stack: AsyncExitStack
    ) -> None:
        self._settings = settings
        self._services = services
        self._stack = stack

    async def access(
        self, url: str, caller: Caller, own: PageOptions | None = None
    ) -> "PageAccess | None":
        """Return how the host of the page knows the caller; None if it does not.

        `own` has the headers and cookies of this call.
        """
        services = self._services
        login = None
        if not services.logins.why_not(caller):
            login = await services.logins.find(caller, parse(url).host)
        if login is None and not (own and own.own_headers):
            return None
        # imported here: few callers have a login
        from webquarry.reading.signed_in.page_access import PageAccess

        return PageAccess(target=parse(url), login=login, own=own or PageOptions())

    async def scrape(
        self, access: "PageAccess", mode: Mode, length: int, read_mode: ReadMode
    ) -> "ReadResult":
        """Return the page as its caller sees it."""
        return await self._reader.scrape(access, mode, length, read_mode)

    @cached_property
    def _reader(self) -> "SignedInReader":
        from webquarry.net.clock import Clock
        from webquarry.reading.html_workers import HtmlExtractor
        from webquarry.reading.response_reader import ResponseReader
        from webquarry.reading.signed_in.signed_in_reader import SignedInReader
        from webquarry.wiring.open_shared import build_browser_tier

        settings, services = self._settings, self._services
        extractor = HtmlExtractor(services.parsers)
        self._stack.push_async_callback(extractor.aclose)
        readers = {
            (html, source): ResponseReader(
                services.documents, extractor=extractor, keep_html=html, keep_source=source
            )
            for html in (False, True)
            for source in (False, True)
        }
        plain = readers[False, False]
        return SignedInReader(
            fetcher=services.network.fetcher,
            browser=build_browser_tier(settings, services.network, services.browser, plain),
            responses=readers,
            max_bytes=settings.scraping.max_html_bytes,
            clock=Clock(),
        )
