"""Testing an API key with one small search."""

from typing import Any, ClassVar, cast

import pytest

from webquarry.errors import AccessError, NetworkError, WebquarryError
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, Provider, ProviderInfo
from webquarry.services.key_check import check_key

pytestmark = pytest.mark.anyio


def provider_that(failure: WebquarryError | None) -> type[Provider]:
    class Fake:
        about: ClassVar = ProviderInfo(
            name="fake", docs="https://example.org", base_url="", requires=("FAKE_KEY",)
        )

        def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
            del upstreams, keys

        async def search_web(self, query: Any) -> list[Any]:
            del query
            if failure:
                raise failure
            return []

    return cast("type[Provider]", Fake)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (None, ("accepted", "")),
        (AccessError("Wrong key."), ("rejected", "Wrong key.")),
        (NetworkError("No route."), ("unchecked", "No route.")),
    ],
)
async def test_only_a_refusal_of_the_provider_rejects_a_key(
    failure: WebquarryError | None, expected: tuple[str, str]
) -> None:
    upstreams = cast("Upstreams", None)

    assert await check_key(provider_that(failure), upstreams, {"FAKE_KEY": "x"}) == expected


async def test_a_provider_that_needs_more_is_not_asked() -> None:
    upstreams = cast("Upstreams", None)

    assert await check_key(provider_that(None), upstreams, {}) == (
        "unchecked",
        "fake also needs FAKE_KEY.",
    )
