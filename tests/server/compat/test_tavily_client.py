"""`tavily-python`, unmodified, against the complete server."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx2
import pytest
import tavily
import tiktoken

from tests.server.compat.client_tables import check_table
from tests.server.compat.sample_web import PAGES, sample_web, urls_of
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

# its methods are typed only in part
SyncClient: Any = tavily.TavilyClient
AsyncClient: Any = tavily.AsyncTavilyClient
BadRequestError = tavily.BadRequestError
# the client deprecates some of its own methods
pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")


class _Words:
    """Counts words: the tokens of OpenAI's models are on the internet."""

    def encode(self, text: str) -> list[str]:
        return text.split()


def _words(model: str) -> _Words:
    assert model
    return _Words()


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with sample_web() as address:
        yield address


@pytest.fixture(scope="module")
def server(web: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http_server(tmp_path_factory.mktemp("tavily"), settings=settings_for(web)) as client:
        yield f"{str(client.base_url).rstrip('/')}/compat/tavily"


@pytest.fixture
def client(server: str) -> Iterator[Any]:
    with SyncClient("tvly-any", api_base_url=server) as client:
        yield client


def test_every_method_does_what_the_documentation_says(
    client: Any, server: str, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiktoken, "encoding_for_model", _words)
    calls: dict[str, Callable[[Any], Any]] = {
        "search": lambda c: c.search("owls"),
        "extract": lambda c: c.extract([f"{web}/barn"]),
        "crawl": lambda c: c.crawl(f"{web}/", limit=2),
        "map": lambda c: c.map(f"{web}/"),
        "qna_search": lambda c: c.qna_search("What do barn owls hunt?"),
        "get_search_context": lambda c: c.get_search_context("owls"),
        "research": lambda c: c.research("owls"),
        "get_research": lambda c: c.get_research("1"),
        "feedback": lambda c: c.feedback(request_id="1", comment="good"),
    }

    def alone(call: Callable[[Any], Any]) -> Callable[[], Any]:
        async def run() -> Any:
            client = AsyncClient("tvly-any", api_base_url=server)
            try:
                return await call(client)
            finally:
                await client.close()

        return run

    probes: dict[str, Callable[[], Any]] = {
        f"TavilyClient.{name}": partial(call, client) for name, call in calls.items()
    }
    probes |= {f"AsyncTavilyClient.{name}": alone(call) for name, call in calls.items()}

    check_table("tavily-python", probes, BadRequestError)


def test_a_search_has_the_fields_of_tavily(client: Any, web: str) -> None:
    found = client.search("owls", max_results=3)

    assert [row["url"] for row in found["results"]] == list(urls_of(web))
    first = found["results"][0]
    assert first == {
        "url": f"{web}/barn",
        "title": PAGES["/barn"].title,
        "content": "Barn owls hunt voles in rough grassland at night",
        "score": first["score"],
        "raw_content": None,
        "published_date": "Sun, 01 Mar 2026 00:00:00 GMT",
    }
    assert 0 < first["score"] <= 1
    assert found["answer"] is None
    assert found["images"] == []
    assert "warnings" not in found


def test_an_advanced_search_returns_the_best_passages_and_the_page(client: Any, web: str) -> None:
    found = client.search(
        "How do owls find voles by hearing?",
        search_depth="advanced",
        max_results=1,
        chunks_per_source=1,
        include_raw_content="text",
        include_favicon=True,
        include_usage=True,
        auto_parameters=True,
    )

    (row,) = found["results"]
    assert "They find them by hearing alone." in row["content"]
    assert row["raw_content"].startswith(PAGES["/barn"].title)
    assert row["favicon"] == f"{web}/favicon.ico"
    assert found["usage"] == {"credits": 0}
    assert found["auto_parameters"] == {"topic": "general", "search_depth": "advanced"}


def test_dates_are_those_of_the_pages_and_undated_results_are_left_out(
    client: Any, web: str
) -> None:
    recent = client.search("owls", start_date="2026-01-01")
    older = client.search("owls", start_date="2024-01-01", end_date="2024-12-31")

    assert [row["url"] for row in recent["results"]] == [f"{web}/barn"]
    assert [row["url"] for row in older["results"]] == [f"{web}/eagle"]
    assert recent["warnings"] == ["1 results were left out: they state no date."]


def test_domains_are_applied(client: Any) -> None:
    assert client.search("owls", exclude_domains=["127.0.0.1"])["results"] == []
    assert len(client.search("owls", include_domains=["127.0.0.1"])["results"]) == 3


def test_news_images_and_an_answer_are_found(client: Any, web: str) -> None:
    news = client.search("owls", topic="news", max_results=1)
    rich = client.search(
        "What do barn owls hunt?",
        max_results=1,
        include_images=True,
        include_image_descriptions=True,
        include_answer=True,
    )

    assert [row["url"] for row in news["results"]] == [f"{web}/barn"]
    assert rich["images"] == [{"url": f"{web}/owl.png", "description": "An owl"}]
    assert "voles" in rich["answer"]
    assert rich["warnings"] == [
        "answer: Sentences quoted from the sources; no language model is configured."
    ]


def test_what_has_no_effect_is_said(client: Any) -> None:
    found = client.search("owls", country="germany", some_new_option=True)

    assert found["warnings"] == [
        "some_new_option: is unknown: it had no effect.",
        "country: has no effect on this server.",
    ]


def test_pages_are_extracted_and_failures_have_reasons(client: Any, web: str) -> None:
    found = client.extract([f"{web}/barn", f"{web}/nothing"], include_images=True, format="text")

    (row,) = found["results"]
    assert row["raw_content"].startswith(f"{PAGES['/barn'].title}\nBarn owls hunt voles")
    assert row["images"] == [f"{web}/owl.png"]
    (failure,) = found["failed_results"]
    assert failure["url"] == f"{web}/nothing"
    assert "404" in failure["error"]


def test_a_query_chooses_the_passages_of_an_extract(client: Any, web: str) -> None:
    found = client.extract(f"{web}/eagle", query="how far does the call carry")

    assert found["results"][0]["raw_content"].startswith("Eagle owls take hares")


def test_a_crawl_returns_the_pages_that_the_patterns_choose(client: Any, web: str) -> None:
    found = client.crawl(f"{web}/", select_paths=["/(barn|eagle)$"], exclude_paths=["/eagle"])

    assert found["base_url"] == f"{web}/"
    assert {row["url"] for row in found["results"]} == {f"{web}/", f"{web}/barn"}
    assert all(row["raw_content"] for row in found["results"])


def test_a_map_lists_the_urls_that_fit(client: Any, web: str) -> None:
    whole = client.map(f"{web}/")
    chosen = client.map(f"{web}/", select_paths=["^/barn"], instructions="barn")

    assert set(urls_of(web)) <= set(whole["results"])
    assert chosen["results"] == [f"{web}/barn"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "query: Field required"),
        ({"query": "owls", "topic": "sports"}, "topic: Input should be"),
        ({"query": "owls", "max_results": 99}, "max_results: Input should be"),
        ([], "The body must be one JSON object."),
    ],
)
def test_a_wrong_request_has_tavilys_error(server: str, body: Any, message: str) -> None:
    answer = httpx2.post(f"{server}/search", json=body)

    assert answer.status_code == 400
    assert answer.json()["detail"]["error"].startswith(message)


def test_the_client_raises_its_own_error_with_the_sentence(client: Any) -> None:
    with pytest.raises(BadRequestError, match="max_results: Input should be"):
        client.search("owls", max_results=99)


def test_the_async_client_gets_the_same(server: str, client: Any) -> None:
    async def search() -> Any:
        own = AsyncClient("tvly-any", api_base_url=server)
        try:
            return await own.search("owls")
        finally:
            await own.close()

    assert asyncio.run(search())["results"] == client.search("owls")["results"]
