"""The second and third tiers: pages about the brand, found by probes or by a search."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from webquarry.content.brand.brand_findings import BrandFindings, read_portal
from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.keywords import SUBPAGES, is_about_brand, is_gated
from webquarry.content.html.dom import text_of
from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.errors import WebquarryError
from webquarry.models.brand import TierName
from webquarry.services.brand.homepage import check_images
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher
from webquarry.services.brand.portal_urls import is_plain

_TRIED = 8  # pages that are read to find one portal
_SHOWN = 2  # of them in a browser
_SUBPAGES = 6


@dataclass
class Portal:
    """A page about the brand with its sub-pages, or the address of one that could not be read."""

    url: str
    looks: list[BrandPageFetch] = field(default_factory=list[BrandPageFetch])

    @property
    def text(self) -> str:
        """Everything that can be read there."""
        parts = [f"# {look.page.title or look.url}\n{look.url}\n\n{_fuller(look)}"
                 for look in self.looks]  # fmt: skip
        return "\n\n".join(parts)


class Portals:
    """Looks for the portal of one company."""

    def __init__(self, looking: BrandPageFetcher, company: str, domain: str) -> None:
        self._looking = looking
        self._company = company
        self._domain = domain

    async def first(
        self, urls: Iterable[str], unlike: frozenset[str], *, anything: bool = False
    ) -> Portal | None:
        """Return the first that is a page about the brand and none of those `unlike` it."""
        closed: Portal | None = None
        shown = 0
        for url in list(urls)[:_TRIED]:
            look = await self._looked(url)
            if look is None or look.status != 200 or look.mark in unlike:
                continue
            if look.is_empty and shown < _SHOWN:
                shown += 1
                look = await self._looking.shown(url) or look
            if look.mark in unlike or look.wall == "not_found":
                continue
            if is_about_brand(look.text, look.page.title):
                return Portal(look.url, [look, *await self._below(look)])
            door = is_gated(look.text, look.page.title) or look.is_empty
            # a site that answers to any path would seem to have a closed portal everywhere
            if door and is_plain(url) and not anything and closed is None:
                closed = Portal(look.url)
        return closed

    async def read(self, name: TierName, portal: Portal) -> list[BrandFindings]:
        """Return what each page of the portal says."""
        found = [await self._findings(name, look) for look in portal.looks]
        await asyncio.gather(*(check_images(self._looking, each) for each in found))
        return found

    async def _findings(self, name: TierName, look: BrandPageFetch) -> BrandFindings:
        own = registrable_domain(host_of(look.url)) == registrable_domain(self._domain)
        # the styles of a service that hosts portals are the service's own
        sheets = await self._looking.sheets(look.page) if own else []
        return await asyncio.to_thread(read_portal, name, look.page, self._company, sheets)

    async def _below(self, look: BrandPageFetch) -> list[BrandPageFetch]:
        urls = subpages(look.page)[:_SUBPAGES]
        see = self._looking.shown if look.shown else self._looked
        found = await asyncio.gather(*map(see, urls))
        return [each for each in found if each and each.status == 200 and each.text != look.text]

    async def _looked(self, url: str) -> BrandPageFetch | None:
        try:
            return await self._looking.page(url)
        except WebquarryError:
            return None  # a page that fails now is no portal we could read


def subpages(page: BrandPage) -> list[str]:
    """Return the pages below a portal that speak of colors, type, logos or tone, in that order."""
    here = urlsplit(page.url)
    above = here.path.rstrip("/") + "/"
    is_path = not host_of(page.url).startswith(("brand.", "design.", "press.", "media."))
    found: dict[str, int] = {}
    for link in page.root.iter("a"):
        url = (page.absolute(link.get("href")) or "").partition("#")[0]
        parts = urlsplit(url)
        if parts.netloc != here.netloc or parts.path.rstrip("/") == here.path.rstrip("/"):
            continue
        if is_path and not parts.path.startswith(above):
            continue
        last = re.sub(r"[-_.]", " ", parts.path.rstrip("/").rpartition("/")[2])
        label = text_of(link)
        words = f"{last} {label if len(label) <= 40 else ''}"
        rank = next((n for n, topic in enumerate(SUBPAGES) if topic.search(words)), None)
        if rank is not None and not re.search(r"\.(?!html?$)\w{2,4}$", parts.path):
            found.setdefault(url, rank)
    return sorted(found, key=lambda url: found[url])


def _fuller(look: BrandPageFetch) -> str:
    """Return the Markdown, or all lines where the choice of main content lost much of them."""
    return look.markdown if len(look.markdown) * 2 >= len(look.text) else look.text
