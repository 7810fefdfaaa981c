"""Fused search, places and the local index."""

from pathlib import Path
from typing import Any, cast

import pytest

from tests.services.searching.fakes import NOTHING, FakePlaceProvider, broken, page, pages, provider
from tests.support import ALICE
from webquarry.errors import AccessError, ProviderError, UnconfiguredError
from webquarry.models.search import Place, PlaceQuery, WebQuery
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Provider
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import SearchService
from webquarry.storage.indexed_page import IndexedPage, IndexQuery
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio
OWLS = WebQuery(text="owls", count=3, safe="high")


def searching(*providers: Any, **more: Any) -> SearchService:
    ready = cast("list[Provider]", list(providers))
    return SearchService(ProviderDirectory(ready, [type(p) for p in ready]), **more)


async def test_fusion_asks_everyone_and_says_who_answered() -> None:
    club = provider("club", pages(9), support=SearchSupport(max_results=10, general=False))
    service = searching(
        provider("one", [page(1), page(2)]),
        provider("two", [page(2), page(3)], support=NOTHING),
        provider("three", broken("three", AccessError)),
        club,
    )

    answer = await service.fused(OWLS)

    assert [(f.result.title, f.providers) for f in answer.items] == [
        ("Page 2", ["one", "two"]),
        ("Page 1", ["one"]),
        ("Page 3", ["two"]),
    ]
    assert [(a.provider, a.unhonoured) for a in answer.responses] == [
        ("one", ()),
        ("two", ("safe",)),
    ]
    assert [name for name, _ in answer.failures] == ["three"]
    assert club.queries == []


async def test_fusion_fails_only_when_everyone_does() -> None:
    service = searching(provider("one", broken("one")), provider("two", broken("two")))

    with pytest.raises(ProviderError, match="No provider could search the web"):
        await service.fused(OWLS)
    with pytest.raises(UnconfiguredError):
        await searching().fused(OWLS)


def place(name: str, lat: float | None = None, lon: float | None = None) -> Place:
    return Place(id=name, name=name, lat=lat, lon=lon, source="atlas")


async def test_places_are_ranked_by_distance_from_the_point() -> None:
    atlas = FakePlaceProvider()
    far, near, lost = place("far", 47.5, 8.5), place("near", 47.371, 8.541), place("lost")
    atlas.places = [far, lost, near]
    service = searching(atlas)
    here = PlaceQuery(text="coffee", latitude=47.37, longitude=8.54)

    assert (await service.places(here)).items == [near, far, lost]
    assert (await service.places(here, radius=5000)).items == [near]
    assert atlas.queries[0].count == 15  # the nearest are chosen from more


async def test_without_a_point_the_order_stays_and_a_radius_is_named() -> None:
    atlas = FakePlaceProvider()
    atlas.places = [place("far", 47.5, 8.5), place("near", 47.371, 8.541)]

    found = await searching(atlas).places(PlaceQuery(text="coffee", count=1), radius=10)

    assert (found.items, found.unhonoured) == ([place("far", 47.5, 8.5)], ("radius",))


async def test_read_pages_become_searchable_unless_that_is_off(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")
    pages_read = [IndexedPage(url="https://example.org/1", title="Owls", text="Owls hunt.")]

    await searching(index=index).remember(pages_read, ALICE)
    await searching().remember(pages_read, ALICE)

    found = await index.search(IndexQuery(words="hunt"), tenant=ALICE.tenant, owner=ALICE.user)
    assert [match.page.url for match in found] == ["https://example.org/1"]
    await index.close()
