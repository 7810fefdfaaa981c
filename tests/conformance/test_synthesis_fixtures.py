"""Answer and structured-search adapters against recorded responses of the real APIs."""

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from tests.support import ALICE
from webquarry.models.synthesis import AnswerQuery, StructuredQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave import Brave
from webquarry.providers.exa import Exa
from webquarry.providers.tavily import Tavily

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the recorded answers are not here"),
]
KEYS = {"BRAVE_API_KEY": "k", "TAVILY_API_KEY": "k", "EXA_API_KEY": "k"}
QUERY = AnswerQuery(text="x", asker=ALICE)


@dataclass
class RecordedHttp:
    """Responds to every request with one body."""

    body: bytes

    async def send(self, request: ApiRequest) -> FetchedResponse:
        return FetchedResponse(
            status=200, headers=Headers(), content=self.body, url=request.full_url
        )


def recorded(name: str) -> tuple[Upstreams, Any]:
    body = (FIXTURES / name).read_bytes()
    return Upstreams(RecordedHttp(body), clock=FakeClock().clock()), json.loads(body)


@pytest.mark.parametrize("name", ["exa/search_contents_a.json", "exa/search_contents_c.json"])
async def test_exa_results_become_items(name: str) -> None:
    upstreams, body = recorded(name)
    query = StructuredQuery(text="x", asker=ALICE, count=10)

    found = await Exa(upstreams, KEYS).search_structured(query)

    rows = [
        (r["title"], r["url"], r.get("publishedDate") or None, r.get("author") or None)
        for r in body["results"]
    ]
    assert rows
    assert [(i.title, i.url, i.publishedDate, i.author) for i in found.items] == rows[:10]
    # the request was for text only, so the other fields must stay empty
    assert {(i.summary, i.highlights, i.entities) for i in found.items} == {(None, None, None)}
    assert found.cost == body["costDollars"]["total"]


@pytest.mark.parametrize("name", ["tavily/search_basic.json", "tavily/search_include_domains.json"])
async def test_tavily_results_without_an_answer_return_no_text(name: str) -> None:
    upstreams, body = recorded(name)

    answer = await Tavily(upstreams, KEYS).answer_question(QUERY)

    assert body["answer"] is None
    assert (answer.text, answer.cost) == ("", None)
    assert answer.note == "tavily wrote no answer to this question."
    assert [(c.title, c.url) for c in answer.citations] == [
        (r["title"], r["url"]) for r in body["results"]
    ]


@pytest.mark.parametrize("name", ["brave/web_hello_world.json", "brave/web_recipe.json"])
async def test_brave_results_without_a_summary_key_return_no_text(name: str) -> None:
    upstreams, body = recorded(name)

    answer = await Brave(upstreams, KEYS).answer_question(QUERY)

    assert "summarizer" not in body
    assert answer.text == ""
    assert [(c.title, c.url, c.publishedDate) for c in answer.citations] == [
        (text_of(r["title"]), r["url"], r.get("page_age")) for r in body["web"]["results"]
    ]


def text_of(markup: str) -> str:
    bare = "".join(part.rpartition(">")[2] for part in re.split(r"<(?=[a-z/])", markup))
    return " ".join(html.unescape(bare).split())
