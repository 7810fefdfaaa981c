"""Google Programmable Search, replaying exchanges in `recorded/google`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.google import Google

pytestmark = pytest.mark.anyio
KEYS = {"GOOGLE_CUSTOM_SEARCH_API_KEY": "the-key", "GOOGLE_CUSTOM_SEARCH_ID": "the-engine"}


@pytest.mark.recording("google/web")
async def test_every_filter_is_sent_and_pages_come_back(upstreams: Upstreams) -> None:
    found = await Google(upstreams, KEYS).search_web(
        WebQuery(
            text="owls",
            count=3,
            safe="high",
            language="de",
            country="at",
            time_range="month",
            sites=("example.org", "example.net"),
            exact_terms="barn owl",
            exclude_terms="zoo cage",
        )
    )

    assert found == [
        WebResult(
            title="Barn owls",
            url="https://example.org/barn",
            snippet="Barn owls hunt at night & dusk.",
            published="2024-03-05T07:00:00Z",
        ),
        WebResult(title="Owl boxes", url="https://example.net/boxes"),
    ]


@pytest.mark.recording("google/engine")
async def test_an_engine_of_ones_own_is_asked_and_may_find_nothing(upstreams: Upstreams) -> None:
    query = WebQuery(text="owls", engine="another-engine")

    assert await Google(upstreams, KEYS).search_web(query) == []


@pytest.mark.recording("google/news")
async def test_news_are_restricted_and_sorted(upstreams: Upstreams) -> None:
    query = NewsQuery(
        text="owls",
        count=5,
        language="zh",
        time_range="hour",
        sort_by="date",
        sites=("example.org",),
    )

    assert await Google(upstreams, KEYS).search_news(query) == [
        NewsResult(
            title="Owl found",
            url="https://news.example.org/1",
            source="news.example.org",
            publishedAt="2024-03-05T08:00:00Z",
            snippet="An owl was found.",
        )
    ]


@pytest.mark.recording("google/images")
async def test_image_filters_are_sent_and_the_page_is_named(upstreams: Upstreams) -> None:
    query = ImageQuery(
        text="owl",
        count=2,
        safe="off",
        size="large",
        type="photo",
        color_type="gray",
        dominant_color="brown",
        file_type="png",
    )

    assert await Google(upstreams, KEYS).search_images(query) == [
        ImageResult(
            title="An owl",
            link="https://example.org/owl.png",
            thumbnailLink="https://thumbs.example/1",
            displayLink="example.org",
            contextLink="https://example.org/owls",
            width=640,
            height=480,
        )
    ]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = "https://www.googleapis.com/customsearch/v1?key=the-key&cx=the-engine&q=owls&num=10"

    await assert_fails(
        lambda u: Google(u, KEYS).search_web(WebQuery(text="owls")), {"url": url}, FAILURES[case]
    )
