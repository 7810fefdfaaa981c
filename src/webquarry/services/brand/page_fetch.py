"""Fetches the pages, style sheets and images of a brand; renders pages that need scripts."""

import asyncio
from copy import copy
from dataclasses import dataclass
from typing import Protocol

from webquarry.content.brand.brand_page import BrandPage, markdown_to_html
from webquarry.content.brand.image_size import image_size_of
from webquarry.content.html.charset import decode_page
from webquarry.content.ranking.known_sites import site_of
from webquarry.errors import NetworkError, ParseLimitError, WebquarryError
from webquarry.models.brand import Logo
from webquarry.models.caller import Caller
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import FetchRequest
from webquarry.net.media_type import is_document
from webquarry.net.url import parse
from webquarry.parsing.limited import parse_limited
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.read_port import ChecksRobots, ReadsPages
from webquarry.services.link_check import Fetches

REQUEST_TIMEOUT = 8.0
_RENDER_TIMEOUT = 20.0
_READ_TIMEOUT = 20.0
_MAX_PAGE_BYTES = 3 * 2**20
_MAX_IMAGE_BYTES = 256 * 1024
_MAX_STYLESHEETS = 4
_MAX_DOCUMENT_BYTES = 400_000
_MIN_WORDS = 40  # with fewer, a page is taken for empty
_GONE = frozenset({404, 410})
_HEAD_UNRELIABLE = (400, 403, 404, 405, 406, 501)
MAX_REQUESTS = 60  # for one brand


class RendersPages(Protocol):
    """Renders pages in a browser."""

    async def render(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page after its scripts have run."""
        ...


@dataclass(frozen=True)
class BrandPageFetch:
    """One fetched page."""

    url: str
    status: int
    page: BrandPage
    markdown: str
    text: str  # all visible text except navigation
    fingerprint: str  # equal for pages with the same content
    wall: str = ""
    rendered: bool = False  # by a browser

    @property
    def is_empty(self) -> bool:
        """Whether the page has no text before its scripts run."""
        return self.wall == "script_shell" or len(self.text.split()) < _MIN_WORDS


class _LimitedFetcher:
    """Counts requests, and refuses those beyond the limit."""

    def __init__(self, fetcher: Fetches) -> None:
        self.fetcher = fetcher
        self.count = 0
        self.refused = 0

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        if self.count >= MAX_REQUESTS:
            self.refused += 1
            raise NetworkError(f"The limit of {MAX_REQUESTS} requests for one brand is reached.")
        self.count += 1
        return await self.fetcher.fetch(request)


class BrandPageFetcher:
    """Fetches what a brand search reads."""

    def __init__(
        self,
        fetcher: Fetches,
        reads: ReadsPages,
        shows: RendersPages | None = None,
        robots: ChecksRobots | None = None,
        parsers: Parsers | None = None,
    ) -> None:
        self.owner: Caller | None = None
        self._fetcher = _LimitedFetcher(fetcher)
        self._texts: dict[str, str | None] = {}
        self._robots = robots
        self._reads = reads
        self._shows = shows
        self._parsers = parsers or Parsers()

    def for_owner(self, owner: Caller | None) -> "BrandPageFetcher":
        """Return a fetcher for one brand, whose cached documents belong to the owner."""
        fetcher = copy(self)
        fetcher.begin(owner)
        return fetcher

    def begin(self, owner: Caller | None) -> None:
        """Start the count of requests for a new brand."""
        self.owner = owner
        self._fetcher = _LimitedFetcher(self._fetcher.fetcher)
        self._texts = {}

    @property
    def requests(self) -> int:
        """How many requests were sent."""
        return self._fetcher.count

    @property
    def refused(self) -> int:
        """How many requests were not sent because of the limit."""
        return self._fetcher.refused

    async def supports_head(self, url: str) -> bool:
        """Tell whether the server responds to HEAD for a page that exists."""
        request = FetchRequest(url=url, method="HEAD", timeout=REQUEST_TIMEOUT)
        try:
            return (await self._fetcher.fetch(request)).status == 200
        except WebquarryError:
            return False

    async def head(self, url: str, *, supported: bool = False) -> FetchedResponse:
        """Return the response to HEAD; to GET if that may differ on a server without HEAD."""
        request = FetchRequest(url=url, method="HEAD", timeout=REQUEST_TIMEOUT)
        response = await self._fetcher.fetch(request)
        if response.status in _HEAD_UNRELIABLE and not supported:
            request = FetchRequest(
                url=url, timeout=REQUEST_TIMEOUT, max_page_bytes=4096, max_document_bytes=4096
            )
            response = await self._fetcher.fetch(request)
        return response

    async def page(self, url: str) -> BrandPageFetch:
        """Return the page at a URL, whatever its status."""
        if self._robots:
            await self._robots.check(parse(url))
        fetched = await self._fetcher.fetch(
            FetchRequest(url=url, timeout=REQUEST_TIMEOUT * 2, max_page_bytes=_MAX_PAGE_BYTES)
        )
        if is_document(fetched.content[:1024], fetched.headers.media_type):
            return await self._document(fetched)
        return await self._parsed_page(fetched)

    async def rendered_page(self, url: str) -> BrandPageFetch | None:
        """Return the page after its scripts have run; None if no browser can render it."""
        if self._shows is None:
            return None
        try:
            fetched = await self._shows.render(url, _RENDER_TIMEOUT)
        except WebquarryError:
            return None  # reported as content that could not be read
        try:
            return await self._parsed_page(fetched, shown=True)
        except ParseLimitError:
            return None

    async def stylesheets(self, page: BrandPage, *, linked: bool = True) -> list[str]:
        """Return the style sheets of the page; of the `linked` ones those of its own site."""
        site = site_of(page.url)
        links = page.links("stylesheet") if linked else ()
        own = [url for url, _ in links if site_of(url) == site]
        texts = await asyncio.gather(*map(self.text_file, own[:_MAX_STYLESHEETS]))
        return [*filter(None, texts), *page.styles]

    async def text_file(self, url: str) -> str | None:
        """Return a text file, or None when it cannot be fetched; each is fetched once."""
        if url not in self._texts:
            self._texts[url] = await self._text_file(url)
        return self._texts[url]

    async def _text_file(self, url: str) -> str | None:
        request = FetchRequest(
            url=url, timeout=REQUEST_TIMEOUT, max_page_bytes=_MAX_PAGE_BYTES, accept="*/*"
        )
        try:
            fetched = await self._fetcher.fetch(request)
        except WebquarryError:
            return None
        if fetched.status != 200 or "html" in fetched.headers.media_type:
            return None
        return decode_page(fetched.content, fetched.headers.get("content-type"))

    async def measure_logo(self, logo: Logo) -> Logo | None:
        """Return the logo with its real format and size; None when there is no image.

        A logo that cannot be fetched now keeps its declared size.
        """
        request = FetchRequest(
            url=logo.url,
            timeout=REQUEST_TIMEOUT,
            max_page_bytes=_MAX_IMAGE_BYTES,
            accept="image/*,*/*",
        )
        try:
            fetched = await self._fetcher.fetch(request)
        except WebquarryError:
            return logo
        if fetched.status != 200:
            return None if fetched.status in _GONE else logo
        size = image_size_of(fetched.content)
        if size is None:  # not an image, or one of an unknown format
            return logo if fetched.headers.media_type.startswith("image/") else None
        known = {name: value for name, value in size._asdict().items() if value}
        return logo.model_copy(update=known)

    async def is_image(self, url: str) -> bool:
        """Tell whether an image exists or may exist."""
        return await self.measure_logo(Logo(url=url)) is not None

    async def has_image(self, url: str) -> bool:
        """Tell whether an image certainly exists."""
        return (found := await self.measure_logo(Logo(url=url))) is not None and bool(found.format)

    async def _document(self, fetched: FetchedResponse) -> BrandPageFetch:
        read = await self._reads.read(
            fetched.url, seconds=_READ_TIMEOUT, max_bytes=_MAX_DOCUMENT_BYTES, owner=self.owner
        )
        page = BrandPage(markdown_to_html(read.markdown, read.title), fetched.url)
        return BrandPageFetch(
            fetched.url, fetched.status, page, read.markdown, read.markdown, read.markdown
        )

    async def _parsed_page(
        self, fetched: FetchedResponse, *, shown: bool = False
    ) -> BrandPageFetch:
        content_type, subject = fetched.headers.get("content-type"), f"The page {fetched.url}"
        texts = await self._parsers.run(
            ParseTask(page_texts, subject=subject),
            fetched.content,
            url=fetched.url,
            content_type=content_type,
        )
        html = decode_page(fetched.content, content_type)
        return BrandPageFetch(
            url=fetched.url,
            status=fetched.status,
            # parsed above within the limits of a worker process
            page=parse_limited(lambda: BrandPage(html, fetched.url), subject),
            markdown=texts.markdown,
            text=texts.text,
            fingerprint=texts.text if len(texts.text.split()) >= _MIN_WORDS else html,
            wall=texts.wall,
            rendered=shown,
        )


@dataclass(frozen=True)
class PageTexts:
    """The texts of a page of a brand."""

    markdown: str
    text: str  # all visible text except navigation
    wall: str


def page_texts(content: bytes, *, url: str, content_type: str | None) -> PageTexts:
    """Return the texts of a page."""
    # imported here: it imports the page readers
    from webquarry.content.html.read_html import read_html

    read = read_html(content, url=url, content_type=content_type)
    lines = BrandPage(decode_page(content, content_type), url).lines
    wall = read.wall.kind if read.wall else ""
    return PageTexts(read.markdown, "\n".join(line.text for line in lines), wall)
