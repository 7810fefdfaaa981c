"""Brave Search: web, images, news (https://api-dashboard.search.brave.com/app/documentation)."""

from typing import ClassVar

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import plain
from webquarry.content.text.timestamps import to_rfc3339
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
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload
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
# some of Brave's codes are their own
_LANGUAGES = {"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb"} | {
    code: code
    for code in ("ar", "bg", "bn", "ca", "cs", "da", "de", "en", "es", "et", "eu", "fi", "fr",
                 "gl", "gu", "he", "hi", "hr", "hu", "is", "it", "kn", "ko", "lt", "lv", "ml",
                 "mr", "ms", "nb", "nl", "pa", "pl", "ro", "ru", "sk", "sl", "sr", "sv", "ta",
                 "te", "th", "tr", "uk", "vi")
}  # fmt: skip
_VALUES = {"country": _COUNTRIES, "language": frozenset(_LANGUAGES)}
_ROUGHLY = frozenset({"time_range=hour"})
_CHARS = 400


class Brave:
    """Searches an index of its own."""

    about: ClassVar = ProviderInfo(
        name="brave",
        docs="https://api-dashboard.search.brave.com/app/documentation",
        base_url="https://api.search.brave.com",
        variables=(
            Variable(_KEY, "Key of Brave Search; it also brings local_search.", secret=True),
            Variable("BRAVE_EXTRA_SNIPPETS", "Ask Brave for more text per result.", FLAG),
        ),
        requires=(_KEY,),
    )
    web_reach: ClassVar = Reach(
        most=20,
        pages=10,
        honours=frozenset(
            ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms",
             "goggle")
        ),
        values=_VALUES,
        roughly=_ROUGHLY,
        sites=10,
        chars=_CHARS,
    )  # fmt: skip
    news_reach: ClassVar = Reach(
        most=50,
        honours=frozenset(("time_range", "safe", "language", "country")),
        values=_VALUES,
        roughly=_ROUGHLY,
        chars=_CHARS,
    )
    image_reach: ClassVar = Reach(
        most=200,
        honours=frozenset(("safe", "language", "country")),
        values=_VALUES,
        chars=_CHARS,
    )
    place_reach: ClassVar = BravePlaces.reach

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._today = upstreams.today
        self._headers = {"X-Subscription-Token": keys[_KEY], "Accept": "application/json"}
        self._extra = str(keys.get("BRAVE_EXTRA_SNIPPETS", "")).lower() == "true"
        self._places = BravePlaces(upstreams, self._api, self._headers)
        self._summaries = BraveSummaries(self._api, self._headers)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = compose(
            query.text, sites=query.sites, exact=query.exact_terms, exclude=query.exclude_terms
        )
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
        return [page.to_web(self._today()) for page in pages if page.url]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        params = _common(query.text, query) | {
            "safesearch": _SAFE.get(query.safe or ""),
            "freshness": _FRESHNESS.get(query.time_range or ""),
        }
        response = await self._api.get("res/v1/news/search", params=params, headers=self._headers)
        articles = self._api.decode(_Pages, response).results or ()
        return [article.to_news(self._today()) for article in articles if article.url]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        # images know only two levels
        safe = {"off": "off", "medium": "strict", "high": "strict"}.get(query.safe or "")
        params: Params = _common(query.text, query) | {"safesearch": safe}
        response = await self._api.get("res/v1/images/search", params=params, headers=self._headers)
        pictures = self._api.decode(_Pictures, response).results or ()
        return [picture.to_image() for picture in pictures if picture.link]

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
    extra_snippets: tuple[str, ...] | None = None
    page_age: str | None = None  # a moment in UTC
    age: str | None = None  # the same in words, coarser
    meta_url: _MetaUrl | None = None

    def published(self, now: float) -> str | None:
        return to_rfc3339(self.page_age, now) or to_rfc3339(self.age, now)

    @property
    def snippet(self) -> str:
        texts = (plain(text) for text in (self.description, *(self.extra_snippets or ())))
        return " … ".join(text for text in texts if text)

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=plain(self.title) or self.url,
            url=self.url,
            snippet=self.snippet,
            published=self.published(now),
        )

    def to_news(self, now: float) -> NewsResult:
        host = self.meta_url.hostname if self.meta_url else None
        return NewsResult(
            title=plain(self.title) or self.url,
            url=self.url,
            source=host or host_of(self.url),
            publishedAt=self.published(now),
            snippet=self.snippet,
        )


class _Pages(SearchPayload):
    marks = ("results", "query")
    results: tuple[_Page, ...] | None = None


class _Section(Wire):
    results: tuple[_Page, ...] | None = None


class _Web(SearchPayload):
    marks = ("web", "query")
    web: _Section | None = None  # left out when nothing was found


class _Thumbnail(Wire):
    src: str | None = None


class _Properties(Wire):
    url: str | None = None
    width: int | None = None
    height: int | None = None


class _Picture(Wire):
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
            title=plain(self.title) or self.link,
            link=self.link,
            thumbnailLink=self.thumbnail.src if self.thumbnail else None,
            displayLink=self.source or host_of(self.url or self.link),
            contextLink=self.url,
            width=properties.width,
            height=properties.height,
        )


class _Pictures(SearchPayload):
    marks = ("results", "query")
    results: tuple[_Picture, ...] | None = None
