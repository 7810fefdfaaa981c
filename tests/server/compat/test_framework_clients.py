"""LangChain's and LlamaIndex' tools for other vendors, unmodified, against the complete server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.compat.python_packages import python_with, run_driver
from tests.server.compat.sample_web import PAGES, sample_web, urls_of
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
HERE = Path(__file__).parent
LANGCHAIN_EXA = "langchain-exa==1.1.0"
LLAMA_INDEX = ("llama-index-tools-tavily-research==0.6.0", "llama-index-tools-exa==0.6.0")


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


def test_langchain_exa_retrieves_documents(server: str, web: str, tmp_path: Path) -> None:
    python = python_with(LANGCHAIN_EXA)  # it requires exa-py 1

    made = run_driver(python, HERE / "langchain_exa_driver.py", (server, f"{web}/barn"), tmp_path)

    urls = list(urls_of(web))
    assert made["urls"] == made["found"] == urls[:2]
    assert made["content"].startswith(f"# {PAGES['/barn'].title}")
    assert made["highlights"] > 0
    assert made["similar"] == urls[1:]


def test_llama_index_tools_search_and_read(server: str, web: str, tmp_path: Path) -> None:
    python = python_with(*LLAMA_INDEX)

    made = run_driver(python, HERE / "llama_index_driver.py", (server, f"{web}/barn"), tmp_path)

    urls = list(urls_of(web))
    title = f"# {PAGES['/barn'].title}"
    assert made["tavily"] == made["exa"] == urls[:2]
    assert made["similar"] == urls[1:]
    assert made["extracted"].startswith(title)
    assert made["read"].startswith(title)
