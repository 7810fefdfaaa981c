"""Search kinds (web, news, images), their sources and results."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from webquarry.content.text.timestamps import unix_time
from webquarry.models.search import ImageResult, NewsResult, Query, WebResult
from webquarry.models.session import ProviderCall
from webquarry.providers.capabilities_search import (
    SearchesImages,
    SearchesNews,
    SearchesWeb,
    SearchSupport,
)
from webquarry.services.provider_choice import ProviderDirectory

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")


@dataclass(frozen=True)
class SearchSource(Generic[Q, R]):
    """One provider that can be queried."""

    name: str
    support: SearchSupport
    search: Callable[[Q], Awaitable[list[R]]]


@dataclass(frozen=True)
class ResultFacts:
    """The facts of a result that filters check."""

    url: str
    text: str
    published: float | None  # unix seconds


@dataclass(frozen=True)
class SearchKind(Generic[R]):
    """One kind of search."""

    name: str  # in SEARCH_ROUTING
    noun: str
    capability: type[Any]
    facts_of: Callable[[R], ResultFacts]
    url_of: Callable[[R], str]


def _web_facts(result: WebResult) -> ResultFacts:
    moment = unix_time(result.published) if result.published else None
    return ResultFacts(result.url, f"{result.title}\n{result.snippet}", moment)


def _news_facts(result: NewsResult) -> ResultFacts:
    moment = unix_time(result.publishedAt) if result.publishedAt else None
    return ResultFacts(result.url, f"{result.title}\n{result.snippet}", moment)


def _image_facts(result: ImageResult) -> ResultFacts:
    return ResultFacts(result.link, result.title, None)


WEB = SearchKind("web", "the web", SearchesWeb, _web_facts, lambda result: result.url)
NEWS = SearchKind("news", "news", SearchesNews, _news_facts, lambda result: result.url)
IMAGES = SearchKind("images", "images", SearchesImages, _image_facts, lambda result: result.link)


def web_sources(choices: ProviderDirectory) -> dict[str, SearchSource[Any, WebResult]]:
    """Return the providers that search the web, by name."""
    ready = choices.of(SearchesWeb).ready
    return {
        name: SearchSource(name, found.web_support, found.search_web)
        for name, found in ready.items()
    }


def news_sources(choices: ProviderDirectory) -> dict[str, SearchSource[Any, NewsResult]]:
    """Return the providers that search news, by name."""
    ready = choices.of(SearchesNews).ready
    return {
        name: SearchSource(name, found.news_support, found.search_news)
        for name, found in ready.items()
    }


def image_sources(choices: ProviderDirectory) -> dict[str, SearchSource[Any, ImageResult]]:
    """Return the providers that search images, by name."""
    ready = choices.of(SearchesImages).ready
    return {
        name: SearchSource(name, found.image_support, found.search_images)
        for name, found in ready.items()
    }


@dataclass(frozen=True, kw_only=True)
class ProviderResults(Generic[R]):
    """The results of one provider, and the filters that were not applied."""

    items: list[R]
    provider: str
    unhonoured: tuple[str, ...] = ()
    applied_locally: tuple[str, ...] = ()  # filters applied to its results
    incomplete: Mapping[str, int] = field(default_factory=dict[str, int])  # of several requests
    provider_calls: tuple[ProviderCall, ...] = ()  # for the search log
    requests: int = 1  # sent to the provider; a long list of sites takes several
