"""`news_search`: what a client sees."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakeNewsProvider
from tests.support import CallHarness, services
from webquarry.models.search import NewsQuery, NewsResult
from webquarry.providers.provider import Provider
from webquarry.tools.news_search import news_search

pytestmark = pytest.mark.anyio
NEW = NewsResult(
    title="Owl found",
    url="https://news.example.org/1",
    source="Example News",
    publishedAt="2999-01-02T00:00:00Z",
    snippet="An owl.",
)
OLD = NewsResult(title="Owl lost", url="https://example.org/2", publishedAt="2999-01-01T00:00:00Z")
ANCIENT = NewsResult(
    title="Owl hatched", url="https://example.org/3", publishedAt="1999-01-01T00:00:00Z"
)


def desk(*articles: NewsResult) -> tuple[CallHarness, FakeNewsProvider]:
    news = FakeNewsProvider()
    news.articles = list(articles)
    return CallHarness((news_search,), services=services(cast("Provider", news))), news


async def search(at: CallHarness, **arguments: Any) -> Any:
    return await at.call("news_search", {"query": "owls", **arguments})


async def test_articles_have_the_documented_shape() -> None:
    at, _ = desk(NEW)

    result = await search(at)

    assert result.structured == {
        "articles": [
            {
                "title": "Owl found",
                "url": "https://news.example.org/1",
                "source": "Example News",
                "publishedAt": "2999-01-02T00:00:00Z",
                "snippet": "An owl.",
            }
        ],
        "query": "owls",
        "resultCount": 1,
        "trust": "untrusted-external-content",
    }
    assert result.meta["maxAgeSeconds"] == 900


async def test_what_the_provider_cannot_do_is_done_here() -> None:
    at, news = desk(OLD, NEW, ANCIENT)

    result = await search(at, sort_by="date", news_source="example.org", safe="strict")

    assert [a["title"] for a in result.structured["articles"]] == ["Owl found", "Owl lost"]
    assert result.structured["unhonoured"] == ["safe"]
    assert result.meta["appliedAfterwards"] == ["time_range", "sites", "sort_by"]
    assert news.queries == [NewsQuery(text="owls", count=15, time_range=None)]


async def test_undated_articles_stay_and_the_window_is_named() -> None:
    at, _ = desk(NewsResult(title="When?", url="https://example.org/4"))

    result = await search(at)

    assert result.structured["unhonoured"] == ["time_range"]


async def test_nothing_found_blames_the_window() -> None:
    at, _ = desk(ANCIENT)

    result = await search(at, news_source="example.org")

    assert result.structured["hints"] == {
        "reason": "filters_too_restrictive",
        "filtersApplied": ["time_range", "news_source"],
        "suggestedActions": [
            {"action": "remove_filter", "target": "time_range"},
            {"action": "remove_filter", "target": "news_source"},
            {"action": "rephrase_query"},
        ],
    }


async def test_the_count_is_clamped_to_fifty() -> None:
    at, news = desk(NEW)

    result = await search(at, num_results=99)

    assert news.queries[0].count == 50
    assert result.meta["requestedNumResults"] == 99


async def test_without_a_news_provider_the_keys_are_named() -> None:
    result = await search(CallHarness((news_search,), services=services()))

    assert result.problem.block["kind"] == "config"
