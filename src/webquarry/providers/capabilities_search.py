"""What a provider that searches can be asked: one protocol per kind of search.

A provider declares with a `Reach` which filters it applies itself. The router takes everything
else out of the query, applies it to the results or names it to the caller; so an adapter sends
every filter that is set.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

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
from webquarry.providers.provider import ProviderInfo


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What one kind of search of a provider can do."""

    most: int  # results of one request
    pages: int = 1  # of that many results each; 1 = it cannot turn pages
    honours: frozenset[str] = frozenset()  # fields of the query it applies by itself
    # the only values of a filter it knows, where it does not know all of them
    values: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    # values it can only approximate, e.g. "time_range=hour": it is asked for the next wider one
    # and the router looks at the dates
    roughly: frozenset[str] = frozenset()
    sites: int = 0  # sites that fit into one request; 0 = it cannot be told, the router filters
    chars: int = 0  # characters a query may have; 0 = as many as ours
    operators: bool = True  # sites and phrases are part of the query's text (content/operators)
    general: bool = True  # false for one community or archive: asked only when it is named

    def applies(self, name: str, value: object) -> bool:
        """Whether the provider itself sees to this filter."""
        return self.takes(name, value) and f"{name}={value}" not in self.roughly

    def takes(self, name: str, value: object) -> bool:
        """Whether the provider may be told this filter, if only to approximate it."""
        return name in self.honours and (name not in self.values or value in self.values[name])


@runtime_checkable
class SearchesWeb(Protocol):
    """Finds pages."""

    about: ClassVar[ProviderInfo]
    web_reach: ClassVar[Reach]

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        """Return the best pages first, at most `query.count`, with dates in RFC 3339 UTC."""
        ...


@runtime_checkable
class SearchesNews(Protocol):
    """Finds articles."""

    about: ClassVar[ProviderInfo]
    news_reach: ClassVar[Reach]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        """Return articles, at most `query.count`, with dates in RFC 3339 UTC."""
        ...


@runtime_checkable
class SearchesImages(Protocol):
    """Finds pictures."""

    about: ClassVar[ProviderInfo]
    image_reach: ClassVar[Reach]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        """Return pictures, at most `query.count`."""
        ...


@runtime_checkable
class SearchesPlaces(Protocol):
    """Finds physical places."""

    about: ClassVar[ProviderInfo]
    place_reach: ClassVar[Reach]

    async def search_places(self, query: PlaceQuery) -> list[Place]:
        """Return places, at most `query.count`."""
        ...
