"""Searching the web, news, images and places through whichever providers are configured."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.content.text.distance import haversine_distance
from webquarry.errors import SettingsError, UnconfiguredError, WebquarryError
from webquarry.models.caller import Caller
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
from webquarry.net.upstream.breaker import UpstreamHealth
from webquarry.providers.capabilities_patents import SearchesPatents
from webquarry.providers.capabilities_search import SearchesPlaces
from webquarry.providers.capabilities_works import SearchesWorks
from webquarry.services.provider_choice import CapableProviders, ProviderDirectory
from webquarry.services.provider_queries import PROVIDER_TIMEOUT, query_all
from webquarry.services.searching.lenses import Lens, Lenses
from webquarry.services.searching.merge_results import FusedResult, fuse
from webquarry.services.searching.router import ProviderOrder, Router
from webquarry.services.searching.search_sources import (
    IMAGES,
    NEWS,
    WEB,
    ProviderResults,
    image_sources,
    news_sources,
    web_sources,
)
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

_ROUTED_KINDS = ("web", "images", "news", "default")


@dataclass(frozen=True, kw_only=True)
class Preferences:
    """Search settings of the operator."""

    provider: str = ""
    routing: Mapping[str, tuple[str, ...]] | None = None
    retry_threshold: int = 1
    custom_lenses: Path | None = None
    provider_timeout: float = PROVIDER_TIMEOUT


@dataclass(frozen=True, kw_only=True)
class PlaceResults:
    """Places of one provider, the nearest first if the query has a point."""

    items: list[Place]
    provider: str
    unhonoured: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FusedAnswer:
    """Merged results of several providers."""

    items: list[FusedResult]
    responses: list[ProviderResults[WebResult]]
    failures: list[tuple[str, WebquarryError]]


class SearchService:
    """Every kind of search, the lenses and the local index."""

    def __init__(
        self,
        choices: ProviderDirectory,
        preferences: Preferences | None = None,
        *,
        health: Callable[[], Mapping[str, UpstreamHealth]] = dict[str, UpstreamHealth],
        index: PageIndex | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Check the preferences; an invalid one is a `SettingsError`."""
        self._choices = choices
        self._preferences = preferences or Preferences()
        self._check()
        self.index = index
        self.health = health
        self.lenses = Lenses(self._preferences.custom_lenses)
        self.provider_timeout = self._preferences.provider_timeout

        def order(kind: str) -> ProviderOrder:
            lists = self._preferences.routing or {}
            routed = lists.get(kind) or lists.get("default")
            return ProviderOrder(
                routed=routed,
                preferred=self._preferences.provider,
                retry_threshold=self._preferences.retry_threshold,
                health=health,
                now=now,
                timeout=self.provider_timeout,
            )

        self.web: Router[WebQuery, WebResult] = Router(
            WEB, web_sources(choices), choices, order("web")
        )
        self.news: Router[NewsQuery, NewsResult] = Router(
            NEWS, news_sources(choices), choices, order("news")
        )
        self.images: Router[ImageQuery, ImageResult] = Router(
            IMAGES, image_sources(choices), choices, order("images")
        )

    @property
    def is_routed(self) -> bool:
        """Whether SEARCH_ROUTING is in effect."""
        return bool(self._preferences.routing)

    def routed(self, kind: str) -> tuple[str, ...]:
        """Return the providers of SEARCH_ROUTING for one kind of search."""
        lists = self._preferences.routing or {}
        return lists.get(kind) or lists.get("default") or ()

    def routed_names(self) -> list[str]:
        """Return the providers of SEARCH_ROUTING, in their order."""
        lists = self._preferences.routing or {}
        return list(dict.fromkeys(name for names in lists.values() for name in names))

    def provider_names(self) -> list[str]:
        """Return every provider that a search tool can use."""
        routers = (self.web, self.news, self.images)
        return sorted({name for router in routers for name in router.names})

    def narrowed_by_lens(
        self, lens: Lens, query: WebQuery, only: str | None
    ) -> tuple[WebQuery, str | None]:
        """Return the query limited to the lens, and the provider it needs, if any."""
        google, brave = "google" in self.web.names, "brave" in self.web.names
        if lens.cx and only in (None, "google") and google:
            return query.model_copy(update={"engine": lens.cx, "sites": ()}), "google"
        if lens.goggle and only in (None, "brave") and brave:
            narrowed = {"goggle": lens.goggle, "sites": lens.domains}
            return query.model_copy(update=narrowed), "brave"
        if lens.domains:
            return query.model_copy(update={"sites": lens.domains}), only
        needed = "google" if lens.cx else "brave"
        raise UnconfiguredError(
            f"The lens '{lens.name}' works with provider {needed} only, "
            f"which is {'not selected' if needed in self.web.names else 'not configured'}.",
            provider=needed,
        )

    async def fused(self, query: WebQuery, only: str | None = None) -> FusedAnswer:
        """Query the configured providers side by side and merge their results."""
        sources = self.web.candidates(only) if only else self.web.general_sources()
        if not sources:
            sources = self.web.candidates()  # raises: none is configured

        named = {source.name: source for source in sources}
        responses, failures = await query_all(
            named, lambda name: self.web.search_source(named[name], query)
        )
        if not responses:
            raise self.web.failure(failures)
        found = list(responses.values())
        items = fuse(found)[: query.count]
        return FusedAnswer(items=items, responses=found, failures=failures)

    async def places(
        self, query: PlaceQuery, *, radius: float = 0.0, only: str | None = None
    ) -> PlaceResults:
        """Return places, those within `radius` metres of the anchor and nearest first."""
        choice = self._choices.of(SearchesPlaces)
        provider = choice.first(only)
        support = provider.place_support
        anchored = query.latitude is not None and query.longitude is not None
        # more than needed, to select the nearest
        count = min(support.max_results, query.count * 3 if anchored else query.count)
        found = await provider.search_places(query.model_copy(update={"count": count}))
        unhonoured = ("radius",) if radius and not anchored else ()
        if query.latitude is not None and query.longitude is not None:
            found = _nearest(found, query.latitude, query.longitude, radius)
        return PlaceResults(
            items=found[: query.count], provider=provider.about.name, unhonoured=unhonoured
        )

    async def remember(self, pages: list[IndexedPage], caller: Caller) -> None:
        """Add pages that the caller has read to the local index, if it is enabled."""
        if self.index:
            await self.index.add(pages, tenant=caller.tenant, owner=caller.user)

    def _check(self) -> None:
        lists = self._preferences.routing or {}
        routed = [name for kind in _ROUTED_KINDS for name in lists.get(kind, ())]
        for variable, names in (
            ("SEARCH_PROVIDER", [self._preferences.provider] if self._preferences.provider else []),
            ("SEARCH_ROUTING", routed),
        ):
            for name in names:
                offered = [self._choices.of(kind.capability) for kind in (WEB, NEWS, IMAGES)]
                _check_provider(variable, name, offered)
        for kind, capability in (("academic", SearchesWorks), ("patents", SearchesPatents)):
            for name in lists.get(kind, ()):
                _check_provider("SEARCH_ROUTING", name, [self._choices.of(capability)])


def _check_provider(variable: str, name: str, offered: Sequence[CapableProviders[Any]]) -> None:
    if any(name in choice.ready for choice in offered):
        return
    known = {about.name: about for choice in offered for about in choice.known.values()}
    if name in known:
        missing = " and ".join(known[name].requires)
        raise SettingsError(f"{variable} names {name!r}, which needs {missing}; set it as well")
    raise SettingsError(
        f"{variable} names {name!r}, which is no search provider; choose from {', '.join(known)}"
    )


def _nearest(places: list[Place], latitude: float, longitude: float, radius: float) -> list[Place]:
    """Return places by distance; those without coordinates last, or not with a radius."""
    located = [
        (haversine_distance(latitude, longitude, place.lat, place.lon), place)
        for place in places
        if place.lat is not None and place.lon is not None
    ]
    near = sorted((p for p in located if not radius or p[0] <= radius), key=lambda pair: pair[0])
    without_coordinates = [place for place in places if place.lat is None or place.lon is None]
    return [place for _, place in near] + ([] if radius else without_coordinates)
