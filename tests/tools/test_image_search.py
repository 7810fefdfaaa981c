"""`image_search`: what a client sees."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakeImageProvider
from tests.support import CallHarness, services
from webquarry.models.search import ImageQuery, ImageResult
from webquarry.providers.provider import Provider
from webquarry.tools.image_search import image_search

pytestmark = pytest.mark.anyio
OWL = ImageResult(
    title="An owl",
    link="https://example.org/owl.png",
    thumbnailLink="https://thumbs.example/1",
    displayLink="example.org",
    contextLink="https://example.org/owls",
    width=640,
    height=480,
)
BARN = ImageResult(title="A barn", link="https://example.org/barn.jpg", displayLink="example.org")


def desk(*pictures: ImageResult) -> tuple[CallHarness, FakeImageProvider]:
    gallery = FakeImageProvider()
    gallery.pictures = list(pictures)
    return CallHarness((image_search,), services=services(cast("Provider", gallery))), gallery


async def search(at: CallHarness, **arguments: Any) -> Any:
    return await at.call("image_search", {"query": "owl", **arguments})


async def test_pictures_have_the_documented_shape() -> None:
    at, gallery = desk(OWL, BARN, OWL)

    result = await search(at)

    assert result.structured == {
        "images": [
            {
                "title": "An owl",
                "link": "https://example.org/owl.png",
                "thumbnailLink": "https://thumbs.example/1",
                "displayLink": "example.org",
                "contextLink": "https://example.org/owls",
                "width": 640,
                "height": 480,
            },
            {
                "title": "A barn",
                "link": "https://example.org/barn.jpg",
                "displayLink": "example.org",
            },
        ],
        "query": "owl",
        "resultCount": 2,
        "trust": "untrusted-external-content",
    }
    assert result.meta["maxAgeSeconds"] == 1800
    assert gallery.queries == [ImageQuery(text="owl", count=5, safe="medium")]


async def test_filters_it_ignores_are_named_and_the_file_type_is_checked() -> None:
    at, _ = desk(OWL, BARN)

    result = await search(
        at, size="large", type="photo", color_type="gray", dominant_color="brown", file_type="png",
        country="at", language="de",
    )  # fmt: skip

    assert [image["title"] for image in result.structured["images"]] == ["An owl"]
    assert result.structured["unhonoured"] == [
        "language", "country", "size", "type", "color_type", "dominant_color"
    ]  # fmt: skip


async def test_more_than_the_provider_gives_are_named() -> None:
    at, gallery = desk(OWL)

    result = await search(at, num_results=500)

    assert gallery.queries[0].count == 50
    assert result.structured["unhonoured"] == ["num_results"]
    assert result.meta["requestedNumResults"] == 500


async def test_nothing_found_has_hints() -> None:
    at, _ = desk()

    result = await search(at)

    assert result.structured["hints"] == {
        "reason": "no_match",
        "filtersApplied": [],
        "suggestedActions": [{"action": "rephrase_query"}],
    }
