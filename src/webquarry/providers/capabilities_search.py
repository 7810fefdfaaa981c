"""Protocols of search providers, one for each kind of search.

A provider declares with a `SearchSupport` which filters it applies. The router removes all others
from the query and applies them to the results or reports them to the caller; so an adapter sends
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
class SearchSupport:
    """What one kind of search of a provider supports."""

    max_results: int  # of one request
    max_pages: int = 1  # of `max_results` each; 1 = no paging
    filters: frozenset[str] = frozenset()  # fields of the query that it applies
    # the supported values of a filter, where it does not support all
    known_values: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    # values that it can only approximate, e.g. "time_range=hour": the adapter requests the next
    # wider one, and the router checks the dates
    approximated: frozenset[str] = frozenset()
    max_sites: int = 0  # in one request; 0 = not supported, the router filters
    max_words: int = 0  # of a query; as long as it fits, one request names more than `max_sites`
    max_chars: int = 0  # of a query; 0 = as many as a tool accepts
    query_operators: bool = True  # sites and phrases are operators in the text of the query
    general: bool = True  # false for one community or archive: queried only by its name


@runtime_checkable
class SearchesWeb(Protocol):
    """Searches web pages."""

    about: ClassVar[ProviderInfo]
    web_support: ClassVar[SearchSupport]

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        """Return the best pages first, at most `query.count`, with dates in RFC 3339 UTC."""
        ...


@runtime_checkable
class SearchesNews(Protocol):
    """Searches news articles."""

    about: ClassVar[ProviderInfo]
    news_support: ClassVar[SearchSupport]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        """Return articles, at most `query.count`, with dates in RFC 3339 UTC."""
        ...


@runtime_checkable
class SearchesImages(Protocol):
    """Searches images."""

    about: ClassVar[ProviderInfo]
    image_support: ClassVar[SearchSupport]

    async def search_images(self, query: ImageQuery) -> list[ImageResult]:
        """Return images, at most `query.count`."""
        ...


@runtime_checkable
class SearchesPlaces(Protocol):
    """Searches physical places."""

    about: ClassVar[ProviderInfo]
    place_support: ClassVar[SearchSupport]

    async def search_places(self, query: PlaceQuery) -> list[Place]:
        """Return places, at most `query.count`."""
        ...
