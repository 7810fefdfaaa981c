"""Searching the web, news, images and places through whichever providers are configured."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.content.text.distance import distance
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
from webquarry.net.upstream.breaker import Health
from webquarry.observe.provider_log import note_ask
from webquarry.providers.capabilities_patents import SearchesPatents
from webquarry.providers.capabilities_search import SearchesPlaces
from webquarry.providers.capabilities_works import SearchesWorks
from webquarry.services.provider_choice import CapableProviders, ProviderDirectory
from webquarry.services.searching.lenses import Lens, Lenses
from webquarry.services.searching.merge_results import Fused, fuse
from webquarry.services.searching.router import ProviderOrder, Router, RoutingTrace
from webquarry.services.searching.search_log_entry import refused
from webquarry.services.searching.search_sources import (
    IMAGES,
    NEWS,
    WEB,
    ProviderResults,
    SearchSource,
    image_sources,
    news_sources,
    web_sources,
)
from webquarry.storage.page_index import IndexedPage, PageIndex

_ROUTED_KINDS = ("web", "images", "news", "default")


@dataclass(frozen=True, kw_only=True)
class Preferences:
    """What the operator chose."""

    provider: str = ""
    routing: Mapping[str, tuple[str, ...]] | None = None
    thin: int = 1
    custom_lenses: Path | None = None


@dataclass(frozen=True, kw_only=True)
class PlaceResults:
    """Places of one provider, nearest first where that can be said."""

    items: list[Place]
    provider: str
    unhonoured: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FusedAnswer:
    """What several providers found, merged."""

    items: list[Fused]
    answers: list[ProviderResults[WebResult]]
    failures: list[tuple[str, WebquarryError]]


class SearchService:
    """Every kind of search, the lenses and the local index."""

    def __init__(
        self,
        choices: ProviderDirectory,
        preferences: Preferences | None = None,
        *,
        health: Callable[[], Mapping[str, Health]] = dict[str, Health],
        index: PageIndex | None = None,
        today: Callable[[], float] = time.time,
    ) -> None:
        """Check the operator's choices; a wrong one is a SettingsError."""
        self._choices = choices
        self._wanted = preferences or Preferences()
        self._check()
        self.index = index
        self.health = health
        self.lenses = Lenses(self._wanted.custom_lenses)

        def order(kind: str) -> ProviderOrder:
            lists = self._wanted.routing or {}
            routed = lists.get(kind) or lists.get("default")
            return ProviderOrder(
                routed=routed,
                preferred=self._wanted.provider,
                thin=self._wanted.thin,
                health=health,
                today=today,
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
        return bool(self._wanted.routing)

    def routed(self, kind: str) -> tuple[str, ...]:
        """Return the order the operator gave for one kind of search, if there is one."""
        lists = self._wanted.routing or {}
        return lists.get(kind) or lists.get("default") or ()

    def routed_names(self) -> list[str]:
        """Return the providers of SEARCH_ROUTING, in their order."""
        lists = self._wanted.routing or {}
        return list(dict.fromkeys(name for names in lists.values() for name in names))

    def provider_names(self) -> list[str]:
        """Return every provider a search tool may be told to use."""
        routers = (self.web, self.news, self.images)
        return sorted({name for router in routers for name in router.names})

    def through(self, lens: Lens, query: WebQuery, only: str | None) -> tuple[WebQuery, str | None]:
        """Return the query as the lens narrows it, and the provider that alone can answer it."""
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
            f"which is {'not asked' if needed in self.web.names else 'not configured'}.",
            provider=needed,
        )

    async def fused(self, query: WebQuery, only: str | None = None) -> FusedAnswer:
        """Ask the configured providers side by side and merge what they find."""
        sources = self.web.candidates(only) if only else self.web.everyone()
        if not sources:
            sources = self.web.candidates()  # raises: nobody is configured

        async def ask(
            source: SearchSource[WebQuery, WebResult],
        ) -> ProviderResults[WebResult] | tuple[str, WebquarryError]:
            try:
                return await self.web.ask(source, query, patience=None)
            except WebquarryError as error:
                note_ask(refused(source.name, query, error))
                return source.name, error

        outcomes = await asyncio.gather(*map(ask, sources))
        answers = [outcome for outcome in outcomes if isinstance(outcome, ProviderResults)]
        failures = [outcome for outcome in outcomes if not isinstance(outcome, ProviderResults)]
        if not answers:
            raise self.web.failure(failures)
        items = fuse(answers)[: query.count]
        return FusedAnswer(items=items, answers=answers, failures=failures)

    async def places(
        self, query: PlaceQuery, *, radius: float = 0.0, only: str | None = None
    ) -> PlaceResults:
        """Return places, those within `radius` metres of the anchor and nearest first."""
        choice = self._choices.of(SearchesPlaces)
        provider = choice.first(only)
        reach = provider.place_reach
        anchored = query.latitude is not None and query.longitude is not None
        # more than asked for, because the nearest are chosen from them
        wanted = min(reach.most, query.count * 3 if anchored else query.count)
        found = await provider.search_places(query.model_copy(update={"count": wanted}))
        unhonoured = ("radius",) if radius and not anchored else ()
        if query.latitude is not None and query.longitude is not None:
            found = _nearest(found, query.latitude, query.longitude, radius)
        return PlaceResults(
            items=found[: query.count], provider=provider.about.name, unhonoured=unhonoured
        )

    async def remember(self, pages: list[IndexedPage], caller: Caller) -> None:
        """Make pages the caller has read searchable for that caller, unless that is off."""
        if self.index:
            await self.index.add(pages, tenant=caller.tenant, owner=caller.user)

    def _check(self) -> None:
        lists = self._wanted.routing or {}
        routed = [name for kind in _ROUTED_KINDS for name in lists.get(kind, ())]
        for variable, names in (
            ("SEARCH_PROVIDER", [self._wanted.provider] if self._wanted.provider else []),
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
    """Return places by distance; those whose place is unknown come last, or not at all."""
    located = [
        (distance(latitude, longitude, place.lat, place.lon), place)
        for place in places
        if place.lat is not None and place.lon is not None
    ]
    near = sorted((p for p in located if not radius or p[0] <= radius), key=lambda pair: pair[0])
    elsewhere = [place for place in places if place.lat is None or place.lon is None]
    return [place for _, place in near] + ([] if radius else elsewhere)


__all__ = ["FusedAnswer", "PlaceResults", "Preferences", "RoutingTrace", "SearchService"]
