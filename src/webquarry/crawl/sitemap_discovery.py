"""Finds the sitemaps of a site and the addresses in them."""

from collections import deque
from dataclasses import dataclass

from webquarry.content.html.sitemap_xml import MOST_BYTES, SitemapEntry, read_sitemap
from webquarry.crawl.visit import KnowsRules
from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.url import Url

_MOST_FILES = 50
_TIMEOUT = 15.0


@dataclass(frozen=True, kw_only=True)
class Sitemaps:
    """Reads sitemaps through the guard."""

    fetcher: Fetcher
    robots: KnowsRules

    async def entries(self, site: Url, most: int) -> list[SitemapEntry]:
        """Return up to `most` addresses; sitemaps that cannot be read are left out."""
        stated = list((await self.robots.rules(site)).sitemaps)
        waiting = deque(stated or [f"{site.origin}/sitemap.xml"])
        seen: set[str] = set()
        found: dict[str, SitemapEntry] = {}
        while waiting and len(seen) < _MOST_FILES and len(found) < most:
            address = waiting.popleft()
            if address in seen:
                continue
            seen.add(address)
            sitemap = read_sitemap(await self._body(address), most)
            waiting.extend(sitemap.sitemaps)
            for entry in sitemap.pages:
                found.setdefault(entry.url, entry)
        return list(found.values())[:most]

    async def _body(self, address: str) -> bytes:
        wanted = FetchRequest(
            url=address,
            plain=True,
            timeout=_TIMEOUT,
            page_bytes=MOST_BYTES,
            document_bytes=MOST_BYTES,
        )
        try:
            fetched = await self.fetcher.fetch(wanted)
        except (BadInputError, BlockedError, NetworkError):
            return b""  # a site without this sitemap is still a site
        return fetched.content if fetched.status == 200 else b""
