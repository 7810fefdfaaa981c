"""Serper, replaying exchanges in `recorded/serper`."""

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
from webquarry.providers.serper import Serper

pytestmark = pytest.mark.anyio
KEYS = {"SERPER_API_KEY": "the-key"}


@pytest.mark.recording("serper/web")
async def test_every_filter_is_sent_and_pages_come_back(upstreams: Upstreams) -> None:
    found = await Serper(upstreams, KEYS).search_web(
        WebQuery(
            text="owls",
            count=3,
            language="de",
            country="at",
            time_range="month",
            sites=("example.org",),
            exact_terms="barn owl",
            exclude_terms="zoo",
        )
    )

    assert found == [
        WebResult(
            title="Barn owls",
            url="https://example.org/barn",
            snippet="They hunt.",
            published="2024-03-05T00:00:00Z",
        ),
        WebResult(title="Owl boxes", url="https://example.net/boxes"),
    ]


@pytest.mark.recording("serper/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await Serper(upstreams, KEYS).search_web(WebQuery(text="owls")) == []


@pytest.mark.recording("serper/news")
async def test_ages_of_news_become_moments(upstreams: Upstreams) -> None:
    query = NewsQuery(text="owls", count=5, time_range="hour")

    assert await Serper(upstreams, KEYS).search_news(query) == [
        NewsResult(
            title="Owl found",
            url="https://example.org/1",
            source="Example News",
            publishedAt="1969-12-31T22:16:40Z",
            snippet="An owl.",
        )
    ]


@pytest.mark.recording("serper/images")
async def test_pictures_come_with_their_page(upstreams: Upstreams) -> None:
    assert await Serper(upstreams, KEYS).search_images(ImageQuery(text="owl", count=2)) == [
        ImageResult(
            title="An owl",
            link="https://example.org/owl.jpg",
            thumbnailLink="https://thumbs.example/1",
            displayLink="www.example.org",
            contextLink="https://www.example.org/owls",
            width=640,
            height=480,
        )
    ]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {
        "method": "POST",
        "url": "https://google.serper.dev/search",
        "headers": {"x-api-key": "the-key"},
        "json": {"q": "owls", "num": 10},
    }

    await assert_fails(
        lambda u: Serper(u, KEYS).search_web(WebQuery(text="owls")), request, FAILURES[case]
    )
