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
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.search_wire import with_operators
from webquarry.searxng.open_pool import CATALOGUE, URL, VARIABLES, open_pool
from webquarry.searxng.pool import NAME, Pool
from webquarry.searxng.query_values import SearxngQuery
from webquarry.settings.variable import Variable

_SAFE = {"off": 0, "medium": 1, "high": 2}
_TIME_RANGES = {"hour": "day"}
_APPROXIMATED = frozenset({"time_range=hour"})
_MAX_RESULTS = 50
_LANGUAGES = {"zh-hant": "zh-TW", "pt-br": "pt-BR"}
_MAX_SITES = 8  # the engines behind an instance cut longer queries


@dataclass(frozen=True, kw_only=True)
class _About(ProviderInfo):
    """Configured by URLs of instances, or by a catalogue that lists them."""

    def all_variables(self) -> tuple[Variable, ...]:
        return self.variables

    def missing_variables(self, keys: Keys) -> tuple[str, ...]:
        has_catalogue = keys.get(CATALOGUE, "off") != "off"
        return () if keys.get(URL) or has_catalogue else self.requires


class Searxng:
    """Searches through the pool of instances, which do not support regions."""

    about: ClassVar[ProviderInfo] = _About(
        name=NAME,
        docs="https://docs.searxng.org/dev/search_api.html",
        base_url="",
        variables=VARIABLES,
        requires=(URL,),
    )
    web_support: ClassVar = SearchSupport(
        max_results=_MAX_RESULTS,
        filters=frozenset(
            ("time_range", "safe", "language", "sites", "exact_terms", "exclude_terms")
        ),
        approximated=_APPROXIMATED,
        max_sites=_MAX_SITES,
    )
    news_support: ClassVar = SearchSupport(
        max_results=_MAX_RESULTS,
        filters=frozenset(("time_range", "safe", "language", "sites")),
        approximated=_APPROXIMATED,
        max_sites=_MAX_SITES,
    )
    image_support: ClassVar = SearchSupport(
        max_results=_MAX_RESULTS, filters=frozenset(("safe", "language"))
    )

    def __init__(self, upstreams: Upstreams, keys: Keys, *, pool: Pool | None = None) -> None:
        self._pool = pool or open_pool(upstreams.http, keys, clock=upstreams.clock)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        found = await self._pool.search(
            _searxng_query(with_operators(query), query, "general", query.time_range)
        )
        return [
            WebResult(
                title=hit.title, url=hit.url, snippet=hit.description, published=hit.published
            )
            for hit in found.hits
        ]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        text = compose(query.text, sites=query.sites)
        found = await self._pool.search(_searxng_query(text, query, "news", query.time_range))
        return [
            NewsResult(
                title=hit.title,
                url=hit.url,
                source=hit.source or host_of(hit.url),
                publishedAt=hit.published,
                snippet=hit.description,
            )
            for hit in found.hits
        ]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        found = await self._pool.search(_searxng_query(query.text, query, "images"))
        return [
            ImageResult(
                title=hit.title,
                link=hit.image,
                thumbnailLink=hit.thumbnail,
                displayLink=host_of(hit.url),
                contextLink=hit.url,
                width=hit.width,
                height=hit.height,
                fileSize=hit.size,
            )
            for hit in found.hits
            if hit.image
        ]


def _searxng_query(
    text: str, query: Query, category: str, time_range: str | None = None
) -> SearxngQuery:
    return SearxngQuery(
        text=text,
        category=category,
        language=_LANGUAGES.get(query.language or "", query.language or ""),
        safe_search=None if query.safe is None else _SAFE[query.safe],
        time_range=_TIME_RANGES.get(time_range or "", time_range or ""),
        count=query.count,
    )
