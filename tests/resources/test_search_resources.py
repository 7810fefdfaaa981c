"""`lenses://catalog`, `stats://providers` and `diagnostics://health`."""

import json
from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakeImageProvider, pages, provider
from tests.support import ALICE, override, services
from webquarry.net.upstream.breaker import UpstreamHealth
from webquarry.providers.provider import Provider
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio


async def read(uri: str, over: Services) -> Any:
    reading = await ResourceRegistry(RESOURCES).read(uri, ALICE, over)
    return json.loads(reading.body)


async def test_the_catalogue_lists_every_lens() -> None:
    catalogue = await read("lenses://catalog", services())

    assert len(catalogue["lenses"]) >= 20
    assert {
        "name": "wiki",
        "description": "Encyclopedias and community wikis of the Wikimedia movement.",
        "domainCount": 9,
        "hasCX": False,
    } in catalogue["lenses"]


async def test_providers_are_listed_by_what_they_can_do() -> None:
    over = services(
        cast("Provider", provider("one", pages(1))), cast("Provider", FakeImageProvider())
    )

    assert await read("stats://providers", over) == {
        "providers": [{"name": "one", "type": "web"}, {"name": "gallery", "type": "images"}]
    }


async def test_health_is_empty_without_routing() -> None:
    assert await read("diagnostics://health", services()) == {"status": "healthy", "providers": []}


@pytest.mark.parametrize(
    ("states", "status"),
    [
        (("closed", "closed"), "healthy"),
        (("open", "half_open"), "degraded"),
        (("open", "open"), "unhealthy"),
    ],
)
async def test_health_tells_the_breakers_of_the_routed(
    states: tuple[Any, Any], status: str
) -> None:
    ready = cast("list[Provider]", [provider("one", pages(1)), provider("two", pages(1))])
    choices = ProviderDirectory(ready, ())
    health = {
        name: UpstreamHealth(state, 5, 12.4 if state == "open" else 0.0)
        for name, state in zip(("one", "two"), states, strict=True)
    }
    searching = SearchService(
        choices, Preferences(routing={"default": ("two", "one")}), health=lambda: health
    )
    over = override(services(), searching=searching)

    told = await read("diagnostics://health", over)

    assert told["status"] == status
    assert [entry["name"] for entry in told["providers"]] == ["two", "one"]
    assert told["providers"][1] == {
        "name": "one",
        "state": states[0],
        "failures": 5,
        "retryAfterSeconds": 12 if states[0] == "open" else 0,
    }
