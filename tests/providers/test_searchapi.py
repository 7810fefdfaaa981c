"""SearchAPI.io, replaying exchanges in `recorded/searchapi`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.errors import ProviderError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.upstreams import Upstreams
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


@pytest.mark.recording("searchapi/patents")
async def test_patents_come_without_markup_and_papers_are_left_out(upstreams: Upstreams) -> None:
    found = await SearchApi(upstreams, KEYS).search_patents(
        PatentQuery(
            text="heat pump",
            office="US",
            assignee="Damco",
            inventor="Lie",
            cpc="F25B",
            filed_from=2015,
            filed_to=2019,
        )
    )

    assert found == [
        Patent(
            title="Heat pump & valve",
            number="US11000001B2",
            url="https://patents.google.com/patent/US11000001B2/en",
            abstract="It pumps …",
            assignee="Damco AS",
            inventor="Kari Lie",
            filed="2018-01-05",
            granted="2023-05-09",
            pdf="https://patentimages.example/a.pdf",
        ),
        Patent(
            title="US20210000002A1",
            number="US20210000002A1",
            url="https://patents.google.com/patent/US20210000002A1/en",
        ),
    ]
