"""Searches for vendors' APIs: web or news, by domains and dates, with the pages if wanted."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import Request

from webquarry.content.ranking.result_urls import is_on_site
from webquarry.content.text.timestamps import to_rfc3339, unix_time
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader

_DAY = 86_400.0
_PERIODS = (("day", 1.0), ("week", 7.0), ("month", 31.0), ("year", 366.0))
_PARTIAL = re.compile(r"(\d{4})(?:-(\d\d))?")  # 2024 and 2024-05
_MAX_NEWS = 50


@dataclass(frozen=True, kw_only=True)
class VendorQuery:
    """A search with the filters that vendors' APIs share. Dates are unix seconds."""

    text: str
    count: int
    mode: str = "balanced"
    news: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None

    @property
    def dated(self) -> bool:
        """Whether results are limited to a period."""
        return self.after is not None or self.before is not None

    @property
    def max_age(self) -> float | None:
        """The age of the oldest result, in days."""
        return None if self.after is None else max((time.time() - self.after) / _DAY, 0.01)


@dataclass(frozen=True, kw_only=True)
class VendorHit:
    """One result, with its page if it was read."""

    url: str
    title: str
    snippet: str
    score: float
    published: str = ""  # as the source states it
    source: str = ""
    page: VendorPage | None = None

    @property
    def moment(self) -> float | None:
        """When it was published, in unix seconds; None if nobody says."""
        return moment_of(self.published)


@dataclass(frozen=True)
class VendorHits:
    """The results, and what a client should know about them."""

    items: list[VendorHit]
    notes: list[str] = field(default_factory=list[str])


def moment_of(text: str) -> float | None:
    """Return a date as unix seconds; None for a text that is no date."""
    if partial := _PARTIAL.fullmatch(text.strip()):
        text = f"{partial[1]}-{partial[2] or '01'}-01"
    found = to_rfc3339(text, time.time())
    return unix_time(found) if found else None


@dataclass(frozen=True)
class VendorSearch:
    """Searches for one request."""

    context: VendorContext
    request: Request

    async def find(self, query: VendorQuery, wish: PageWish | None = None) -> VendorHits:
        """Return the results; with a wish, each with its page."""
        # some of the results will be of another time
        wanted = replace(query, count=query.count * 2) if query.dated else query
        hits = await (self._news(wanted) if query.news else self._web(wanted))
        if wish is None and not query.dated:
            return hits
        items, notes = hits.items, list(hits.notes)
        # a page often states a date that the search engine does not know
        unread = items if wish else [hit for hit in items if hit.moment is None]
        pages = await self._pages(unread, wish or PageWish())
        items = [_with_page(hit, pages.get(hit.url), keep=bool(wish)) for hit in items]
        if query.dated:
            kept = [hit for hit in items if _in_period(hit, query)]
            if undated := sum(hit.moment is None for hit in items):
                notes.append(f"{undated} results were left out: they state no date.")
            items = kept
        return VendorHits(items[: query.count], notes)

    async def _pages(self, hits: Sequence[VendorHit], wish: PageWish) -> dict[str, VendorPage]:
        urls = list(dict.fromkeys(hit.url for hit in hits))
        pages = await VendorPageReader(self.context, self.request).read(urls, wish)
        return {page.url: page for page in pages}

    async def _web(self, query: VendorQuery) -> VendorHits:
        arguments: dict[str, Any] = {
            "query": query.text,
            "mode": query.mode,
            "numResults": query.count,
            "includeDomains": list(query.include),
            "excludeDomains": list(query.exclude),
            "requiredText": list(query.required),
            "maxAge": query.max_age,
        }
        found = await self.context.call(self.request, "cinder_search", arguments)
        items = [
            VendorHit(
                url=row["url"],
                title=row["title"],
                snippet=row["summary"],
                score=row["relevance"],
                published=row.get("publishedDate") or "",
            )
            for row in found["results"]
        ]
        # the period is checked here, by the dates of the pages
        not_applied = [name for name in found.get("unhonoured") or () if name != "maxAge"]
        return VendorHits(items, _not_applied(not_applied))

    async def _news(self, query: VendorQuery) -> VendorHits:
        sites = query.include or ("",)
        lists = [await self._news_of(query, site) for site in sites]
        ranked = [hit for rank in _by_rank([hits.items for hits in lists]) for hit in rank]
        unique = {hit.url: hit for hit in reversed(ranked)}
        kept = [
            hit
            for hit in ranked
            if unique.get(hit.url) is hit and not (query.exclude and _is_on(hit.url, query.exclude))
        ]
        notes = list(dict.fromkeys(note for hits in lists for note in hits.notes))
        return VendorHits(kept[: query.count], notes)

    async def _news_of(self, query: VendorQuery, site: str) -> VendorHits:
        arguments: dict[str, Any] = {
            "query": query.text,
            "num_results": min(query.count, _MAX_NEWS),
            "time_range": _period(query.max_age),
            "news_source": site or None,
        }
        found = await self.context.call(self.request, "news_search", arguments)
        count = len(found["articles"])
        items = [
            VendorHit(
                url=row["url"],
                title=row["title"],
                snippet=row.get("snippet") or "",
                score=round(1 - index / max(count, 1) * 0.5, 3),
                published=row.get("publishedAt") or "",
                source=row.get("source") or "",
            )
            for index, row in enumerate(found["articles"])
        ]
        not_applied = [name for name in found.get("unhonoured") or () if name != "time_range"]
        return VendorHits(items, _not_applied(not_applied))


def _not_applied(names: Iterable[str]) -> list[str]:
    return [f"{name}: the search provider could not apply it to every result." for name in names]


def _period(max_age: float | None) -> str:
    if max_age is None:
        return "year"
    return next((name for name, days in _PERIODS if max_age <= days), "year")


def _is_on(url: str, sites: tuple[str, ...]) -> bool:
    return is_on_site(url, sites)


def _by_rank(lists: Sequence[Sequence[VendorHit]]) -> list[list[VendorHit]]:
    """Return the first results of all lists, then the second ones, and so on."""
    longest = max(map(len, lists), default=0)
    return [[hits[at] for hits in lists if at < len(hits)] for at in range(longest)]


def _with_page(hit: VendorHit, page: VendorPage | None, *, keep: bool) -> VendorHit:
    if page is None:
        return hit
    published = hit.published or str(page.detail("publishDate") or "")
    return replace(hit, published=published, page=page if keep else None)


def _in_period(hit: VendorHit, query: VendorQuery) -> bool:
    moment = hit.moment
    if moment is None:
        return False
    return (query.after is None or moment >= query.after) and (
        query.before is None or moment <= query.before
    )
