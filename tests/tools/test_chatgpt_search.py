"""`chatgpt_search`: `search` of the contract of ChatGPT's connectors and deep research."""

import json
from typing import cast

import pytest

from tests.services.searching.fakes import pages, provider
from tests.support import CallHarness, services, text_of
from webquarry.models.search import WebResult
from webquarry.providers.provider import Provider
from webquarry.tools.chatgpt_search import chatgpt_search

pytestmark = pytest.mark.anyio


def desk(found: list[WebResult]) -> CallHarness:
    one = cast("Provider", provider("one", found))
    return CallHarness((chatgpt_search,), services=services(one))


async def test_a_search_returns_ids_titles_and_urls_as_one_block_and_as_data() -> None:
    result = await desk(pages(3)).call("chatgpt_search", {"query": "owls"})

    assert result.structured == {
        "results": [{"id": p.url, "title": p.title, "url": p.url} for p in pages(3)]
    }
    assert [block.type for block in result.content] == ["text"]
    assert json.loads(text_of(result)) == result.structured


async def test_a_search_that_finds_nothing_is_an_empty_list() -> None:
    result = await desk([]).call("chatgpt_search", {"query": "owls"})

    assert result.structured == {"results": []}


async def test_a_search_without_a_query_is_refused() -> None:
    result = await desk([]).call("chatgpt_search", {})

    assert result.problem is not None
    assert result.problem.message == "chatgpt_search: query: is required"
