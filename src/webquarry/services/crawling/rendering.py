"""The browser as a crawl uses it."""

from dataclasses import dataclass

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.fetch import Fetched
from webquarry.net.headers import Headers
from webquarry.scrape.foreign import playwright_errors
from webquarry.scrape.misses import MissError
from webquarry.scrape.render import BrowserTier

_HTML = Headers([("content-type", "text/html; charset=utf-8")])


@dataclass(frozen=True)
class Shown:
    """Pages after their scripts have run."""

    tier: BrowserTier

    async def show(self, url: str, seconds: float) -> Fetched:
        """Return the page; raise what a fetch raises, and `BrowserError` without a browser."""
        try:
            rendered = await self.tier.render(url, seconds + 10)
        except MissError as error:
            raise BlockedError(str(error)) from error
        except TimeoutError as error:
            raise NetworkError(f"{url} was not shown in time", details=_TIMEOUT) from error
        except playwright_errors() as error:
            raise NetworkError(f"{url} could not be shown", details=_BROKEN) from error
        return Fetched(
            url=rendered.url,
            status=rendered.status,
            headers=_HTML,
            content=rendered.html.encode("utf-8", "replace"),
            truncated=rendered.cut,
        )


_TIMEOUT = {"detail": "timeout"}
_BROKEN = {"detail": "broken"}
