"""Hacker News through its search at Algolia (https://hn.algolia.com/api)."""

from typing import ClassVar

from pydantic import Field

from webquarry.content.text.snippets import plain_text, shorten_snippet
from webquarry.content.text.timestamps import SECONDS, to_rfc3339
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.net.upstream.http_port import Scalar
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload

_MAX_RESULTS = 100
_DEFAULT_RESULTS = 10  # for a count outside 1 to 100


class HackerNews:
    """Searches the stories of one community, with their points."""

    about: ClassVar = ProviderInfo(
        name="hackernews",
        docs="https://hn.algolia.com/api",
        base_url="https://hn.algolia.com",
    )
    web_support: ClassVar = SearchSupport(
        max_results=_MAX_RESULTS, filters=frozenset(("time_range",)), general=False
    )
    news_support: ClassVar = SearchSupport(
        max_results=_MAX_RESULTS, filters=frozenset(("time_range", "sort_by")), general=False
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        stories = await self._find("search", query)
        return [story.to_web(self._now()) for story in stories if story.id]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        path = "search_by_date" if query.sort_by == "date" else "search"
        stories = await self._find(path, query)
        return [story.to_news(self._now()) for story in stories if story.id]

    async def _find(self, path: str, query: WebQuery | NewsQuery) -> tuple["_Story", ...]:
        since = int(self._now()) - SECONDS[query.time_range] if query.time_range else None
        params: dict[str, Scalar | None] = {
            "query": query.text,
            "tags": "story",
            "hitsPerPage": query.count if 1 <= query.count <= _MAX_RESULTS else _DEFAULT_RESULTS,
            "numericFilters": None if since is None else f"created_at_i>{since}",
        }
        response = await self._api.get(f"api/v1/{path}", params=params)
        return self._api.decode(_Results, response).hits


class _Story(Wire):
    id: str = Field(default="", alias="objectID")
    title: str | None = None
    url: str | None = None
    story_text: str | None = None
    author: str | None = None
    points: int | None = None
    num_comments: int | None = None
    created_at: str | None = None

    @property
    def link(self) -> str:
        # text posts have no external page
        return self.url or f"https://news.ycombinator.com/item?id={self.id}"

    @property
    def snippet(self) -> str:
        counts = f"{self.points or 0} points, {self.num_comments or 0} comments on Hacker News"
        by = f" by {self.author}" if self.author else ""
        return shorten_snippet(f"{counts}{by}. {plain_text(self.story_text)}")

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=plain_text(self.title) or self.link,
            url=self.link,
            snippet=self.snippet,
            published=to_rfc3339(self.created_at, now),
        )

    def to_news(self, now: float) -> NewsResult:
        return NewsResult(
            title=plain_text(self.title) or self.link,
            url=self.link,
            source="Hacker News",
            publishedAt=to_rfc3339(self.created_at, now),
            snippet=self.snippet,
        )


class _Results(SearchPayload):
    expected_keys = ("hits",)
    hits: tuple[_Story, ...]
