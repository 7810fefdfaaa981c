"""Later tiers of a brand search: brand portals found by probes or by web search."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from webquarry.content.brand.brand_findings import BrandFindings, read_portal
from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.keywords import SUBPAGES, is_about_brand, is_gated
from webquarry.content.html.dom import text_of
from webquarry.content.ranking.known_sites import ascii_host, registrable_domain
from webquarry.errors import WebquarryError
from webquarry.models.brand import TierName
from webquarry.parsing.limited import parse_limited
from webquarry.services.brand.homepage import check_images
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher
from webquarry.services.brand.portal_urls import names_brand

_MAX_TRIED = 8  # pages read to find one portal
_MAX_RENDERED = 2  # of them rendered in a browser
_MAX_SUBPAGES = 6
_CPU_SECONDS = 0.5


@dataclass
class Portal:
    """A page about the brand with its subpages, or the URL of one that could not be read."""

    url: str
    pages: list[BrandPageFetch] = field(default_factory=list[BrandPageFetch])

    @property
    def text(self) -> str:
        """The text of all pages as Markdown."""
        parts = [f"# {page.page.title or page.url}\n{page.url}\n\n{_main_text(page)}"
                 for page in self.pages]  # fmt: skip
        return "\n\n".join(parts)


class PortalFinder:
    """Finds and reads the brand portal of one company."""

    def __init__(self, fetcher: BrandPageFetcher, company: str, domain: str) -> None:
        self._fetcher = fetcher
        self._company = company
        self._domain = domain

    async def find(
        self, urls: Iterable[str], excluded: frozenset[str], *, accepts_any_path: bool = False
    ) -> Portal | None:
        """Return the first page about the brand whose fingerprint is not `excluded`."""
        unreadable: Portal | None = None
        renders = _MAX_RENDERED
        for url in list(urls)[:_MAX_TRIED]:
            page = await self._fetch(url)
            if page is None or page.status != 200 or page.fingerprint in excluded:
                continue
            if page.is_empty and renders:
                renders -= 1
                page = await self._fetcher.rendered_page(url) or page
            if page.fingerprint in excluded or page.wall == "not_found":
                continue
            if is_about_brand(page.text, page.page.title):
                return Portal(page.url, [page, *await self._subpages(page)])
            if names_brand(url) and _is_unreadable(page):
                unreadable = unreadable or Portal(page.url)
        # on a site that accepts any path every candidate would look like a closed portal
        return None if accepts_any_path else unreadable

    async def read(self, name: TierName, portal: Portal) -> list[BrandFindings]:
        """Return the findings of each page of the portal."""
        findings = [await self._findings(name, page) for page in portal.pages]
        await asyncio.gather(*(check_images(self._fetcher, each) for each in findings))
        return findings

    async def _findings(self, name: TierName, page: BrandPageFetch) -> BrandFindings:
        own = registrable_domain(ascii_host(page.url)) == registrable_domain(self._domain)
        # the style sheets of a portal vendor are its own, not the brand's
        sheets = await self._fetcher.stylesheets(page.page) if own else []
        work = partial(read_portal, name, page.page, self._company, sheets)
        return parse_limited(work, f"The page {page.url}", seconds=_CPU_SECONDS)

    async def _subpages(self, page: BrandPageFetch) -> list[BrandPageFetch]:
        urls = subpages(page.page)[:_MAX_SUBPAGES]
        fetch = self._fetcher.rendered_page if page.rendered else self._fetch
        fetched = await asyncio.gather(*map(fetch, urls))
        return [each for each in fetched if each and each.status == 200 and each.text != page.text]

    async def _fetch(self, url: str) -> BrandPageFetch | None:
        try:
            return await self._fetcher.page(url)
        except WebquarryError:
            return None


def subpages(page: BrandPage) -> list[str]:
    """Return the links to pages below a portal about colors, fonts, logos or tone."""
    ranks: dict[str, int] = {}
    for link in page.root.iter("a"):
        url = (page.absolute_url(link.get("href")) or "").partition("#")[0]
        rank = _topic_rank(url, text_of(link))
        if rank is not None and _is_below(url, page.url):
            ranks.setdefault(url, rank)
    return sorted(ranks, key=lambda url: ranks[url])


def _is_below(url: str, portal_url: str) -> bool:
    """Tell whether a page is on the portal's host, and below its path unless that is its own."""
    parts, portal = urlsplit(url), urlsplit(portal_url)
    root = portal.path.rstrip("/")
    if parts.netloc != portal.netloc or parts.path.rstrip("/") == root:
        return False
    own_host = ascii_host(portal_url).startswith(("brand.", "design.", "press.", "media."))
    return own_host or parts.path.startswith(f"{root}/")


def _topic_rank(url: str, label: str) -> int | None:
    """Return the index of the topic that a link is about; None for none, or for a file."""
    path = urlsplit(url).path
    if re.search(r"\.(?!html?$)\w{2,4}$", path):
        return None
    name = re.sub(r"[-_.]", " ", path.rstrip("/").rpartition("/")[2])
    text = f"{name} {label if len(label) <= 40 else ''}"
    return next((n for n, topic in enumerate(SUBPAGES) if topic.search(text)), None)


def _is_unreadable(page: BrandPageFetch) -> bool:
    return page.is_empty or is_gated(page.text, page.page.title)


def _main_text(page: BrandPageFetch) -> str:
    """Return the Markdown, or all visible text if content extraction dropped most of it."""
    return page.markdown if len(page.markdown) * 2 >= len(page.text) else page.text
