"""SearchAPI.io, Google's results as JSON (https://www.searchapi.io/docs/google)."""

from typing import Any, ClassVar, TypeVar

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import ProviderError
from webquarry.models.model import Items
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    Query,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.http_port import Scalar
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers._searchapi_patents import PatentRow, patent_params
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import (
    GOOGLE_APPROXIMATED,
    GOOGLE_INTERFACE_LANGUAGES,
    GOOGLE_LANGUAGES,
    GOOGLE_MAX_WORDS,
    SEARCH_LIMITS,
    SearchPayload,
    with_operators,
)
from webquarry.settings.variable import Variable

_KEY = "SEARCHAPI_API_KEY"
# Google's codes for image filters (tbs)
_SIZES = {
    "icon": "isz:i",
    "medium": "isz:m",
    "large": "isz:l",
    "xlarge": "isz:lt,islt:2mp",
    "xxlarge": "isz:lt,islt:6mp",
    "huge": "isz:lt,islt:12mp",
}
_TYPES = {name: f"itp:{name}" for name in ("clipart", "face", "lineart", "photo", "animated")}
_COLORS = {"color": "ic:color", "gray": "ic:gray", "mono": "ic:gray", "trans": "ic:trans"}


class SearchApi:
    """Searches Google, with image filters."""

    about: ClassVar = ProviderInfo(
        name="searchapi",
        docs="https://www.searchapi.io/docs/google",
        base_url="https://www.searchapi.io",
        variables=(Variable(_KEY, "API key for SearchAPI.io.", secret=True),),
        requires=(_KEY,),
    )
    web_support: ClassVar = SearchSupport(
        max_results=100,
        max_pages=10,
        filters=frozenset(
            ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms")
        ),
        approximated=GOOGLE_APPROXIMATED,
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )
    news_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(("time_range", "safe", "language", "country", "sites", "sort_by")),
        approximated=GOOGLE_APPROXIMATED,
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )
    image_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(
            ("safe", "language", "country", "size", "type", "color_type", "dominant_color",
             "file_type")
        ),
        known_values={"size": frozenset(_SIZES), "type": frozenset(_TYPES)},
        approximated=GOOGLE_APPROXIMATED,
        max_chars=2000,
    )  # fmt: skip

    patent_offices: ClassVar = None
    patent_filters: ClassVar = frozenset(
        ("number", "office", "assignee", "inventor", "cpc", "filed_from", "filed_to")
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = with_operators(query)
        more = {
            "num": query.count,
            "page": query.page if query.page > 1 else None,
            "time_period": _period(query.time_range),
        }
        found = await self._find("google", _Pages, text, query, more)
        return [page.to_web(self._now()) for page in found.organic_results if page.link]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        more: dict[str, Scalar | None] = {
            "num": query.count,
            "time_period": _period(query.time_range),
            "sort_by": "most_recent" if query.sort_by == "date" else None,
        }
        text = compose(query.text, sites=query.sites)
        found = await self._find("google_news", _Pages, text, query, more)
        pages = found.organic_results or found.news_results
        return [page.to_news(self._now()) for page in pages if page.link]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        filters = (
            _SIZES.get(query.size or ""),
            _TYPES.get(query.type or ""),
            _COLORS.get(query.color_type or ""),
            f"ic:specific,isc:{query.dominant_color}" if query.dominant_color else None,
            f"ift:{query.file_type}" if query.file_type else None,
        )
        more = {"tbs": ",".join(name for name in filters if name) or None}
        found = await self._find("google_images", _Images, query.text, query, more)
        return [image.to_image() for image in found.images if image.link]

    async def _find(
        self, engine: str, model: type["F"], text: str, query: Query, more: dict[str, Any]
    ) -> "F":
        language = query.language or ""
        params: dict[str, Scalar | None] = {
            "engine": engine,
            "q": text,
            "gl": query.country,
            "hl": GOOGLE_INTERFACE_LANGUAGES.get(language, language) or None,
            "lr": f"lang_{GOOGLE_LANGUAGES.get(language, language)}" if language else None,
            "safe": None if query.safe is None else "off" if query.safe == "off" else "active",
            **more,
        }
        return await self._get(model, params)

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        found = await self._get(_Patents, patent_params(query))
        rows = ((row, row.number) for row in found.organic_results)
        return [row.to_patent(number) for row, number in rows if number][: query.count]

    async def _get(self, model: type["F"], params: dict[str, Scalar | None]) -> "F":
        response = await self._api.get("api/v1/search", params=params, headers=self._headers)
        found = self._api.decode(model, response)
        # an empty result is reported as an error with status 200
        if found.error and "any results" not in found.error.lower():
            raise ProviderError(
                f"Request refused ({self._api.name}): {found.error[:200].rstrip('.')}. "
                "Try a different provider.",
                provider=self._api.name,
            )
        return found


def _period(time_range: str | None) -> str | None:
    return f"last_{time_range}" if time_range else None


class _Page(Wire):
    title: str | None = None
    link: str = ""
    snippet: str | None = None
    source: str | None = None
    date: str | None = None
    iso_date: str | None = None

    def published(self, now: float) -> str | None:
        return to_rfc3339(self.iso_date, now) or to_rfc3339(self.date, now)

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=self.title or self.link,
            url=self.link,
            snippet=plain_text(self.snippet),
            published=self.published(now),
        )

    def to_news(self, now: float) -> NewsResult:
        return NewsResult(
            title=self.title or self.link,
            url=self.link,
            source=self.source or host_of(self.link),
            publishedAt=self.published(now),
            snippet=plain_text(self.snippet),
        )


class _Original(Wire):
    link: str | None = None
    width: int | None = None
    height: int | None = None
    size: str | None = None


class _Source(Wire):
    link: str | None = None


class _Image(Wire):
    title: str | None = None
    original: _Original | None = None
    source: _Source | None = None
    thumbnail: str | None = None

    @property
    def link(self) -> str:
        return (self.original and self.original.link) or ""

    def to_image(self) -> ImageResult:
        original = self.original or _Original()
        page = self.source.link if self.source else None
        # inlined thumbnails would be larger than the rest of the result
        inlined = (self.thumbnail or "").startswith("data:")
        return ImageResult(
            title=self.title or self.link,
            link=self.link,
            thumbnailLink=None if inlined else self.thumbnail,
            displayLink=host_of(page or self.link),
            contextLink=page,
            width=original.width,
            height=original.height,
            fileSize=original.size,
        )


class _Results(SearchPayload):
    expected_keys = ("search_metadata", "search_information", "error", "organic_results", "images")
    error: str | None = None


class _Pages(_Results):
    organic_results: Items[_Page] = ()
    news_results: Items[_Page] = ()


class _Patents(_Results):
    organic_results: Items[PatentRow] = ()


class _Images(_Results):
    images: Items[_Image] = ()


F = TypeVar("F", bound=_Results)
