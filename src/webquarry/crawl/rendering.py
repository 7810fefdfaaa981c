"""Renders the pages of a crawl in the browser."""

from dataclasses import dataclass

from webquarry.crawl.visit_options import OwnSite, VisitOptions
from webquarry.errors import BlockedError, NetworkError
from webquarry.models.page_options import coordinates
from webquarry.net.url import parse
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.tiers.browser_tier import BrowserTier, StepsLostError
from webquarry.reading.tiers.read_errors import UnreadableError

_DEFAULT = VisitOptions()


@dataclass(frozen=True)
class CrawlRenderer:
    """`PageRenderer` on the browser tier."""

    tier: BrowserTier

    async def render(
        self, url: str, seconds: float, options: VisitOptions = _DEFAULT
    ) -> RenderedResponse:
        """Return the page; raises what a fetch raises, and `BrowserError` without a browser."""
        try:
            return await self.tier.render(url, seconds + 10, _context_options(url, options))
        except UnreadableError as error:
            raise BlockedError(str(error)) from error
        except TimeoutError as error:
            raise NetworkError(f"{url} was not rendered in time", details=_TIMEOUT) from error
        # a crawl tries a page again
        except (StepsLostError, *playwright_errors()) as error:
            raise NetworkError(f"{url} could not be rendered", details=_BROKEN) from error


def _context_options(url: str, options: VisitOptions) -> ContextOptions | None:
    if options == _DEFAULT:
        return None
    page, site = options.page, options.site or OwnSite(parse(url))
    return ContextOptions(
        locale=page.locale or ContextOptions().locale,
        coordinates=coordinates(page.location) if page.location else None,
        mobile=page.mobile,
        headers=page.headers,
        receives_headers=lambda requested: _is_on(site, requested),
        cookies=page.cookies,
        cookie_domain=site.cookie_domain,
        secure_cookies=site.start.scheme == "https",
        storage_state=options.storage_state,
        guard_url=options.guard_url,
        screenshot=options.screenshot,
        device=options.device,
        dark=options.dark,
        steps=options.steps,
    )


def _is_on(site: OwnSite, url: str) -> bool:
    # a page also requests blob: and data: URLs
    return url.startswith(("http://", "https://")) and site.includes(parse(url))


_TIMEOUT = {"detail": "timeout"}
_BROKEN = {"detail": "broken"}
