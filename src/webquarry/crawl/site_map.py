"""Maps a site: its URLs from sitemaps and the links of one page, without reading them."""

from dataclasses import dataclass, field

from webquarry.content.html.quick_parse import is_simple, link_texts
from webquarry.crawl.scope import Scope
from webquarry.crawl.sitemap_discovery import Sitemaps
from webquarry.crawl.urls import CrawlUrl, is_file, resolve, start_url
from webquarry.crawl.visit import ROBOTS_AGENT, Visitor
from webquarry.errors import BlockedError, WebquarryError
from webquarry.models.crawl import CrawlRequest, MappedUrl, Origin
from webquarry.net.fetch import FetchRequest
from webquarry.net.url import parse
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import INLINE_BYTES, WORKER_ONLY, ParseTask

_TIMEOUT = 20.0


@dataclass(frozen=True, kw_only=True)
class MapRequest:
    """Which URLs of a site to list."""

    limit: int = 1000
    subdomains: bool = False
    sitemap: bool = True
    search: str = ""  # words that must be in the URL or its link text


@dataclass(frozen=True)
class SiteMapper:
    """Lists the URLs of sites."""

    visitor: Visitor
    parsers: Parsers = field(default_factory=Parsers)

    async def map_site(self, url: str, request: MapRequest) -> tuple[MappedUrl, ...]:
        """Return URLs, the start page first; `NetworkError` if neither source responds."""
        start = start_url(url)
        rules = await self.visitor.robots.rules(parse(start.href))
        if not rules.can_fetch(start.href, ROBOTS_AGENT):
            raise BlockedError(f"Blocked: robots.txt disallows {start.href}.")
        table = _UrlTable(Scope(CrawlRequest(url=url, subdomains=request.subdomains), start.host))
        table.add(start, "start")
        failure: WebquarryError | None = None
        try:
            await self._add_links(start, table)
        except WebquarryError as error:
            failure = error
        if request.sitemap:
            sitemaps = Sitemaps(
                fetcher=self.visitor.fetcher, robots=self.visitor.robots, parsers=self.parsers
            )
            for entry in await sitemaps.entries(parse(start.href), max(10_000, request.limit)):
                if found := resolve(entry.url, start.href):
                    table.add(found, "sitemap", last_modified=entry.last_modified)
        if failure and len(table.urls) == 1:
            raise failure
        return table.matching(request)

    async def _add_links(self, start: CrawlUrl, table: "_UrlTable") -> None:
        request = FetchRequest(
            url=start.href,
            own_user_agent=True,
            timeout=_TIMEOUT,
            max_page_bytes=self.visitor.limits.max_page_bytes,
        )
        page = await self.visitor.fetcher.fetch(request)
        base = parse(page.url)
        table.scope.add_start_host(base.host)
        content_type = page.headers.get("content-type", "")
        if page.status >= 300 or ("html" not in content_type and content_type):
            return
        task = ParseTask(
            link_texts,
            subject=f"The page {page.url}",
            inline_bytes=INLINE_BYTES if is_simple(page.content) else WORKER_ONLY,
        )
        links = await self.parsers.run(task, page.content, content_type=content_type)
        for href, title in links.items():
            url = resolve(href, base.href)
            if url and not is_file(url.href):
                table.add(url, "link", title=title)


class _UrlTable:
    """The URLs found so far, each once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.urls: dict[str, MappedUrl] = {}

    def add(
        self, url: CrawlUrl, origin: Origin, *, title: str = "", last_modified: str | None = None
    ) -> None:
        if not self.scope.includes_host(url.host):
            return
        known = self.urls.get(url.href) or MappedUrl(url=url.href, found=())
        self.urls[url.href] = known.model_copy(
            update={
                "found": tuple(dict.fromkeys((*known.found, origin))),
                "title": known.title or title,
                "last_modified": known.last_modified or last_modified,
            }
        )

    def matching(self, request: MapRequest) -> tuple[MappedUrl, ...]:
        words = request.search.lower().split()
        matches = (
            entry
            for entry in self.urls.values()
            if all(word in f"{entry.url} {entry.title}".lower() for word in words)
        )
        return tuple(matches)[: request.limit]
