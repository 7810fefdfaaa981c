"""Providers whose answers a test writes down."""

from typing import Any, ClassVar, cast

from webquarry.errors import ProviderError, WebquarryError
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    Place,
    PlaceQuery,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo

ALL_FILTERS = frozenset(
    ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms")
)
EVERYTHING = SearchSupport(max_results=20, filters=ALL_FILTERS, max_sites=10)
NOTHING = SearchSupport(max_results=20)


class FakeWebProvider:
    """Answers with what it was given: a list, an error, or a function of the query."""

    about: ClassVar[ProviderInfo]
    web_support: ClassVar[SearchSupport] = EVERYTHING

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.script: list[Any] = []
        self.queries: list[WebQuery] = []

    def then(self, *answers: Any) -> "FakeWebProvider":
        """Answer with these, one after the other; the last one for ever."""
        self.script += answers
        return self

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        self.queries.append(query)
        answer: Any = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, WebquarryError):
            raise answer
        return cast("list[WebResult]", answer(query) if callable(answer) else answer)


def provider(name: str, *answers: Any, support: SearchSupport = EVERYTHING) -> FakeWebProvider:
    """Return a web provider of this name with these answers."""
    about = ProviderInfo(name=name, docs="", base_url=f"https://{name}.example", requires=())
    made: type[FakeWebProvider] = type(
        name, (FakeWebProvider,), {"about": about, "web_support": support}
    )
    return made().then(*(answers or ([],)))


def page(number: int, host: str = "example.org", **more: Any) -> WebResult:
    """Return a page with an address of its own."""
    told = {
        "title": f"Page {number}",
        "url": f"https://{host}/{number}",
        "snippet": f"Text {number}",
    }
    return WebResult(**(told | more))


def pages(count: int, host: str = "example.org") -> list[WebResult]:
    """Return as many pages."""
    return [page(number, host) for number in range(1, count + 1)]


def broken(name: str, kind: type[WebquarryError] = ProviderError, **more: Any) -> WebquarryError:
    """Return the error a provider of this name raises."""
    return kind(f"{name} is broken", provider=name, **more)


class FakeNewsProvider:
    """A news provider that honours nothing."""

    about: ClassVar = ProviderInfo(name="desk", docs="", base_url="https://desk.example")
    news_support: ClassVar = SearchSupport(max_results=50)

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.articles: list[NewsResult] = []
        self.queries: list[NewsQuery] = []

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        self.queries.append(query)
        return self.articles


class FakeImageProvider:
    """An image provider that honours nothing but SafeSearch."""

    about: ClassVar = ProviderInfo(name="gallery", docs="", base_url="https://gallery.example")
    image_support: ClassVar = SearchSupport(max_results=50, filters=frozenset(("safe",)))

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.pictures: list[ImageResult] = []
        self.queries: list[ImageQuery] = []

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        self.queries.append(query)
        return self.pictures


class FakePlaceProvider:
    """A provider of places."""

    about: ClassVar = ProviderInfo(name="atlas", docs="", base_url="https://atlas.example")
    place_support: ClassVar = SearchSupport(
        max_results=20, filters=frozenset(("near", "country", "units"))
    )

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.places: list[Place] = []
        self.queries: list[PlaceQuery] = []

    async def search_places(self, query: PlaceQuery) -> list[Place]:
        self.queries.append(query)
        return self.places
