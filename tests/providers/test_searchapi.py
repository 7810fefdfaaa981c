"""SearchAPI.io, replaying exchanges in `recorded/searchapi`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.errors import ProviderError
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    WebQuery,
    WebResult,
)
from webquarry.net.upstreams import Upstreams
from webquarry.providers.searchapi import SearchApi

pytestmark = pytest.mark.anyio
KEYS = {"SEARCHAPI_API_KEY": "the-key"}


@pytest.mark.recording("searchapi/web")
async def test_every_filter_is_sent_and_pages_come_back(upstreams: Upstreams) -> None:
    found = await SearchApi(upstreams, KEYS).search_web(
        WebQuery(
            text="owls",
            count=3,
            safe="medium",
            language="de",
            country="at",
            time_range="month",
            sites=("example.org",),
            exclude_terms="zoo",
        )
    )

    assert found == [
        WebResult(
            title="Barn owls",
            url="https://example.org/barn",
            snippet="They hunt.",
            published="1969-12-31T00:16:40Z",
        ),
        WebResult(title="Owl boxes", url="https://example.net/boxes"),
    ]


@pytest.mark.recording("searchapi/empty")
async def test_their_error_for_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await SearchApi(upstreams, KEYS).search_web(WebQuery(text="owls")) == []


@pytest.mark.recording("searchapi/refused_inside")
async def test_another_error_inside_an_answer_is_one(upstreams: Upstreams) -> None:
    with pytest.raises(ProviderError) as caught:
        await SearchApi(upstreams, KEYS).search_web(WebQuery(text="owls"))

    assert str(caught.value) == (
        "Request refused (searchapi): Unsupported `gl` parameter. Try a different provider."
    )


@pytest.mark.recording("searchapi/news")
async def test_news_prefer_the_exact_moment(upstreams: Upstreams) -> None:
    query = NewsQuery(
        text="owls", count=5, time_range="hour", sort_by="date", safe="off", sites=("example.org",)
    )

    assert await SearchApi(upstreams, KEYS).search_news(query) == [
        NewsResult(
            title="Owl found",
            url="https://example.org/1",
            source="Example News",
            publishedAt="2024-03-05T08:00:00Z",
            snippet="An owl.",
        )
    ]


@pytest.mark.recording("searchapi/images")
async def test_image_filters_are_sent_and_inlined_thumbnails_left_out(upstreams: Upstreams) -> None:
    query = ImageQuery(
        text="owl",
        safe="high",
        size="large",
        type="photo",
        color_type="mono",
        dominant_color="brown",
        file_type="png",
    )

    assert await SearchApi(upstreams, KEYS).search_images(query) == [
        ImageResult(
            title="An owl",
            link="https://example.org/owl.png",
            displayLink="example.org",
            contextLink="https://example.org/owls",
            width=640,
            height=480,
            fileSize="12KB",
        )
    ]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {
        "url": "https://www.searchapi.io/api/v1/search?engine=google&q=owls&num=10",
        "headers": {"authorization": "Bearer the-key"},
    }

    await assert_fails(
        lambda u: SearchApi(u, KEYS).search_web(WebQuery(text="owls")), request, FAILURES[case]
    )
