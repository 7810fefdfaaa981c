"""SearXNG through the pool of instances (https://docs.searxng.org/dev/search_api.html)."""

from dataclasses import dataclass
from typing import ClassVar

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.query_operators import compose
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    Query,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.searxng.open_pool import CATALOGUE, URL, VARIABLES, open_pool
from webquarry.searxng.pool import NAME, Pool
from webquarry.searxng.query_values import Hit, SearxngQuery
from webquarry.settings.variable import Variable

_SAFE = {"off": 0, "medium": 1, "high": 2}
_RANGES = {"hour": "day"}
_ROUGHLY = frozenset({"time_range=hour"})
_MOST = 50
_SITES = 8  # engines behind an instance cut longer queries


@dataclass(frozen=True, kw_only=True)
class _About(ProviderInfo):
    """A provider with many addresses, or with a list of them elsewhere."""

    def declared(self) -> tuple[Variable, ...]:
        return self.variables

    def missing(self, keys: Keys) -> tuple[str, ...]:
        listed = keys.get(CATALOGUE, "off") != "off"
        return () if keys.get(URL) or listed else self.requires


class Searxng:
    """Asks whichever instance of the pool works. Regions are not known to instances."""

    about: ClassVar[ProviderInfo] = _About(
        name=NAME,
        docs="https://docs.searxng.org/dev/search_api.html",
        base_url="",
        variables=VARIABLES,
        requires=(URL,),
    )
    web_reach: ClassVar = Reach(
        most=_MOST,
        honours=frozenset(
            ("time_range", "safe", "language", "sites", "exact_terms", "exclude_terms")
        ),
        roughly=_ROUGHLY,
        sites=_SITES,
    )
    news_reach: ClassVar = Reach(
        most=_MOST,
        honours=frozenset(("time_range", "safe", "language", "sites")),
        roughly=_ROUGHLY,
        sites=_SITES,
    )
    image_reach: ClassVar = Reach(most=_MOST, honours=frozenset(("safe", "language")))

    def __init__(self, upstreams: Upstreams, keys: Keys, *, pool: Pool | None = None) -> None:
        self._pool = pool or open_pool(upstreams.http, keys, clock=upstreams.clock)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = compose(
            query.text, sites=query.sites, exact=query.exact_terms, exclude=query.exclude_terms
        )
        hits = await self._find(text, query, "general", time_range=query.time_range)
        return [
            WebResult(
                title=hit.title, url=hit.url, snippet=hit.description, published=hit.published
            )
            for hit in hits
        ]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        text = compose(query.text, sites=query.sites)
        hits = await self._find(text, query, "news", time_range=query.time_range)
        return [
            NewsResult(
                title=hit.title,
                url=hit.url,
                source=hit.source or host_of(hit.url),
                publishedAt=hit.published,
                snippet=hit.description,
            )
            for hit in hits
        ]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        hits = await self._find(query.text, query, "images")
        return [
            ImageResult(
                title=hit.title,
                link=hit.image,
                thumbnailLink=hit.thumbnail or None,
                displayLink=host_of(hit.url),
                contextLink=hit.url,
                width=hit.width,
                height=hit.height,
                fileSize=hit.size or None,
            )
            for hit in hits
            if hit.image
        ]

    async def _find(
        self, text: str, query: Query, category: str, *, time_range: str | None = None
    ) -> tuple[Hit, ...]:
        found = await self._pool.search(
            SearxngQuery(
                text=text,
                category=category,
                language=query.language or "",
                safe=None if query.safe is None else _SAFE[query.safe],
                time_range=_RANGES.get(time_range or "", time_range or ""),
                count=query.count,
            )
        )
        return found.hits
