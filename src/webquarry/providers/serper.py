"""Serper, Google's results as JSON (https://serper.dev/playground)."""

from typing import Any, ClassVar, TypeVar

from pydantic import Field

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.model import Items, Text
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
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import (
    GOOGLE_INTERFACE_LANGUAGES,
    GOOGLE_MAX_WORDS,
    SEARCH_LIMITS,
    SearchPayload,
    with_operators,
)
from webquarry.settings.variable import Variable

T = TypeVar("T")

_KEY = "SERPER_API_KEY"
_PERIODS = {"hour": "qdr:h", "day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}


class Serper:
    """Searches Google. SafeSearch is not supported."""

    about: ClassVar = ProviderInfo(
        name="serper",
        docs="https://serper.dev",
        base_url="https://google.serper.dev",
        variables=(Variable(_KEY, "API key for Serper.", secret=True),),
        requires=(_KEY,),
    )
    web_support: ClassVar = SearchSupport(
        max_results=100,
        max_pages=10,
        filters=frozenset(
            ("time_range", "language", "country", "sites", "exact_terms", "exclude_terms")
        ),
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )
    news_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(("time_range", "language", "country", "sites")),
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )
    image_support: ClassVar = SearchSupport(
        max_results=100, filters=frozenset(("language", "country")), max_chars=2000
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {"X-API-KEY": keys[_KEY]}

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = with_operators(query)
        found = await self._find("search", _Web, text, query, _PERIODS.get(query.time_range or ""))
        return [page.to_web(self._now()) for page in found.organic if page.link]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        text = compose(query.text, sites=query.sites)
        found = await self._find("news", _News, text, query, _PERIODS.get(query.time_range or ""))
        return [page.to_news(self._now()) for page in found.news if page.link]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        found = await self._find("images", _Images, query.text, query, None)
        return [image.to_image() for image in found.images if image.image_url]

    async def _find(
        self, path: str, model: type[T], text: str, query: Query, period: str | None
    ) -> T:
        page = query.page if isinstance(query, WebQuery) else 1
        body: dict[str, Any] = {
            "q": text,
            "num": query.count,
            "page": page if page > 1 else None,
            "gl": query.country,
            "hl": GOOGLE_INTERFACE_LANGUAGES.get(query.language or "", query.language),
            "tbs": period,
        }
        sent = {name: value for name, value in body.items() if value is not None}
        response = await self._api.post(path, json=sent, headers=self._headers)
        return self._api.decode(model, response)


class _Page(Wire):
    title: str | None = None
    link: str = ""
    snippet: str | None = None
    date: str | None = None
    source: str | None = None

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=self.title or self.link,
            url=self.link,
            snippet=plain_text(self.snippet),
            published=to_rfc3339(self.date, now),
        )

    def to_news(self, now: float) -> NewsResult:
        return NewsResult(
            title=self.title or self.link,
            url=self.link,
            source=self.source or host_of(self.link),
            publishedAt=to_rfc3339(self.date, now),
            snippet=plain_text(self.snippet),
        )


class _Image(Wire):
    title: str | None = None
    image_url: Text = Field(default="", alias="imageUrl")
    width: int | None = Field(default=None, alias="imageWidth")
    height: int | None = Field(default=None, alias="imageHeight")
    thumbnail: str | None = Field(default=None, alias="thumbnailUrl")
    domain: str | None = None
    page: str | None = Field(default=None, alias="link")

    def to_image(self) -> ImageResult:
        link = self.image_url
        return ImageResult(
            title=self.title or link,
            link=link,
            thumbnailLink=self.thumbnail,
            displayLink=self.domain or host_of(self.page or link),
            contextLink=self.page,
            width=self.width,
            height=self.height,
        )


class _Web(SearchPayload):
    expected_keys = ("organic", "searchParameters")
    organic: Items[_Page] = ()


class _News(SearchPayload):
    expected_keys = ("news", "searchParameters")
    news: Items[_Page] = ()


class _Images(SearchPayload):
    expected_keys = ("images", "searchParameters")
    images: Items[_Image] = ()
