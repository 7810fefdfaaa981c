"""The browser as a crawl uses it."""

from dataclasses import dataclass

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.headers import Headers
from webquarry.net.fetch import FetchedResponse
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError

_HTML = Headers([("content-type", "text/html; charset=utf-8")])


@dataclass(frozen=True)
class CrawlRenderer:
    """Pages after their scripts have run."""

    tier: BrowserTier

    async def show(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page; raise what a fetch raises, and `BrowserError` without a browser."""
        try:
            rendered = await self.tier.render(url, seconds + 10)
        except UnreadableError as error:
            raise BlockedError(str(error)) from error
        except TimeoutError as error:
            raise NetworkError(f"{url} was not shown in time", details=_TIMEOUT) from error
        except playwright_errors() as error:
            raise NetworkError(f"{url} could not be shown", details=_BROKEN) from error
        return FetchedResponse(
            url=rendered.url,
            status=rendered.status,
            headers=_HTML,
            content=rendered.html.encode("utf-8", "replace"),
            truncated=rendered.cut,
        )


_TIMEOUT = {"detail": "timeout"}
_BROKEN = {"detail": "broken"}
