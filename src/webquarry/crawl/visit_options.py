"""How a crawl requests pages, and which of them receive the caller's headers and cookies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.models.page_formats import Device
from webquarry.models.page_options import PageOptions
from webquarry.models.page_steps import PageStep
from webquarry.net.upstream.http_port import USER_AGENT
from webquarry.net.url import Url
from webquarry.reading.browser.screenshots import ScreenshotOptions

# names the program, as crawlers do, and the device
_MOBILE_USER_AGENT = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    f"Chrome/154.0.0.0 Mobile Safari/537.36 (compatible; {USER_AGENT})"
)
_STEP_SECONDS = 30.0


@dataclass(frozen=True)
class OwnSite:
    """The site that the caller's headers and cookies are meant for: never another one."""

    start: Url
    subdomains: bool = False

    def includes(self, url: Url) -> bool:
        """Whether a URL belongs to the site; credentials for https are never sent over http."""
        if self.start.scheme == "https" and url.scheme != "https":
            return False
        if _bare(url) == _bare(self.start):
            return url.port == self.start.port or {url.port, self.start.port} <= {80, 443}
        domain = registrable_domain(self.start.host)
        return self.subdomains and bool(domain) and registrable_domain(url.host) == domain

    @property
    def cookie_domain(self) -> str:
        """The domain of cookies in a browser: of the host and, if wanted, of its subdomains."""
        domain = registrable_domain(self.start.host)
        return f".{domain}" if self.subdomains and domain else self.start.host


@dataclass(frozen=True, kw_only=True)
class VisitOptions:
    """The caller's options for pages; with no site, every URL was asked for itself."""

    page: PageOptions = field(default_factory=PageOptions)
    site: OwnSite | None = None
    guard_url: str = ""  # of the caller's proxies
    screenshot: ScreenshotOptions | None = None
    device: Device = "desktop"
    dark: bool = False
    steps: tuple[PageStep, ...] = ()  # on every page
    storage_state: Mapping[str, Any] | None = None  # of a stored login, for a single page

    def seconds(self, timeout: float) -> float:
        """Return the time for a page with its steps; `timeout` is that of a page without."""
        return timeout + _STEP_SECONDS if self.steps else timeout

    def headers_for(self, url: Url) -> dict[str, str]:
        """Return the headers for a URL."""
        headers = self.page.common_headers
        if self.page.mobile:
            headers["User-Agent"] = _MOBILE_USER_AGENT
        own_headers = self.page.own_headers
        if own_headers and self.receives_own_headers(url):
            headers |= own_headers
        return headers

    def receives_own_headers(self, url: Url) -> bool:
        """Whether the caller's headers and cookies are sent to a URL."""
        return self.site is None or self.site.includes(url)


def _bare(url: Url) -> str:
    return url.site.removeprefix("www.")
