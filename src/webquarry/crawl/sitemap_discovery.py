"""Finds the sitemaps of a site and reads their URLs."""

import logging
from collections import deque
from dataclasses import dataclass, field

from webquarry.content.html.sitemap_xml import MAX_BYTES, Sitemap, SitemapEntry, read_sitemap
from webquarry.crawl.visit import RobotsSource
from webquarry.crawl.visit_options import VisitOptions
from webquarry.errors import BadInputError, BlockedError, NetworkError, ParseLimitError
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.url import Url, parse
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask

_MAX_FILES = 50
_TIMEOUT = 15.0
_CPU_SECONDS = 10.0  # for 50 MB

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Sitemaps:
    """Reads sitemaps through the guard."""

    fetcher: Fetcher
    robots: RobotsSource
    parsers: Parsers = field(default_factory=Parsers)
    options: VisitOptions = field(default_factory=VisitOptions)

    async def entries(self, site: Url, max_entries: int) -> list[SitemapEntry]:
        """Return up to `max_entries` URLs; sitemaps that cannot be read are skipped."""
        declared = list((await self.robots.rules(site)).sitemaps)
        queue = deque(declared or [f"{site.origin}/sitemap.xml"])
        seen: set[str] = set()
        entries: dict[str, SitemapEntry] = {}
        while queue and len(seen) < _MAX_FILES and len(entries) < max_entries:
            url = queue.popleft()
            if url in seen:
                continue
            seen.add(url)
            sitemap = await self._read(url, max_entries)
            queue.extend(sitemap.sitemaps)
            for entry in sitemap.pages:
                entries.setdefault(entry.url, entry)
        return list(entries.values())[:max_entries]

    async def _read(self, url: str, max_entries: int) -> Sitemap:
        task = ParseTask(read_sitemap, subject=f"The sitemap {url}", seconds=_CPU_SECONDS)
        try:
            return await self.parsers.run(task, await self._body(url), max_entries=max_entries)
        except ParseLimitError as error:
            logger.warning("skipped: %s", error)
            return Sitemap()

    async def _body(self, url: str) -> bytes:
        try:
            return await self._fetch(url)
        except (BadInputError, BlockedError, NetworkError):
            return b""  # sitemaps are optional

    async def _fetch(self, url: str) -> bytes:
        request = FetchRequest(
            url=url,
            headers=self.options.headers_for(parse(url)),
            own_user_agent=True,
            timeout=_TIMEOUT,
            max_page_bytes=MAX_BYTES,
            max_document_bytes=MAX_BYTES,
        )
        fetched = await self.fetcher.fetch(request)
        return fetched.content if fetched.status == 200 else b""
