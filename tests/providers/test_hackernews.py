"""Hacker News at Algolia, replaying exchanges in `recorded/hackernews`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.hackernews import HackerNews

pytestmark = pytest.mark.anyio


@pytest.mark.recording("hackernews/web")
async def test_stories_come_with_their_points_and_questions_with_their_page(
    upstreams: Upstreams,
) -> None:
    query = WebQuery(text="owls", count=3, time_range="day")

    assert await HackerNews(upstreams, {}).search_web(query) == [
        WebResult(
            title="Owls & sleep",
            url="https://example.org/barn",
            snippet="42 points, 7 comments on Hacker News by ana.",
            published="2024-03-05T08:00:00Z",
        ),
        WebResult(
            title="Ask HN: owls?",
            url="https://news.ycombinator.com/item?id=102",
            snippet="0 points, 0 comments on Hacker News. Do you've owls?",
        ),
    ]


@pytest.mark.recording("hackernews/empty")
@pytest.mark.parametrize("count", [0, 101, 10])
async def test_a_count_outside_their_bounds_becomes_ten(upstreams: Upstreams, count: int) -> None:
    assert await HackerNews(upstreams, {}).search_web(WebQuery(text="owls", count=count)) == []


@pytest.mark.recording("hackernews/news")
async def test_news_can_be_sorted_by_date(upstreams: Upstreams) -> None:
    query = NewsQuery(text="owls", count=5, sort_by="date")

    assert await HackerNews(upstreams, {}).search_news(query) == [
        NewsResult(
            title="Owls & sleep",
            url="https://example.org/barn",
            source="Hacker News",
            publishedAt="2024-03-05T08:00:00Z",
            snippet="42 points, 7 comments on Hacker News by ana.",
        )
    ]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = "https://hn.algolia.com/api/v1/search?query=owls&tags=story&hitsPerPage=10"

    await assert_fails(
        lambda u: HackerNews(u, {}).search_web(WebQuery(text="owls")), {"url": url}, FAILURES[case]
    )
