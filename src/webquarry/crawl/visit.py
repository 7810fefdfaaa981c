"""Visits one URL of a crawl: checks robots.txt, sends one request, returns the outcome."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from webquarry.content.text.binary_content import binary_type
from webquarry.crawl.compression import compress, decompress
from webquarry.crawl.document_types import is_readable, may_be_document
from webquarry.crawl.screenshot_budget import ScreenshotBudget, with_screenshot
from webquarry.crawl.store.crawl_values import ClaimedUrl
from webquarry.crawl.urls import network_url
from webquarry.crawl.visit_options import OwnSite, VisitOptions
from webquarry.crawl.visit_results import (
    NotModified,
    Redirected,
    Visit,
    VisitedDocument,
    VisitedPage,
    VisitFailed,
)
from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.net.client.content_encoding import EncodingError
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.clock import Clock
from webquarry.net.fetch import EncodedResponse, Fetcher, FetchRequest
from webquarry.net.upstream.status_errors import retry_after
from webquarry.net.url import Url, parse
from webquarry.observe.active_recorder import active_recorder
from webquarry.reading.browser.rendered_response import RenderedResponse

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

    async def render(self, url: str, seconds: float, options: VisitOptions) -> RenderedResponse:
        """Return the page after its scripts have run; raises what `Fetcher.fetch` raises.

        The response for a document has its content type and no content.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class VisitLimits:
    """Limits of one request."""

    timeout: float = 20.0
    max_page_bytes: int = 8 * 2**20
    max_document_bytes: int = 0  # 0: documents are not read
    max_screenshot_bytes: int = 2**30  # of all screenshots of a crawl


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Visits the URLs of a crawl."""

    fetcher: Fetcher
    robots: RobotsSource
    limits: VisitLimits = VisitLimits()
    renderer: PageRenderer | None = None  # None: pages are not rendered
    options: VisitOptions = field(default_factory=VisitOptions)
    screenshots: ScreenshotBudget | None = None  # None: without a limit
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
            response = await self.fetcher.fetch_once(url, request, _no_body)
            target = response.redirect_target
            if target is not None and target.href != url.href:
                return Redirected(target=target, permanent=response.status in _PERMANENT_REDIRECTS)
        options = self._options_for(claim)
        if self.screenshots and self.screenshots.is_spent:
            options = replace(options, screenshot=None)
        rendered = await renderer.render(url.href, options.seconds(self.limits.timeout), options)
        if self._is_document(rendered.headers, claim.url):  # a browser only shows or saves it
            return await self._fetch(claim, url)
        visit = self._rendered(rendered)
        if isinstance(visit, VisitedPage):
            shown = replace(visit, step_failed=rendered.steps.failure)
            visit = with_screenshot(shown, rendered.screenshot, self.screenshots)
        if isinstance(visit, VisitedPage) and self._is_kept(visit, url):
            rules = await self.robots.rules(visit.url)
            if not rules.can_fetch(visit.url.href, ROBOTS_AGENT):
                return VisitFailed(outcome="robots")
        return visit

    async def _fetch(self, claim: ClaimedUrl, url: Url) -> Visit:
        request = self._request(claim, url, _conditional_headers(claim))

        def body_limit(status: int, headers: Headers) -> int:
            return self._body_limit(status, headers, claim.url)

        response = await self.fetcher.fetch_once(url, request, body_limit)
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

    def _body_limit(self, status: int, headers: Headers, url: str) -> int:
        """Return how many bytes of a body are read at most."""
        if status >= 300:
            return 0
        if self._is_document(headers, url):
            return self.limits.max_document_bytes
        return self.limits.max_page_bytes if headers.media_type in READABLE_TYPES else 0

    def _is_document(self, headers: Headers, url: str) -> bool:
        return bool(self.limits.max_document_bytes) and may_be_document(headers.media_type, url)

    def _visit_of(self, response: EncodedResponse) -> Visit:
        status, headers = response.status, response.headers
        if status == 304:
            return NotModified()
        if status >= 300 or status == 204:
            return self._status_failure(status, headers)
        limit = self._body_limit(status, headers, response.url.href)
        if not limit:
            return VisitFailed(outcome="content_type")
        if response.encoded_body is None:
            return VisitFailed(outcome="too_large")
        return self._decoded(response, response.encoded_body, limit)

    def _decoded(self, response: EncodedResponse, body: bytes, limit: int) -> Visit:
        encoding = response.headers.get("content-encoding", "")
        try:
            content = decompress(body, encoding, limit)
        except EncodingError:
            return VisitFailed(outcome="broken")
        if content is None:
            return VisitFailed(outcome="too_large")
        if binary_type(content) or self._is_document(response.headers, response.url.href):
            return self._document(response, content)
        return _page(response.url, response.status, response.headers, content, body, encoding)

    def _document(self, response: EncodedResponse, content: bytes) -> Visit:
        """Return content that is no text as a document, if it is one that can be read."""
        headers, url = response.headers, response.url
        content_type = headers.get("content-type", "")
        if not self.limits.max_document_bytes or not is_readable(content, content_type, url.href):
            return VisitFailed(outcome="content_type")
        return VisitedDocument(
            url=url,
            status=response.status,
            content=content,
            content_type=content_type,
            etag=headers.get("etag", "")[:500],
            last_modified=headers.get("last-modified", "")[:100],
        )

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


def _no_body(status: int, headers: Headers) -> int:
    return 0


def _conditional_headers(claim: ClaimedUrl) -> dict[str, str]:
    previous = claim.previous_visit
    # a retry is unconditional, and a capture needs the page itself
    if previous is None or claim.attempts or active_recorder.get():
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
