"""`exa-py`, unmodified, against the complete server."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import exa_py
import httpx2
import pytest

from tests.server.compat.client_tables import check_table
from tests.server.compat.sample_web import PAGES, sample_web, urls_of
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

# its methods are typed only in part
SyncClient: Any = exa_py.Exa
AsyncClient: Any = exa_py.AsyncExa
# the client deprecates some of its own methods, and shows the warnings of responses
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*deprecated.*:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with sample_web() as address:
        yield address


@pytest.fixture(scope="module")
def server(web: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http_server(tmp_path_factory.mktemp("exa"), settings=settings_for(web)) as client:
        yield f"{str(client.base_url).rstrip('/')}/compat/exa"


@pytest.fixture
def client(server: str) -> Any:
    return SyncClient("any", base_url=server)


def _read_all(stream: Any) -> None:
    assert list(stream)


async def _read_all_async(stream: Any) -> None:
    assert [chunk async for chunk in stream]


def test_every_method_does_what_the_documentation_says(client: Any, server: str, web: str) -> None:
    page = f"{web}/barn"
    calls: dict[str, Callable[[Any], Any]] = {
        "search": lambda c: c.search("owls"),
        "search_and_contents": lambda c: c.search_and_contents("owls", text=True),
        "get_contents": lambda c: c.get_contents([page]),
        "find_similar": lambda c: c.find_similar(page),
        "find_similar_and_contents": lambda c: c.find_similar_and_contents(page, text=True),
        "answer": lambda c: c.answer("What do barn owls hunt?"),
    }

    def alone(call: Callable[[Any], Any]) -> Callable[[], Any]:
        async def run() -> Any:
            async with AsyncClient("any", api_base=server) as own:
                return await call(own)

        return run

    async def stream(own: Any) -> None:
        await _read_all_async(await own.stream_answer("What do barn owls hunt?"))

    async def stream_search(own: Any) -> None:
        await _read_all_async(await own.stream_search("owls"))

    probes: dict[str, Callable[[], Any]] = {
        f"Exa.{name}": partial(call, client) for name, call in calls.items()
    }
    probes |= {
        "Exa.stream_answer": lambda: _read_all(client.stream_answer("What do barn owls hunt?")),
        "Exa.stream_search": lambda: _read_all(client.stream_search("owls")),
    }
    probes |= {f"AsyncExa.{name}": alone(call) for name, call in calls.items()}
    probes |= {
        "AsyncExa.stream_answer": alone(stream),
        "AsyncExa.stream_search": alone(stream_search),
        "Exa.websets.list": client.websets.list,
        "Exa.monitors.list": client.monitors.list,
    }

    check_table("exa-py", probes, ValueError)


def test_a_search_fills_the_results_of_the_client(client: Any, web: str) -> None:
    found = client.search("owls", num_results=2, contents=False)

    assert [row.url for row in found.results] == list(urls_of(web))[:2]
    first = found.results[0]
    assert (first.id, first.title) == (f"{web}/barn", PAGES["/barn"].title)
    assert first.published_date == "2026-03-01T00:00:00.000Z"
    assert 0 < first.score <= 1
    assert first.text is None
    assert found.cost_dollars.total == 0.0
    assert found.warnings is None


def test_contents_have_text_highlights_summary_subpages_and_extras(client: Any, web: str) -> None:
    found = client.get_contents(
        [f"{web}/barn", f"{web}/nothing"],
        text={"max_characters": 60},
        highlights={"query": "hearing", "num_sentences": 1, "highlights_per_url": 1},
        summary={"query": "chicks in a good year"},
        subpages=1,
        subpage_target="eagle",
        extras={"links": 2, "image_links": 1},
    )

    (page,) = found.results
    assert page.text.startswith(f"# {PAGES['/barn'].title}\n\nBarn owls hunt")
    assert len(page.text) == 60
    assert page.author == "Ada Strix"
    assert "They find them by hearing alone." in page.highlights[0]
    assert "four to six chicks in a good year" in page.summary
    assert [sub["url"] for sub in page.subpages] == [f"{web}/eagle"]
    assert page.extras == {
        "links": [f"{web}/barn", f"{web}/eagle"],
        "image_links": [f"{web}/owl.png"],
    }
    statuses = [(status.id, status.status) for status in found.statuses]
    assert statuses == [(f"{web}/barn", "success"), (f"{web}/nothing", "error")]
    assert found.statuses[1].error.tag == "CRAWL_NOT_FOUND"
    assert found.statuses[1].error.http_status_code == 404


def test_dates_text_and_domains_filter_the_results(client: Any, web: str) -> None:
    def urls(**filters: Any) -> list[str]:
        filters = {"contents": False} | filters
        return [row.url for row in client.search("owls", **filters).results]

    barn, eagle, _ = urls_of(web)
    assert urls(start_published_date="2026-01-01") == [barn]
    assert urls(end_published_date="2025-01-01T00:00:00.000Z") == [eagle]
    assert urls(exclude_domains=["127.0.0.1"]) == []
    assert urls(exclude_text=["pellets"]) == [barn, eagle]
    assert urls(category="news", num_results=1) == [barn]
    assert urls(include_text=["hares"], contents={"text": True}) == [eagle]


def test_similar_pages_are_found_by_title_terms_and_links(client: Any, web: str) -> None:
    found = client.find_similar(f"{web}/barn", num_results=2)
    elsewhere = client.find_similar(f"{web}/barn", exclude_source_domain=True)

    assert [row.url for row in found.results] == list(urls_of(web))[1:]
    assert elsewhere.results == []


def test_an_answer_cites_its_sources_and_can_be_streamed(client: Any, web: str) -> None:
    whole = client.answer("What do barn owls hunt?", text=True)
    stream = client.stream_answer("What do barn owls hunt?")
    chunks = list(stream)

    assert "voles" in whole.answer
    assert f"{web}/barn" in {citation.url for citation in whole.citations}
    assert whole.citations[0].text.startswith("# ")
    assert "".join(chunk.content or "" for chunk in chunks) == whole.answer
    assert len([chunk for chunk in chunks if chunk.content]) > 1
    assert [c.url for c in chunks[-1].citations] == [c.url for c in whole.citations]
    assert stream.cost_dollars.total == 0.0


def test_a_text_output_is_an_answer_with_grounding(client: Any) -> None:
    found = client.search("What do barn owls hunt?", output_schema={"type": "text"})

    assert "voles" in found.output.content
    assert found.output.grounding[0].citations


def test_what_has_no_effect_is_said_where_the_client_shows_it(server: str) -> None:
    body = {"query": "owls", "category": "company", "moderation": True, "contents": {"context": 1}}
    found = httpx2.post(f"{server}/search", json=body).json()

    assert [(warning["code"], warning["path"]) for warning in found["warnings"]] == [
        ("IGNORED_FIELD", "/moderation"),
        ("IGNORED_FIELD", "/category"),
        ("IGNORED_FIELD", "/contents/context"),
    ]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("search", {}, "query: Field required"),
        ("search", {"query": "owls", "numResults": 0}, "numResults: Input should be"),
        ("search", {"query": "owls", "startPublishedDate": "soon"}, "startPublishedDate: must be"),
        ("search", {"query": "owls", "outputSchema": {"type": "object"}}, "outputSchema: only"),
        ("contents", {}, "urls: is required"),
        ("findSimilar", {"url": "no url"}, "url: "),
        ("answer", {"query": ""}, "query: String should have"),
    ],
)
def test_a_wrong_request_has_exas_error(
    server: str, path: str, body: dict[str, Any], message: str
) -> None:
    answer = httpx2.post(f"{server}/{path}", json=body)

    assert answer.status_code == 400
    assert answer.json()["tag"] == "INVALID_REQUEST_BODY"
    assert answer.json()["error"].startswith(message)


def test_the_async_client_gets_the_same(server: str, client: Any) -> None:
    async def search() -> Any:
        async with AsyncClient("any", api_base=server) as own:
            return await own.search("owls")

    urls = [row.url for row in asyncio.run(search()).results]
    assert urls == [row.url for row in client.search("owls").results]
