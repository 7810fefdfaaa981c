"""LangChain's and LlamaIndex' tools for other vendors, unmodified, against the complete server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.compat.sample_web import PAGES, sample_web, urls_of
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
EXA_PIN = "langchain-exa requires exa-py 1: install it with --no-deps beside exa-py 2"


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with sample_web() as address:
        yield address


@pytest.fixture(scope="module")
def server(web: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http_server(tmp_path_factory.mktemp("chain"), settings=settings_for(web)) as client:
        yield f"{str(client.base_url).rstrip('/')}/compat"


def test_langchain_tavily_searches_extracts_crawls_and_maps(server: str, web: str) -> None:
    tools: Any = pytest.importorskip("langchain_tavily")
    common = {"tavily_api_key": "any", "api_base_url": f"{server}/tavily"}

    def call(name: str, **arguments: Any) -> Any:
        return getattr(tools, name)(**common).invoke(arguments)

    found = call("TavilySearch", query="owls")
    read = call("TavilyExtract", urls=[f"{web}/barn"])
    crawled = call("TavilyCrawl", url=f"{web}/", limit=2)
    mapped = call("TavilyMap", url=f"{web}/")

    assert [row["url"] for row in found["results"]] == list(urls_of(web))
    assert read["results"][0]["raw_content"].startswith(f"# {PAGES['/barn'].title}")
    assert len(crawled["results"]) == 2
    assert set(urls_of(web)) <= set(mapped["results"])


def test_langchain_exa_retrieves_documents(server: str, web: str) -> None:
    retrievers: Any = pytest.importorskip("langchain_exa", reason=EXA_PIN)
    options = {"exa_api_key": "any", "exa_base_url": f"{server}/exa"}

    documents = retrievers.ExaSearchRetriever(k=2, highlights=True, **options).invoke("owls")
    similar = retrievers.ExaFindSimilarResults(**options).invoke({"url": f"{web}/barn"})

    assert [d.metadata["url"] for d in documents] == list(urls_of(web))[:2]
    assert documents[0].page_content.startswith(f"# {PAGES['/barn'].title}")
    assert documents[0].metadata["highlights"]
    assert [row.url for row in similar.results] == list(urls_of(web))[1:]


def test_llama_index_tools_search_and_read(server: str, web: str) -> None:
    module: Any = pytest.importorskip(
        "llama_index.tools.tavily_research", reason="llama-index-tools-tavily-research is missing"
    )
    spec = module.TavilyToolSpec(api_key="any")
    spec.client.base_url = f"{server}/tavily"

    found = spec.search("owls", max_results=1)
    read = spec.extract([f"{web}/barn"])

    assert found[0].metadata["url"] == f"{web}/barn"
    assert read[0].text.startswith(f"# {PAGES['/barn'].title}")
