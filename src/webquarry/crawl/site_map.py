"""The addresses of a site, from its sitemaps and the links of one page; none of them is read."""

from dataclasses import dataclass

from webquarry.content.html.quick_parse import link_titles
from webquarry.crawl.scope import Scope
from webquarry.crawl.sitemap_discovery import Sitemaps
from webquarry.crawl.urls import CrawlUrl, is_file, resolve, start_of
from webquarry.crawl.visit import NAME, Visitor
from webquarry.errors import BlockedError, WebquarryError
from webquarry.models.crawl import CrawlRequest, MappedUrl, Origin
from webquarry.net.fetch import FetchRequest
from webquarry.net.url import parse

_TIMEOUT = 20.0


@dataclass(frozen=True, kw_only=True)
class MapRequest:
    """Which addresses of a site to list."""

    limit: int = 1000
    subdomains: bool = False
    sitemap: bool = True
    search: str = ""  # words that an address or its link must have


@dataclass(frozen=True)
class SiteMapper:
    """Lists addresses."""

    visitor: Visitor

    async def of(self, url: str, wanted: MapRequest) -> tuple[MappedUrl, ...]:
        """Return addresses, the start page first; `NetworkError` if neither source answers."""
        start = start_of(url)
        rules = await self.visitor.robots.rules(parse(start.href))
        if not rules.can_fetch(start.href, NAME):
            raise BlockedError(f"Blocked: robots.txt asks robots not to read {start.href}.")
        table = _Table(Scope(CrawlRequest(url=url, subdomains=wanted.subdomains), start.host))
        table.add(start, "start")
        failure: WebquarryError | None = None
        try:
            await self._links(start, table)
        except WebquarryError as error:
            failure = error
        if wanted.sitemap:
            sitemaps = Sitemaps(fetcher=self.visitor.fetcher, robots=self.visitor.robots)
            for entry in await sitemaps.entries(parse(start.href), max(10_000, wanted.limit)):
                if address := resolve(entry.url, start.href):
                    table.add(address, "sitemap", modified=entry.last_modified)
        if failure and len(table.found) == 1:
            raise failure
        return table.listed(wanted)

    async def _links(self, start: CrawlUrl, table: "_Table") -> None:
        patience = self.visitor.patience
        page = await self.visitor.fetcher.fetch(
            FetchRequest(
                url=start.href, plain=True, timeout=_TIMEOUT, page_bytes=patience.page_bytes
            )
        )
        here = parse(page.url)
        table.scope.anchor(here.host)
        kind = page.headers.get("content-type", "")
        if page.status >= 300 or ("html" not in kind and kind):
            return
        for href, title in link_titles(page.content, kind).items():
            address = resolve(href, here.href)
            if address and not is_file(address.href):
                table.add(address, "link", title=title)


class _Table:
    """The addresses so far, each once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.found: dict[str, MappedUrl] = {}

    def add(
        self, address: CrawlUrl, origin: Origin, *, title: str = "", modified: str | None = None
    ) -> None:
        if not self.scope.has_host(address.host):
            return
        known = self.found.get(address.href) or MappedUrl(url=address.href, found=())
        self.found[address.href] = known.model_copy(
            update={
                "found": tuple(dict.fromkeys((*known.found, origin))),
                "title": known.title or title,
                "last_modified": known.last_modified or modified,
            }
        )

    def listed(self, wanted: MapRequest) -> tuple[MappedUrl, ...]:
        words = wanted.search.lower().split()
        chosen = (
            entry
            for entry in self.found.values()
            if all(word in f"{entry.url} {entry.title}".lower() for word in words)
        )
        return tuple(chosen)[: wanted.limit]
