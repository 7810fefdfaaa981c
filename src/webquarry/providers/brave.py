"""Brave Search: web, images, news (https://api-dashboard.search.brave.com/app/documentation)."""

from typing import ClassVar

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.model import Items
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    Place,
    PlaceQuery,
    Query,
    WebQuery,
    WebResult,
)
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.net.upstream.http_port import Params, Scalar
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave_places import BravePlaces
from webquarry.providers.brave_summaries import BraveSummaries
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload, with_operators
from webquarry.settings.value_types import FLAG
from webquarry.settings.variable import Variable

_KEY = "BRAVE_API_KEY"
_FRESHNESS = {"hour": "pd", "day": "pd", "week": "pw", "month": "pm", "year": "py"}
_SAFE = {"off": "off", "medium": "moderate", "high": "strict"}
_COUNTRIES = frozenset(
    {"ar", "at", "au", "be", "br", "ca", "ch", "cl", "cn", "de", "dk", "es", "fi", "fr", "gb",
     "gr", "hk", "id", "in", "it", "jp", "kr", "mx", "my", "nl", "no", "nz", "ph", "pl", "pt",
     "ru", "sa", "se", "tr", "tw", "us", "za"}
)  # fmt: skip
# Brave uses its own codes for some languages
_LANGUAGES = {
    "ja": "jp",
    "zh": "zh-hans",
    "zh-hant": "zh-hant",
    "pt": "pt-pt",
    "pt-br": "pt-br",
    "no": "nb",
} | {
    code: code
    for code in ("ar", "bg", "bn", "ca", "cs", "da", "de", "en", "es", "et", "eu", "fi", "fr",
                 "gl", "gu", "he", "hi", "hr", "hu", "is", "it", "kn", "ko", "lt", "lv", "ml",
                 "mr", "ms", "nb", "nl", "pa", "pl", "ro", "ru", "sk", "sl", "sr", "sv", "ta",
                 "te", "th", "tr", "uk", "vi")
}  # fmt: skip
_KNOWN_VALUES = {"country": _COUNTRIES, "language": frozenset(_LANGUAGES)}
_APPROXIMATED = frozenset({"time_range=hour"})
_MAX_CHARS = 400


class Brave:
    """Searches Brave's own index."""

    about: ClassVar = ProviderInfo(
        name="brave",
        docs="https://api-dashboard.search.brave.com/app/documentation",
        base_url="https://api.search.brave.com",
        variables=(
            Variable(_KEY, "API key for Brave Search; also enables local_search.", secret=True),
            Variable("BRAVE_EXTRA_SNIPPETS", "Request more text per result from Brave.", FLAG),
        ),
        requires=(_KEY,),
    )
    web_support: ClassVar = SearchSupport(
        max_results=20,
        max_pages=10,
        filters=frozenset(
            ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms",
             "goggle")
        ),
        known_values=_KNOWN_VALUES,
        approximated=_APPROXIMATED,
        max_sites=10,
        max_chars=_MAX_CHARS,
    )  # fmt: skip
    news_support: ClassVar = SearchSupport(
        max_results=50,
        filters=frozenset(("time_range", "safe", "language", "country")),
        known_values=_KNOWN_VALUES,
        approximated=_APPROXIMATED,
        max_chars=_MAX_CHARS,
    )
    image_support: ClassVar = SearchSupport(
        max_results=200,
        filters=frozenset(("safe", "language", "country")),
        known_values=_KNOWN_VALUES,
        max_chars=_MAX_CHARS,
    )
    place_support: ClassVar = BravePlaces.support

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {"X-Subscription-Token": keys[_KEY], "Accept": "application/json"}
        self._extra = str(keys.get("BRAVE_EXTRA_SNIPPETS", "")).lower() == "true"
        self._places = BravePlaces(upstreams, self._api, self._headers)
        self._summaries = BraveSummaries(self._api, self._headers)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = with_operators(query)
        params = _common(text, query) | {
            "safesearch": _SAFE.get(query.safe or ""),
            "freshness": _FRESHNESS.get(query.time_range or ""),
            "offset": query.page - 1 or None,  # in pages
            "result_filter": "web",
            "text_decorations": False,
            "extra_snippets": True if self._extra else None,
            "goggles": query.goggle,
        }
        response = await self._api.get("res/v1/web/search", params=params, headers=self._headers)
        found = self._api.decode(_Web, response)
        pages = (found.web.results if found.web else None) or ()
        return [page.to_web(self._now()) for page in pages if page.url]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        params = _common(query.text, query) | {
            "safesearch": _SAFE.get(query.safe or ""),
            "freshness": _FRESHNESS.get(query.time_range or ""),
        }
        response = await self._api.get("res/v1/news/search", params=params, headers=self._headers)
        articles = self._api.decode(_Pages, response).results
        return [article.to_news(self._now()) for article in articles if article.url]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        # image search has two levels only
        safe = {"off": "off", "medium": "strict", "high": "strict"}.get(query.safe or "")
        params: Params = _common(query.text, query) | {"safesearch": safe}
        response = await self._api.get("res/v1/images/search", params=params, headers=self._headers)
        images = self._api.decode(_Images, response).results
        return [image.to_image() for image in images if image.link]

    async def search_places(self, query: PlaceQuery) -> list[Place]:
        return await self._places.search(query)

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        return await self._summaries.answer(question)


def _common(text: str, query: Query) -> dict[str, Scalar | None]:
    language = _LANGUAGES.get(query.language or "")
    if language == "pt-pt" and query.country == "br":
        language = "pt-br"
    return {
        "q": text,
        "count": query.count,
        "country": query.country.upper() if query.country else None,
        "search_lang": language,
    }


class _MetaUrl(Wire):
    hostname: str | None = None


class _Page(Wire):
    title: str | None = None
    url: str = ""
    description: str | None = None
    extra_snippets: Items[str] = ()
    page_age: str | None = None  # timestamp in UTC
    age: str | None = None  # the same as text, less precise
    meta_url: _MetaUrl | None = None

    def published(self, now: float) -> str | None:
        return to_rfc3339(self.page_age, now) or to_rfc3339(self.age, now)

    @property
    def snippet(self) -> str:
        texts = (plain_text(text) for text in (self.description, *self.extra_snippets))
        return " … ".join(text for text in texts if text)

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=plain_text(self.title) or self.url,
            url=self.url,
            snippet=self.snippet,
            published=self.published(now),
        )

    def to_news(self, now: float) -> NewsResult:
        host = self.meta_url.hostname if self.meta_url else None
        return NewsResult(
            title=plain_text(self.title) or self.url,
            url=self.url,
            source=host or host_of(self.url),
            publishedAt=self.published(now),
            snippet=self.snippet,
        )


class _Pages(SearchPayload):
    expected_keys = ("results", "query")
    results: Items[_Page] = ()


class _Section(Wire):
    results: Items[_Page] = ()


class _Web(SearchPayload):
    expected_keys = ("web", "query")
    web: _Section | None = None  # absent when there are no results


class _Thumbnail(Wire):
    src: str | None = None


class _Properties(Wire):
    url: str | None = None
    width: int | None = None
    height: int | None = None


class _Image(Wire):
    title: str | None = None
    url: str | None = None  # of the page
    source: str | None = None
    thumbnail: _Thumbnail | None = None
    properties: _Properties | None = None

    @property
    def link(self) -> str:
        return (self.properties and self.properties.url) or ""

    def to_image(self) -> ImageResult:
        properties = self.properties or _Properties()
        return ImageResult(
            title=plain_text(self.title) or self.link,
            link=self.link,
            thumbnailLink=self.thumbnail.src if self.thumbnail else None,
            displayLink=self.source or host_of(self.url or self.link),
            contextLink=self.url,
            width=properties.width,
            height=properties.height,
        )


class _Images(SearchPayload):
    expected_keys = ("results", "query")
    results: Items[_Image] = ()
