"""Brave Search, replaying exchanges in `recorded/brave`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
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
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave import Brave

pytestmark = pytest.mark.anyio
KEYS = {"BRAVE_API_KEY": "the-key"}
OWL_CAFE = Place(
    id="loc1=",
    name="Owl Café",
    address="Gasse 1, 8001 Zürich",
    lat=47.37,
    lon=8.54,
    phone="+41 44 000 00 00",
    website="https://owl.example",
    categories=("Cafe",),
    rating=4.5,
    ratingCount=12,
    hours=("Thursday: 06:59-17:00",),
    source="brave",
)
PLAIN = Place(id="loc2=", name="Plain", source="brave")


@pytest.mark.recording("brave/web")
async def test_every_filter_is_sent_and_pages_come_back(upstreams: Upstreams) -> None:
    brave = Brave(upstreams, KEYS | {"BRAVE_EXTRA_SNIPPETS": "true"})
    found = await brave.search_web(
        WebQuery(
            text="owls",
            count=3,
            safe="high",
            language="pt",
            country="br",
            time_range="week",
            sites=("example.org", "example.net"),
            exact_terms="barn owl",
            exclude_terms='zoo "owl cage"',
        )
    )

    assert found == [
        WebResult(
            title="Barn owls & barns",
            url="https://example.org/barn",
            snippet="Barn owls hunt. … They hear well.",
            published="2024-03-05T08:00:00Z",
        ),
        WebResult(
            title="Owl boxes", url="https://example.net/boxes", published="1969-12-30T00:16:40Z"
        ),
    ]


@pytest.mark.recording("brave/empty")
async def test_an_answer_without_a_web_section_is_no_result(upstreams: Upstreams) -> None:
    assert await Brave(upstreams, KEYS).search_web(WebQuery(text="owls")) == []


@pytest.mark.recording("brave/goggle")
async def test_a_goggle_is_sent(upstreams: Upstreams) -> None:
    query = WebQuery(text="owls", goggle="https://example.org/owl.goggle")

    assert await Brave(upstreams, KEYS).search_web(query) == []


@pytest.mark.recording("brave/news")
async def test_news_carry_their_moment(upstreams: Upstreams) -> None:
    query = NewsQuery(text="owls", count=5, language="ja", safe="medium", time_range="hour")

    assert await Brave(upstreams, KEYS).search_news(query) == [
        NewsResult(
            title="Owl found",
            url="https://www.example.org/1",
            source="www.example.org",
            publishedAt="2024-12-31T17:09:03Z",
            snippet="An owl.",
        ),
        NewsResult(
            title="https://example.net/2", url="https://example.net/2", source="example.net"
        ),
    ]


@pytest.mark.recording("brave/images")
async def test_the_link_is_the_picture_and_the_context_its_page(upstreams: Upstreams) -> None:
    query = ImageQuery(text="owl", count=50, safe="medium", language="de", country="de")

    assert await Brave(upstreams, KEYS).search_images(query) == [
        ImageResult(
            title="owl",
            link="https://example.org/owl.jpg",
            thumbnailLink="https://imgs.example/1",
            displayLink="example.org",
            contextLink="https://example.org/page",
            width=640,
            height=480,
        )
    ]


@pytest.mark.recording("brave/places")
async def test_places_take_three_calls_and_only_the_first_says_where(upstreams: Upstreams) -> None:
    query = PlaceQuery(text="coffee", near="Zürich", country="ch", units="metric")

    found = await Brave(upstreams, KEYS).search_places(query)

    assert found == [OWL_CAFE.model_copy(update={"description": "A quiet place."}), PLAIN]


@pytest.mark.recording("brave/places_without_descriptions")
async def test_descriptions_may_fail(upstreams: Upstreams) -> None:
    query = PlaceQuery(text="coffee", near="Bern", latitude=47.37, longitude=8.54)

    assert await Brave(upstreams, KEYS).search_places(query) == [OWL_CAFE, PLAIN]
    assert upstreams.health()["brave"].state == "closed"


@pytest.mark.recording("brave/no_places")
async def test_no_place_takes_one_call_in_any_script(upstreams: Upstreams) -> None:
    query = PlaceQuery(text="coffee", near="東京")

    assert await Brave(upstreams, KEYS).search_places(query) == []


@pytest.mark.parametrize(
    ("latitude", "longitude", "sent"),
    [
        (47.376887, 123.456789, ("47.376887", "123.456789")),
        (-33.5, 0.0, ("-33.5", "0")),
        (0.00004, -179.9999, ("0.00004", "-179.9999")),
    ],
)
async def test_coordinates_are_sent_to_the_metre(
    latitude: float, longitude: float, sent: tuple[str, str]
) -> None:
    request = {
        "url": "https://api.search.brave.com/res/v1/web/search?q=coffee&count=5"
               "&result_filter=locations",
        "headers": {"x-loc-lat": sent[0], "x-loc-long": sent[1]},
    }  # fmt: skip
    replay = Replay(
        [{"origin": "handwritten", "request": request, "status": 200, "body": {"query": {}}}]
    )
    brave = Brave(Upstreams(replay, clock=FakeClock().clock()), KEYS)

    await brave.search_places(PlaceQuery(text="coffee", latitude=latitude, longitude=longitude))

    replay.finish()


@pytest.mark.parametrize("case", FAILURES)
@pytest.mark.parametrize("kind", ["web", "news", "images"])
async def test_failures_are_told_apart(kind: str, case: str) -> None:
    base = f"https://api.search.brave.com/res/v1/{kind}/search?q=owls&count=10"
    more = {"web": "&result_filter=web&text_decorations=false", "news": "&freshness=pw"}

    async def search(upstreams: Upstreams) -> object:
        brave = Brave(upstreams, KEYS)
        if kind == "web":
            return await brave.search_web(WebQuery(text="owls"))
        if kind == "news":
            return await brave.search_news(NewsQuery(text="owls"))
        return await brave.search_images(ImageQuery(text="owls"))

    # the breaker of the descriptions is the other upstream of Brave
    request = {"url": base + more.get(kind, ""), "headers": {"x-subscription-token": "the-key"}}
    await assert_fails(search, request, FAILURES[case])
