"""Visits one URL of a crawl: checks robots.txt, sends one request, returns the outcome."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from webquarry.content.text.binary_content import binary_type
from webquarry.crawl.compression import compress, decompress
from webquarry.crawl.store.crawl_values import ClaimedUrl
from webquarry.crawl.urls import network_url
from webquarry.crawl.visit_options import OwnSite, VisitOptions
from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.net.client.content_encoding import EncodingError
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.clock import Clock
from webquarry.net.fetch import EncodedResponse, Fetcher, FetchRequest
from webquarry.net.upstream.status_errors import retry_after
from webquarry.net.url import Url, parse

ROBOTS_AGENT = "webquarry"
READABLE_TYPES = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/markdown", "text/x-markdown", ""}
)
_RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_PERMANENT_REDIRECTS = frozenset({301, 308})
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.1"


class RobotsRules(Protocol):
    """The robots.txt rules of one site."""

    def can_fetch(self, url: str, agent: str, /) -> bool:
        """Whether the agent may read the URL."""
        ...

    def crawl_delay(self, agent: str, /) -> float | None:
        """Return the seconds between two requests."""
        ...

    @property
    def sitemaps(self) -> Iterable[str]:
        """The sitemaps that the site declares."""
        ...


class RobotsSource(Protocol):
    """Fetches and caches robots.txt."""

    async def rules(self, url: Url) -> RobotsRules:
        """Return the rules for the site of a URL."""
        ...


class PageRenderer(Protocol):
    """A browser."""

    async def render(self, url: str, seconds: float, options: VisitOptions) -> FetchedResponse:
        """Return the page after its scripts have run; raises what `Fetcher.fetch` raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page: its content, and the compressed bytes to store."""

    url: Url
    status: int
    content: bytes
    stored_body: bytes
    encoding: str  # of `stored_body`
    content_type: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A redirect."""

    target: Url
    permanent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """The page has not changed since the previous crawl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitFailed:
    """No page, and why; a temporary failure is retried."""

    outcome: str
    temporary: bool = False
    host_pause: float = 0.0  # seconds from Retry-After


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """The host may not be requested yet."""


Visit = VisitedPage | Redirected | NotModified | VisitFailed


@dataclass(frozen=True, kw_only=True)
class VisitLimits:
    """Limits of one request."""

    timeout: float = 20.0
    max_page_bytes: int = 8 * 2**20


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Visits the URLs of a crawl."""

    fetcher: Fetcher
    robots: RobotsSource
    limits: VisitLimits = VisitLimits()
    renderer: PageRenderer | None = None  # None: pages are not rendered
    options: VisitOptions = field(default_factory=VisitOptions)
    clock: Clock = field(default_factory=Clock)

    async def delay(self, url: Url) -> float | None:
        """Return the Crawl-delay of robots.txt in seconds; None if it is not known."""
        try:
            delay = (await self.robots.rules(url)).crawl_delay(ROBOTS_AGENT)
        except (BlockedError, BadInputError):  # `visit` will report it and read nothing
            return 0.0
        except NetworkError:  # `visit` will report it
            return None
        return float(delay or 0.0)

    async def visit(self, claim: ClaimedUrl, *, is_start: bool = False) -> Visit:
        """Return the page of a URL, or what happened instead.

        HTTP redirects of the start page are returned as such, also if pages are rendered.
        """
        url = network_url(claim.url)
        try:
            if not (await self.robots.rules(url)).can_fetch(claim.url, ROBOTS_AGENT):
                return VisitFailed(outcome="robots")
            if self.renderer:
                return await self._render(self.renderer, claim, is_start=is_start)
            return await self._fetch(claim, url)
        except BlockedError:
            return VisitFailed(outcome="refused")
        except BadInputError:
            return VisitFailed(outcome="bad_redirect")
        except NetworkError as error:
            code = str(error.details.get("detail", "")) or "network"
            return VisitFailed(
                outcome=code, temporary=code not in {"dns_no_such_name", "too_large"}
            )

    @cached_property
    def _base_request(self) -> FetchRequest:
        """The request for a URL without a previous visit."""
        return FetchRequest(
            url="",
            headers={"Accept": _ACCEPT},
            timeout=self.limits.timeout,
            own_user_agent=True,
            max_page_bytes=self.limits.max_page_bytes,
        )

    def _request(
        self, claim: ClaimedUrl, url: Url, conditions: dict[str, str] | None = None
    ) -> FetchRequest:
        extra = self._options_for(claim).headers_for(url) | (conditions or {})
        if not extra:
            return self._base_request
        return replace(self._base_request, headers={"Accept": _ACCEPT, **extra})

    async def _render(self, renderer: PageRenderer, claim: ClaimedUrl, *, is_start: bool) -> Visit:
        url = network_url(claim.url)
        if is_start:
            # a browser does not tell redirects of the server from those of a script
            request = self._request(claim, url)
            response = await self.fetcher.fetch_once(url, request, _is_never_readable)
            target = response.redirect_target
            if target is not None and target.href != url.href:
                return Redirected(target=target, permanent=response.status in _PERMANENT_REDIRECTS)
        options = self._options_for(claim)
        visit = self._rendered(await renderer.render(url.href, self.limits.timeout, options))
        if isinstance(visit, VisitedPage) and self._is_kept(visit, url):
            rules = await self.robots.rules(visit.url)
            if not rules.can_fetch(visit.url.href, ROBOTS_AGENT):
                return VisitFailed(outcome="robots")
        return visit

    async def _fetch(self, claim: ClaimedUrl, url: Url) -> Visit:
        request = self._request(claim, url, _conditional_headers(claim))
        response = await self.fetcher.fetch_once(url, request, _is_readable)
        if response.redirect_target is None:
            return self._visit_of(response)
        if response.redirect_target.href != url.href:
            permanent = response.status in _PERMANENT_REDIRECTS
            return Redirected(target=response.redirect_target, permanent=permanent)
        # a redirect to itself that expects its cookie
        return self._rendered(await self.fetcher.fetch(replace(request, url=claim.url)))

    def _is_kept(self, visit: VisitedPage, url: Url) -> bool:
        """Whether the page that a browser ended at is kept: other sites are only in batches."""
        return self.options.site is None or visit.url.origin == url.origin

    def _options_for(self, claim: ClaimedUrl) -> VisitOptions:
        """Return the options; redirects of a listed URL may lead to another site."""
        if self.options.site or not claim.redirected_from:
            return self.options
        return replace(self.options, site=OwnSite(parse(claim.redirected_from)))

    def _visit_of(self, response: EncodedResponse) -> Visit:
        if response.status == 304:
            return NotModified()
        if response.status >= 300 or response.status == 204:
            return self._status_failure(response.status, response.headers)
        if response.headers.media_type not in READABLE_TYPES:
            return VisitFailed(outcome="content_type")
        if response.encoded_body is None:
            return VisitFailed(outcome="too_large")
        return self._decoded(response, response.encoded_body)

    def _decoded(self, response: EncodedResponse, body: bytes) -> Visit:
        encoding = response.headers.get("content-encoding", "")
        try:
            content = decompress(body, encoding, self.limits.max_page_bytes)
        except EncodingError:
            return VisitFailed(outcome="broken")
        if content is None:
            return VisitFailed(outcome="too_large")
        if binary_type(content):
            return VisitFailed(outcome="content_type")
        return _page(response.url, response.status, response.headers, content, body, encoding)

    def _rendered(self, fetched: FetchedResponse) -> Visit:
        if fetched.status >= 300:
            return self._status_failure(fetched.status, fetched.headers)
        if fetched.headers.media_type not in READABLE_TYPES:
            return VisitFailed(outcome="content_type")
        if fetched.truncated:
            return VisitFailed(outcome="too_large")
        content = fetched.content
        if binary_type(content):
            return VisitFailed(outcome="content_type")
        return _page(parse(fetched.url), fetched.status, fetched.headers, content, content, "")

    def _status_failure(self, status: int, headers: Headers) -> VisitFailed:
        wait = retry_after(headers, self.clock.time()) if status in {429, 503} else None
        return VisitFailed(
            outcome=f"http_{status}",
            temporary=status in _RETRIED_STATUSES,
            host_pause=wait or 0.0,
        )


def _is_readable(status: int, headers: Headers) -> bool:
    return status < 300 and headers.media_type in READABLE_TYPES


def _is_never_readable(status: int, headers: Headers) -> bool:
    return False


def _conditional_headers(claim: ClaimedUrl) -> dict[str, str]:
    previous = claim.previous_visit
    if previous is None or claim.attempts:  # a retry is unconditional
        return {}
    headers = {"If-None-Match": previous.etag, "If-Modified-Since": previous.last_modified}
    return {name: value for name, value in headers.items() if value}


def _page(
    url: Url, status: int, headers: Headers, content: bytes, body: bytes, encoding: str
) -> VisitedPage:
    if not encoding:
        body, encoding = compress(content)
    return VisitedPage(
        url=url,
        status=status,
        content=content,
        stored_body=body,
        encoding=encoding,
        content_type=headers.get("content-type", ""),
        etag=headers.get("etag", "")[:500],
        last_modified=headers.get("last-modified", "")[:100],
    )
