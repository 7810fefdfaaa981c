"""Renders the pages of a crawl in the browser."""

from dataclasses import dataclass

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.response import FetchedResponse
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError


@dataclass(frozen=True)
class CrawlRenderer:
    """`PageRenderer` on the browser tier."""

    tier: BrowserTier

    async def render(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page; raises what a fetch raises, and `BrowserError` without a browser."""
        try:
            return await self.tier.render(url, seconds + 10)
        except UnreadableError as error:
            raise BlockedError(str(error)) from error
        except TimeoutError as error:
            raise NetworkError(f"{url} was not rendered in time", details=_TIMEOUT) from error
        except playwright_errors() as error:
            raise NetworkError(f"{url} could not be rendered", details=_BROKEN) from error


_TIMEOUT = {"detail": "timeout"}
_BROKEN = {"detail": "broken"}
