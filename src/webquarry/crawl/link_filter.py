"""Tells which links of a page may be new, at a fraction of what it costs to parse them all."""

from collections.abc import Iterator

from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import BasePage, CrawlUrl, host_written, parsed, plain_path

_MOST_MET = 12 * 2**20  # bytes, roughly
_SET_ENTRY = 100  # bytes that a name takes beyond its letters


class LinkFilter:
    """Remembers the links of one crawl by the way they are written on a site.

    It may forget: whoever asks has the last word on what is new.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # paths on a site as the crawl spells them, and unusual links as they were written;
        # apart for those that were too deep
        self._met: dict[tuple[str, bool], set[str]] = {}
        self._room = _MOST_MET

    def unmet(self, links: tuple[str, ...], base: str, *, deep: bool) -> Iterator[CrawlUrl]:
        """Yield the addresses that links lead to, without those that were met before."""
        page = BasePage(base)
        if not page.site:
            return
        met = self._met_at(page.site, deep=deep)
        # most links of a page are those of the pages before, so this is all that they cost
        fresh = [href for href in links if href not in met]
        if deep and (others := self._met.get((page.site, False))):
            fresh = [href for href in fresh if href not in others]
        for href in fresh:
            rooted = page.rooted(href)
            if rooted:
                if rooted.partition("#")[0] in met:
                    continue
            elif self._is_foreign(href):
                continue
            address = self._taken(href, rooted, page, met)
            if address:
                yield address

    def _taken(self, href: str, rooted: str, page: BasePage, met: set[str]) -> CrawlUrl | None:
        path = plain_path(rooted)
        name = path or page.name(href)
        if name in met:
            return None
        met.add(name)
        self._room -= len(name) + _SET_ENTRY
        if path:
            return CrawlUrl(page.site + path, page.host, page.place)
        return parsed(href, page.base)

    def _is_foreign(self, href: str) -> bool:
        """Whether a link plainly leads out of the crawl; there are too many to remember them."""
        if href[0] != "h":
            return False
        end = href.find("/", 8)
        host = host_written(href if end < 0 else href[:end])
        return bool(host) and not self._scope.has_host(host)

    def _met_at(self, site: str, *, deep: bool) -> set[str]:
        if self._room < 0:
            self._met.clear()
            self._room = _MOST_MET
        met = self._met.get((site, deep))
        if met is None:
            met = self._met[site, deep] = set()
            self._room -= len(site) + 4 * _SET_ENTRY
        return met
