"""Google Programmable Search (https://developers.google.com/custom-search/v1/reference/rest)."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from pydantic import Field

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.model import Items
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
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import (
    GOOGLE_APPROXIMATED,
    GOOGLE_LANGUAGES,
    GOOGLE_MAX_WORDS,
    SEARCH_LIMITS,
    SearchPayload,
)
from webquarry.settings.variable import Variable

_KEY, _ENGINE = "GOOGLE_CUSTOM_SEARCH_API_KEY", "GOOGLE_CUSTOM_SEARCH_ID"
_DATES = {"hour": "d1", "day": "d1", "week": "w1", "month": "m1", "year": "y1"}
_APPROXIMATED = GOOGLE_APPROXIMATED | {"time_range=hour"}
# meta tags with the publication date, best first
_DATE_TAGS = (
    "article:published_time",
    "datepublished",
    "og:article:published_time",
    "publish_date",
    "dc.date.issued",
    "date",
)


class Google:
    """Searches the web, or the sites of a custom search engine (cx)."""

    about: ClassVar = ProviderInfo(
        name="google",
        docs="https://developers.google.com/custom-search/v1/overview",
        base_url="https://www.googleapis.com",
        variables=(
            Variable(_KEY, "API key for Google Programmable Search.", secret=True),
            Variable(_ENGINE, "Search engine id (cx) of Google Programmable Search."),
        ),
        requires=(_KEY, _ENGINE),
    )
    web_support: ClassVar = SearchSupport(
        max_results=10,
        max_pages=10,
        filters=frozenset(
            ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms",
             "engine")
        ),
        approximated=_APPROXIMATED,
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )  # fmt: skip
    news_support: ClassVar = SearchSupport(
        max_results=10,
        filters=frozenset(("time_range", "safe", "language", "country", "sites", "sort_by")),
        approximated=_APPROXIMATED,
        max_sites=10,
        max_words=GOOGLE_MAX_WORDS,
        max_chars=2000,
    )
    image_support: ClassVar = SearchSupport(
        max_results=10,
        filters=frozenset(
            ("safe", "language", "country", "size", "type", "color_type", "dominant_color",
             "file_type")
        ),
        approximated=_APPROXIMATED,
        max_chars=2000,
    )  # fmt: skip

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._key = keys[_KEY]
        self._engine = keys[_ENGINE]

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        params: dict[str, Scalar | None] = {
            "exactTerms": query.exact_terms,
            "excludeTerms": query.exclude_terms,
            "dateRestrict": _DATES.get(query.time_range or ""),
            "start": (query.page - 1) * query.count + 1 if query.page > 1 else None,
        }
        text = compose(query.text, sites=query.sites)
        found = await self._find(text, query, params, engine=query.engine)
        return [item.to_web(self._now()) for item in found if item.link]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        params = {
            "dateRestrict": _DATES.get(query.time_range or ""),
            "sort": "date" if query.sort_by == "date" else None,
        }
        found = await self._find(compose(query.text, sites=query.sites), query, params)
        return [item.to_news(self._now()) for item in found if item.link]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        params = {
            "searchType": "image",
            "imgSize": query.size,
            "imgType": query.type,
            "imgColorType": query.color_type,
            "imgDominantColor": query.dominant_color,
            "fileType": query.file_type,
        }
        found = await self._find(query.text, query, params)
        return [item.to_image() for item in found if item.link]

    async def _find(
        self,
        text: str,
        query: Query,
        params: Mapping[str, Scalar | None],
        *,
        engine: str | None = None,
    ) -> Iterable["_Item"]:
        language = GOOGLE_LANGUAGES.get(query.language or "", query.language)
        sent: dict[str, Scalar | None] = {
            "key": self._key,
            "cx": engine or self._engine,
            "q": text,
            "num": query.count,
            "safe": None if query.safe is None else "off" if query.safe == "off" else "active",
            "lr": f"lang_{language}" if language else None,
            "cr": f"country{query.country.upper()}" if query.country else None,
            **params,
        }
        response = await self._api.get("customsearch/v1", params=sent)
        return self._api.decode(_Results, response).items


class _Image(Wire):
    context: str | None = Field(default=None, alias="contextLink")
    thumbnail: str | None = Field(default=None, alias="thumbnailLink")
    width: int | None = None
    height: int | None = None


class _Item(Wire):
    title: str | None = None
    link: str = ""
    snippet: str | None = None
    host: str | None = Field(default=None, alias="displayLink")
    image: _Image | None = None
    # metadata of the page by table; values may be numbers
    pagemap: dict[str, list[dict[str, str | float | None]]] | None = None

    def published(self, now: float) -> str | None:
        tables = self.pagemap or {}
        for name in ("metatags", "newsarticle", "article"):
            rows = tables.get(name) or [{}]
            tags = {key.lower(): value for key, value in rows[0].items()}
            for tag in _DATE_TAGS:
                value = tags.get(tag)
                if isinstance(value, str) and (moment := to_rfc3339(value, now)):
                    return moment
        return None

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
            source=self.host or host_of(self.link),
            publishedAt=self.published(now),
            snippet=plain_text(self.snippet),
        )

    def to_image(self) -> ImageResult:
        image = self.image or _Image()
        return ImageResult(
            title=self.title or self.link,
            link=self.link,
            thumbnailLink=image.thumbnail,
            displayLink=self.host or host_of(self.link),
            contextLink=image.context,
            width=image.width,
            height=image.height,
        )


class _Results(SearchPayload):
    expected_keys = ("items", "searchInformation", "queries")
    items: Items[_Item] = ()  # absent when there are no results
