"""Filters the links of a page that may be new, without parsing all of them."""

from collections.abc import Iterator

from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import BasePage, CrawlUrl, resolve_with_parser, simple_host, simple_path

_MAX_BYTES = 12 * 2**20  # bytes, roughly
_SET_ENTRY = 100  # bytes of a set entry besides its characters


class LinkFilter:
    """Remembers the links of one crawl as they are written on a site.

    It may forget some: the caller must check whether a URL is new.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # by origin, separately for links that are too deep: normalised paths, and unusual links
        # as written
        self._seen: dict[tuple[str, bool], set[str]] = {}
        self._free_bytes = _MAX_BYTES

    def new_urls(self, links: tuple[str, ...], base: str, *, deep: bool) -> Iterator[CrawlUrl]:
        """Yield the URLs of links, without those seen before."""
        page = BasePage(base)
        if not page.origin:
            return
        seen = self._seen_on(page.origin, deep=deep)
        # most links of a page were on earlier pages, and cost no more than this
        unseen = [href for href in links if href not in seen]
        if deep and (others := self._seen.get((page.origin, False))):
            unseen = [href for href in unseen if href not in others]
        for href in unseen:
            path = page.path_on_site(href)
            skipped = path.partition("#")[0] in seen if path else self._is_foreign(href)
            if not skipped and (url := self._accept(href, path, page, seen)):
                yield url

    def _accept(self, href: str, path: str, page: BasePage, seen: set[str]) -> CrawlUrl | None:
        path = simple_path(path)
        key = path or page.link_key(href)
        if key in seen:
            return None
        seen.add(key)
        self._free_bytes -= len(key) + _SET_ENTRY
        if path:
            return CrawlUrl(page.origin + path, page.host, page.authority)
        return resolve_with_parser(href, page.base)

    def _is_foreign(self, href: str) -> bool:
        """Whether a link obviously leaves the scope; there are too many to remember them."""
        if href[0] != "h":
            return False
        end = href.find("/", 8)
        host = simple_host(href if end < 0 else href[:end])
        return bool(host) and not self._scope.includes_host(host)

    def _seen_on(self, origin: str, *, deep: bool) -> set[str]:
        if self._free_bytes < 0:
            self._seen.clear()
            self._free_bytes = _MAX_BYTES
        seen = self._seen.get((origin, deep))
        if seen is None:
            seen = self._seen[origin, deep] = set()
            self._free_bytes -= len(origin) + 4 * _SET_ENTRY
        return seen
