"""SearXNG, replaying exchanges; each file in `recorded/searxng` states its origin."""

import pytest

from tests.replay import Replay
from webquarry.errors import ProviderError, RateLimitError
from webquarry.models.search import (
    ImageQuery,
    ImageResult,
    NewsQuery,
    NewsResult,
    WebQuery,
    WebResult,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.all_providers import build_providers
from webquarry.providers.capabilities_search import SearchesImages, SearchesNews, SearchesWeb
from webquarry.providers.searxng import Searxng

pytestmark = pytest.mark.anyio
KEYS = {"SEARXNG_URL": "https://searx.example"}
OWLS = WebQuery(text="owls", count=1)


@pytest.mark.recording("searxng/web")
async def test_every_filter_is_sent_and_results_become_pages(upstreams: Upstreams) -> None:
    keys = KEYS | {"SEARXNG_BASIC_AUTH": "me:secret", "SEARXNG_HEADERS": "X-Token: t"}
    query = WebQuery(
        text="owls",
        count=2,
        safe="high",
        language="en",
        time_range="hour",
        sites=("en.wikipedia.org", "owls.example"),
        exact_terms="snowy owl",
        exclude_terms="harry",
    )

    assert await Searxng(upstreams, keys).search_web(query) == [
        WebResult(
            title="Owl - Wikipedia",
            url="https://en.wikipedia.org/wiki/Owl",
            snippet="Owls are birds.",
        ),
        WebResult(
            title="Owls of the world",
            url="https://owls.example/world",
            published="2024-05-17T08:30:00Z",
        ),
    ]


@pytest.mark.recording("searxng/empty")
async def test_no_results_are_an_answer(upstreams: Upstreams) -> None:
    assert await Searxng(upstreams, KEYS).search_web(OWLS) == []


@pytest.mark.recording("searxng/news")
async def test_news_name_their_source(upstreams: Upstreams) -> None:
    assert await Searxng(upstreams, KEYS).search_news(NewsQuery(text="owls", count=2)) == [
        NewsResult(
            title="Owl seen",
            url="https://news.example/owl",
            source="The Example",
            publishedAt="2026-11-10T06:00:00Z",
            snippet="In town.",
        ),
        NewsResult(
            title="Owl heard",
            url="https://www.paper.example/owl",
            source="www.paper.example",
            snippet="At night.",
        ),
    ]


@pytest.mark.recording("searxng/images")
async def test_pictures_link_to_themselves_and_to_their_page(upstreams: Upstreams) -> None:
    query = ImageQuery(text="owls", count=2, safe="off")

    assert await Searxng(upstreams, KEYS).search_images(query) == [
        ImageResult(
            title="An owl",
            link="https://img.example/owl.png",
            thumbnailLink="https://img.example/s.png",
            displayLink="page.example",
            contextLink="https://page.example/owl",
            width=800,
            height=600,
            fileSize="20 KB",
        )
    ]


@pytest.mark.recording("searxng/json_off")
async def test_without_json_the_page_is_read(upstreams: Upstreams) -> None:
    assert await Searxng(upstreams, KEYS).search_web(OWLS) == [
        WebResult(
            title="Async Rust",
            url="https://doc.example.org/async",
            snippet="Learn async & await.",
            published="2024-05-17T08:30:00Z",
        )
    ]


@pytest.mark.recording("searxng/rate_limited")
async def test_rate_limit_says_when_to_retry(upstreams: Upstreams) -> None:
    with pytest.raises(RateLimitError) as caught:
        await Searxng(upstreams, KEYS).search_web(OWLS)

    assert (caught.value.provider, caught.value.retry_after) == ("searxng", 17)


async def _reason(upstreams: Upstreams) -> str:
    with pytest.raises(ProviderError) as caught:
        await Searxng(upstreams, KEYS).search_web(OWLS)
    assert caught.value.provider == "searxng"
    return caught.value.details["reasons"]["https://searx.example"]


@pytest.mark.recording("searxng/unauthorized")
async def test_refused_credentials_are_told_without_them(upstreams: Upstreams) -> None:
    assert await _reason(upstreams) == "Access refused (https://searx.example): HTTP 401."


@pytest.mark.recording("searxng/unavailable")
async def test_a_server_error_is_told(upstreams: Upstreams) -> None:
    assert (await _reason(upstreams)).startswith("Unavailable (https://searx.example): HTTP 502")


@pytest.mark.recording("searxng/wrong_shape")
async def test_a_wrong_shape_is_told(upstreams: Upstreams) -> None:
    assert "results: Field required" in await _reason(upstreams)


@pytest.mark.recording("searxng/html_instead")
async def test_a_page_that_is_no_result_page_is_told(upstreams: Upstreams) -> None:
    assert "has no list of results" in await _reason(upstreams)


@pytest.mark.recording("searxng/timed_out")
async def test_no_answer_is_told(upstreams: Upstreams) -> None:
    assert await _reason(upstreams) == "timed out"


@pytest.mark.recording("searxng/empty")
async def test_what_it_searches_and_honours_is_declared(upstreams: Upstreams) -> None:
    provider = Searxng(upstreams, KEYS)

    assert isinstance(provider, SearchesWeb)
    assert isinstance(provider, SearchesNews)
    assert isinstance(provider, SearchesImages)
    assert provider.web_support.approximated == {"time_range=hour"}
    assert "time_range" in provider.web_support.filters
    assert "country" not in provider.web_support.filters
    await provider.search_web(OWLS)


@pytest.mark.parametrize("keys", [KEYS, {"SEARXNG_CATALOGUE": "instances.json"}])
def test_it_is_ready_when_instances_are_named(keys: dict[str, str]) -> None:
    assert len(build_providers(Upstreams(Replay([])), keys, [Searxng])) == 1


@pytest.mark.parametrize("keys", [{}, {"SEARXNG_CATALOGUE": "off"}])
def test_it_is_missing_its_address_otherwise(keys: dict[str, str]) -> None:
    assert build_providers(Upstreams(Replay([])), keys, [Searxng]) == []
    assert Searxng.about.missing_variables(keys) == ("SEARXNG_URL",)


def test_it_has_no_base_url_besides_its_own_variable() -> None:
    names = [variable.name for variable in Searxng.about.all_variables()]

    assert names == ["SEARXNG_URL", "SEARXNG_BASIC_AUTH", "SEARXNG_HEADERS", "SEARXNG_CATALOGUE"]
