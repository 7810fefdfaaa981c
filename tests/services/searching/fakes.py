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
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Keys, ProviderInfo

ALL_FILTERS = frozenset(
    ("time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms")
)
EVERYTHING = Reach(most=20, honours=ALL_FILTERS, sites=10)
NOTHING = Reach(most=20)


class Scripted:
    """Answers with what it was given: a list, an error, or a function of the query."""

    about: ClassVar[ProviderInfo]
    web_reach: ClassVar[Reach] = EVERYTHING

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.script: list[Any] = []
        self.asked: list[WebQuery] = []

    def then(self, *answers: Any) -> "Scripted":
        """Answer with these, one after the other; the last one for ever."""
        self.script += answers
        return self

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        self.asked.append(query)
        answer: Any = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, WebquarryError):
            raise answer
        return cast("list[WebResult]", answer(query) if callable(answer) else answer)


def provider(name: str, *answers: Any, reach: Reach = EVERYTHING) -> Scripted:
    """Return a web provider of this name with these answers."""
    about = ProviderInfo(name=name, docs="", base_url=f"https://{name}.example", requires=())
    made: type[Scripted] = type(name, (Scripted,), {"about": about, "web_reach": reach})
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


class NewsDesk:
    """A news provider that honours nothing."""

    about: ClassVar = ProviderInfo(name="desk", docs="", base_url="https://desk.example")
    news_reach: ClassVar = Reach(most=50)

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.articles: list[NewsResult] = []
        self.asked: list[NewsQuery] = []

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        self.asked.append(query)
        return self.articles


class Gallery:
    """An image provider that honours nothing but SafeSearch."""

    about: ClassVar = ProviderInfo(name="gallery", docs="", base_url="https://gallery.example")
    image_reach: ClassVar = Reach(most=50, honours=frozenset(("safe",)))

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.pictures: list[ImageResult] = []
        self.asked: list[ImageQuery] = []

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        self.asked.append(query)
        return self.pictures


class Atlas:
    """A provider of places."""

    about: ClassVar = ProviderInfo(name="atlas", docs="", base_url="https://atlas.example")
    place_reach: ClassVar = Reach(most=20, honours=frozenset(("near", "country", "units")))

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        del upstreams, keys
        self.places: list[Place] = []
        self.asked: list[PlaceQuery] = []

    async def search_places(self, query: PlaceQuery) -> list[Place]:
        self.asked.append(query)
        return self.places
