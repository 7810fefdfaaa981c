"""Reading with stored logins, whose parts are opened for the first caller who has one."""

from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from webquarry.models.caller import Caller
from webquarry.models.reading import Mode, ReadMode
from webquarry.net.url import parse
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.reading.service import ReadResult
    from webquarry.reading.signed_in.signed_in_reader import SignedInReader
    from webquarry.wiring.browser_services import BrowserServices


class SignedInReading:
    """Reads pages with logins; its parts are built for the first caller who has one."""

    def __init__(
        self, settings: Settings, services: "BrowserServices", stack: AsyncExitStack
    ) -> None:
        self._settings = settings
        self._services = services
        self._stack = stack

    async def scrape(
        self, url: str, mode: Mode, length: int, caller: Caller, read_mode: ReadMode
    ) -> "ReadResult | None":
        """Return the page as its owner sees it; None if the caller has no login for its host."""
        services = self._services
        if mode == "raw" or services.logins.why_not(caller):
            return None
        if await services.logins.find(caller, parse(url).host) is None:
            return None
        return await self._reader.scrape(url, mode, length, caller, read_mode)

    @cached_property
    def _reader(self) -> "SignedInReader":
        # imported here: few callers have a login
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
            logins=services.logins,
            fetcher=services.network.fetcher,
            browser=build_browser_tier(settings, services.network, services.browser, plain),
            responses=readers,
            max_bytes=settings.scraping.max_html_bytes,
            clock=Clock(),
        )
