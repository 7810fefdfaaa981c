"""Looks at pages and images of a brand: fetched, and shown in a browser where they need one."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from webquarry.content.brand.brand_page import BrandPage, as_page
from webquarry.content.brand.image_size import picture_of
from webquarry.content.html.charset import decode_page
from webquarry.content.html.read_html import read_html
from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.errors import WebquarryError
from webquarry.models.brand import Logo
from webquarry.net.fetch import FetchedResponse, FetchRequest
from webquarry.net.media_type import is_document
from webquarry.net.url import Url, parse
from webquarry.reading.read_port import ReadsPages
from webquarry.services.link_check import Fetches

PATIENCE = 8.0
_SHOWING = 20.0
_READING = 20.0
_PAGE = 3 * 2**20
_IMAGE = 256 * 1024
_SHEETS = 4
_DOCUMENT = 400_000
_THIN = 40  # words
_GONE = frozenset({404, 410})


class AsksRobots(Protocol):
    """Knows which pages robots should not read."""

    async def check(self, url: Url) -> None:
        """Raise `BlockedError` for one of them."""
        ...


class RendersPages(Protocol):
    """Shows pages after their scripts have run."""

    async def show(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page as a visitor sees it."""
        ...


@dataclass(frozen=True)
class BrandPageFetch:
    """One page as it came."""

    url: str
    status: int
    page: BrandPage
    markdown: str
    text: str  # everything that can be read on it but its navigation
    mark: str  # the same for pages that are the same
    wall: str = ""
    shown: bool = False  # by a browser

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read before a script has run."""
        return self.wall == "script_shell" or len(self.text.split()) < _THIN


class BrandPageFetcher:
    """Fetches what the search for a brand looks at."""

    def __init__(
        self,
        fetcher: Fetches,
        reads: ReadsPages,
        shows: RendersPages | None = None,
        robots: AsksRobots | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._robots = robots
        self._reads = reads
        self._shows = shows

    async def head(self, url: str) -> FetchedResponse:
        """Return what is there, without its content if the server allows that."""
        answer = await self._fetcher.fetch(FetchRequest(url=url, method="HEAD", timeout=PATIENCE))
        if answer.status in (400, 403, 404, 405, 406, 501):  # servers lie to HEAD
            wanted = FetchRequest(url=url, timeout=PATIENCE, page_bytes=4096, document_bytes=4096)
            answer = await self._fetcher.fetch(wanted)
        return answer

    async def page(self, url: str) -> BrandPageFetch:
        """Return the page at an address, whatever its status."""
        if self._robots:
            await self._robots.check(parse(url))
        fetched = await self._fetcher.fetch(
            FetchRequest(url=url, timeout=PATIENCE * 2, page_bytes=_PAGE)
        )
        if is_document(fetched.content[:1024], fetched.headers.media_type):
            return await self._document(fetched)
        return await asyncio.to_thread(_looked_at, fetched)

    async def shown(self, url: str) -> BrandPageFetch | None:
        """Return the page after its scripts have run; None where no browser can show it."""
        if self._shows is None:
            return None
        try:
            fetched = await self._shows.show(url, _SHOWING)
        except WebquarryError:
            return None  # what cannot be shown is reported as content that could not be read
        return await asyncio.to_thread(_looked_at, fetched, shown=True)

    async def sheets(self, page: BrandPage) -> list[str]:
        """Return the styles of the page that are of its own site."""
        own = registrable_domain(host_of(page.url)) or host_of(page.url)
        links = [page.absolute(link.get("href")) for link in page.links("stylesheet")]
        ours = [u for u in links if u and own in (registrable_domain(host_of(u)), host_of(u))]
        texts = await asyncio.gather(*map(self.text, ours[:_SHEETS]))
        return [*filter(None, texts), *page.styles]

    async def text(self, url: str) -> str | None:
        """Return a text file, or None when it cannot be had."""
        try:
            wanted = FetchRequest(url=url, timeout=PATIENCE, page_bytes=_PAGE, accept="*/*")
            fetched = await self._fetcher.fetch(wanted)
        except WebquarryError:
            return None
        if fetched.status != 200 or "html" in fetched.headers.media_type:
            return None
        return decode_page(fetched.content, fetched.headers.get("content-type")).text

    async def measured(self, logo: Logo) -> Logo | None:
        """Return the logo with its real format and size; None when there is no image.

        One that cannot be looked at now is left as it was declared.
        """
        try:
            wanted = FetchRequest(
                url=logo.url, timeout=PATIENCE, page_bytes=_IMAGE, accept="image/*,*/*"
            )
            fetched = await self._fetcher.fetch(wanted)
        except WebquarryError:
            return logo
        if fetched.status != 200:
            return None if fetched.status in _GONE else logo
        picture = picture_of(fetched.content)
        if picture is None:
            is_image = fetched.headers.media_type.startswith("image/")
            return logo if is_image else None  # an image of a kind we cannot measure
        return Logo(
            url=logo.url,
            format=picture.format,
            width=picture.width or logo.width,
            height=picture.height or logo.height,
        )

    async def is_image(self, url: str) -> bool:
        """Tell whether an image is there, or could be."""
        return await self.measured(Logo(url=url)) is not None

    async def has_image(self, url: str) -> bool:
        """Tell whether an image certainly is there."""
        return (found := await self.measured(Logo(url=url))) is not None and bool(found.format)

    async def _document(self, fetched: FetchedResponse) -> BrandPageFetch:
        read = await self._reads.read(fetched.url, seconds=_READING, max_bytes=_DOCUMENT)
        page = BrandPage(as_page(read.markdown, read.title), fetched.url)
        return BrandPageFetch(
            fetched.url, fetched.status, page, read.markdown, read.markdown, read.markdown
        )


def _looked_at(fetched: FetchedResponse, *, shown: bool = False) -> BrandPageFetch:
    content_type = fetched.headers.get("content-type")
    read = read_html(fetched.content, url=fetched.url, content_type=content_type)
    html = decode_page(fetched.content, content_type).text
    text = "\n".join(line.text for line in BrandPage(html, fetched.url).lines)
    return BrandPageFetch(
        url=fetched.url,
        status=fetched.status,
        page=BrandPage(html, fetched.url),
        markdown=read.markdown,
        text=text,
        mark=text if len(text.split()) >= _THIN else html,
        wall=read.wall.kind if read.wall else "",
        shown=shown,
    )
