"""Tavily, replaying exchanges in `recorded/tavily`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.tavily import Tavily

pytestmark = pytest.mark.anyio
KEYS = {"TAVILY_API_KEY": "the-key"}


@pytest.mark.recording("tavily/web")
async def test_sites_and_time_are_sent_and_passages_come_back(upstreams: Upstreams) -> None:
    query = WebQuery(text="owls", count=3, time_range="hour", sites=("example.org", "example.net"))

    assert await Tavily(upstreams, KEYS).search_web(query) == [
        WebResult(title="Barn owls", url="https://example.org/barn", snippet="They hunt."),
        WebResult(title="https://example.net/boxes", url="https://example.net/boxes"),
    ]


@pytest.mark.recording("tavily/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await Tavily(upstreams, KEYS).search_web(WebQuery(text="owls")) == []


@pytest.mark.recording("tavily/news")
async def test_news_carry_their_moment(upstreams: Upstreams) -> None:
    assert await Tavily(upstreams, KEYS).search_news(NewsQuery(text="owls", count=5)) == [
        NewsResult(
            title="Owl found",
            url="https://www.example.org/1",
            source="www.example.org",
            publishedAt="2024-03-05T08:00:00Z",
            snippet="An owl.",
        )
    ]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {
        "method": "POST",
        "url": "https://api.tavily.com/search",
        "headers": {"authorization": "Bearer the-key"},
        "json": {"query": "owls", "topic": "general", "search_depth": "basic", "max_results": 10},
    }

    await assert_fails(
        lambda u: Tavily(u, KEYS).search_web(WebQuery(text="owls")), request, FAILURES[case]
    )
