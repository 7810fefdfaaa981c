"""`local_search`: what a client sees, if there is a provider for it."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakePlaceProvider
from tests.support import CallHarness, services
from webquarry.calls.registry import choose
from webquarry.models.search import Place, PlaceQuery
from webquarry.providers.provider import Provider
from webquarry.tools.local_search import local_search

pytestmark = pytest.mark.anyio
CAFE = Place(
    id="1", name="Owl Café", address="Gasse 1", lat=47.37, lon=8.54, phone="+41", rating=4.5,
    website="https://owl.example", categories=("Cafe",), ratingCount=12,
    hours=("Thursday: 06:59-17:00",), description="Quiet.", source="atlas",
)  # fmt: skip


def desk(*places: Place) -> tuple[CallHarness, FakePlaceProvider]:
    atlas = FakePlaceProvider()
    atlas.places = list(places)
    return CallHarness((local_search,), services=services(cast("Provider", atlas))), atlas


async def search(at: CallHarness, **arguments: Any) -> Any:
    return await at.call("local_search", {"query": "coffee", **arguments})


async def test_places_have_the_documented_shape() -> None:
    at, atlas = desk(CAFE)

    result = await search(at, near="Zürich", country="CH", units="metric")

    assert result.structured == {
        "places": [
            {
                "id": "1",
                "name": "Owl Café",
                "address": "Gasse 1",
                "lat": 47.37,
                "lon": 8.54,
                "phone": "+41",
                "website": "https://owl.example",
                "categories": ["Cafe"],
                "rating": 4.5,
                "ratingCount": 12,
                "hours": ["Thursday: 06:59-17:00"],
                "description": "Quiet.",
                "source": "atlas",
            }
        ],
        "query": "coffee",
        "resultCount": 1,
        "provider": "atlas",
        "trust": "untrusted-external-content",
    }
    assert result.meta["maxAgeSeconds"] == 21_600
    assert atlas.queries == [
        PlaceQuery(text="coffee", count=5, near="Zürich", country="ch", units="metric")
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"latitude": 47.0}, "latitude and longitude must be given together"),
        ({"latitude": 91, "longitude": 0}, "latitude"),
        ({"latitude": 0, "longitude": -181}, "longitude"),
        ({"radius": -1}, "radius"),
    ],
)
async def test_a_point_is_checked_before_anyone_is_asked(
    arguments: dict[str, Any], complaint: str
) -> None:
    at, atlas = desk(CAFE)

    result = await search(at, **arguments)

    assert result.problem.block["kind"] == "validation"
    assert complaint in result.problem.message
    assert atlas.queries == []


async def test_a_radius_without_a_point_is_named() -> None:
    at, _ = desk(CAFE)

    assert (await search(at, radius=100)).structured["unhonoured"] == ["radius"]


async def test_places_out_of_reach_leave_hints() -> None:
    at, _ = desk(CAFE)

    result = await search(at, latitude=0, longitude=0, radius=100)

    assert result.structured["hints"]["filtersApplied"] == ["radius"]
    again = await search(at, latitude=0, longitude=0, radius=100)
    assert again.meta["cached"] is False  # nothing is not kept


async def test_an_unknown_provider_is_an_error() -> None:
    at, _ = desk(CAFE)

    assert (await search(at, provider="yelp")).problem.block["kind"] == "config"


def test_it_is_offered_only_with_a_provider() -> None:
    at, _ = desk(CAFE)

    assert [t.name for t in choose((local_search,), ("web",), at.services).tools()] == [
        "local_search"
    ]
    assert choose((local_search,), ("web",), services()).tools() == []
