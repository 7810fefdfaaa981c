"""Exa, replaying exchanges in `recorded/exa`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.exa import Exa

pytestmark = pytest.mark.anyio
KEYS = {"EXA_API_KEY": "the-key"}


@pytest.mark.recording("exa/web")
async def test_every_filter_is_sent_and_highlights_come_back(upstreams: Upstreams) -> None:
    query = WebQuery(
        text="owls",
        count=3,
        safe="medium",
        country="at",
        time_range="week",
        sites=("example.org",),
    )

    assert await Exa(upstreams, KEYS).search_web(query) == [
        WebResult(
            title="Barn owls",
            url="https://example.org/barn",
            snippet="They hunt. … They hear.",
            published="2024-03-05T00:00:00Z",
        ),
        WebResult(
            title="https://example.net/boxes",
            url="https://example.net/boxes",
            snippet="Boxes for owls.",
        ),
    ]


@pytest.mark.recording("exa/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await Exa(upstreams, KEYS).search_web(WebQuery(text="owls", safe="off")) == []


@pytest.mark.recording("exa/news")
async def test_news_are_a_category(upstreams: Upstreams) -> None:
    query = NewsQuery(text="owls", count=5, time_range="hour")

    assert await Exa(upstreams, KEYS).search_news(query) == [
        NewsResult(
            title="Owl found",
            url="https://news.example.org/1",
            source="news.example.org",
            snippet="An owl.",
        )
    ]


@pytest.mark.recording("exa/works")
async def test_papers_are_a_category_and_addresses_tell_their_identifiers(
    upstreams: Upstreams,
) -> None:
    query = WorkQuery(text="owls", count=3, year_from=2020, year_to=2022, source="arxiv")

    assert await Exa(upstreams, KEYS).search_works(query) == Works(
        items=(
            Work(
                title="Owls hear well",
                url="https://arxiv.org/pdf/2101.00001v2.pdf",
                source="exa",
                authors=("Ada Strix", "Bo Tyto"),
                year=2021,
                published="2021-01-01",
                abstract="Owls hear.",
                pdfUrl="https://arxiv.org/pdf/2101.00001v2.pdf",
                ids={"arxiv": "2101.00001"},
            ),
            Work(
                title="Owls",
                url="https://www.example.org/doi/10.1000/owl.2/pdf",
                source="exa",
                doi="10.1000/owl.2",
            ),
        )
    )


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    asked = {"query": "owls", "type": "auto", "numResults": 10, "contents": {"highlights": True}}
    request = {
        "method": "POST",
        "url": "https://api.exa.ai/search",
        "headers": {"x-api-key": "the-key"},
        "json": asked,
    }

    await assert_fails(
        lambda u: Exa(u, KEYS).search_web(WebQuery(text="owls")), request, FAILURES[case]
    )
