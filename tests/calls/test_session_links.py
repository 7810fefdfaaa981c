"""What tools find is recorded in the session the caller names, fresh or cached, good or bad."""

from typing import Any, cast

import pytest
from pydantic import Field

from tests.services.searching.fakes import page, pages, provider
from tests.services.sessions.builders import step
from tests.support import ALICE, BOB, CallHarness, services
from webquarry.calls.session_links import sources_in
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.errors import RateLimitError
from webquarry.models.model import Model
from webquarry.models.result import Result
from webquarry.models.session import ResearchSource
from webquarry.providers.provider import Provider
from webquarry.services.searching.service import Preferences
from webquarry.services.sessions.session_state import SessionState
from webquarry.tools.scrape_page import scrape_page
from webquarry.tools.web_search import web_search

pytestmark = pytest.mark.anyio

UNKNOWN = "00000000-0000-4000-8000-000000000000"
GONE = "Session not found. Sessions are kept until they are deleted."


class Linked:
    """A desk with a session to link to."""

    def __init__(self, tools: tuple[AnyTool, ...], *providers: Any, routed: bool = False) -> None:
        names = tuple(p.about.name for p in providers)
        wanted = Preferences(routing={"web": names}) if routed else None
        over = services(*(cast("Provider", p) for p in providers), preferences=wanted)
        self.desk = CallHarness(tools, services=over)
        self.id = ""

    async def open(self) -> "Linked":
        self.id = (await self.desk.services.sessions.start(ALICE, "Owls", step(1))).id
        return self

    async def call(self, name: str, **arguments: Any) -> Result:
        return await self.desk.call(name, {"sessionId": self.id} | arguments)

    async def state(self) -> SessionState:
        return await self.desk.services.sessions.get(ALICE, self.id)


async def test_a_search_records_its_results() -> None:
    found = [page(1, "nature.com"), page(2, "blog.example", published="2024-05-01T00:00:00Z")]
    linked = await Linked((web_search,), provider("brave", found)).open()
    result = await linked.call("web_search", query="owls", time_range="year")
    assert result.meta["session"] == {"sessionId": linked.id, "linked": True, "sources": 2}
    book = await linked.state()
    assert [
        (s.url, s.title, s.sourceType, s.published, s.tool, s.foundInStep) for s in book.sources
    ] == [
        (found[0].url, found[0].title, "peer_reviewed", None, "web_search", None),
        (found[1].url, found[1].title, "blog", "2024-05-01T00:00:00Z", "web_search", None),
    ]
    (line,) = book.searches
    assert (line.tool, line.provider, line.query) == ("web_search", "brave", "owls")
    assert line.filters == {"time_range": "year", "safe": "medium"}
    assert (line.hits, line.screened, line.duplicatesRemoved, line.excluded) == (2, 2, 0, 0)


async def test_a_cached_search_records_its_results_as_well() -> None:
    searcher = provider("brave", pages(2))
    linked = await Linked((web_search,), searcher).open()
    await linked.desk.call("web_search", {"query": "owls"}, caller=BOB)
    result = await linked.call("web_search", query="owls")
    assert result.meta["cached"] is True
    assert len(searcher.queries) == 1
    book = await linked.state()
    assert [s.url for s in book.sources] == [r.url for r in pages(2)]
    (line,) = book.searches
    assert (line.provider, line.query, line.hits, line.screened) == ("brave", "owls", 2, 2)
    assert book.provider_stats() == {}


@pytest.mark.parametrize("foreign", [True, False])
async def test_an_unknown_or_foreign_session_is_told_beside_the_results(*, foreign: bool) -> None:
    linked = await Linked((web_search,), provider("brave", pages(1))).open()
    wanted = linked.id if foreign else UNKNOWN
    result = await linked.desk.call("web_search", {"query": "x", "sessionId": wanted}, caller=BOB)
    assert result.structured
    assert result.structured["resultCount"] == 1
    assert result.meta["session"] == {"sessionId": wanted, "linked": False, "reason": GONE}
    last = result.content[-1]
    assert last.type == "text"
    assert last.text == f"Not recorded in session {wanted}: {GONE}"
    assert (await linked.state()).sources == []


async def test_without_a_session_nothing_is_said_about_one() -> None:
    linked = await Linked((web_search,), provider("brave", pages(1))).open()
    result = await linked.desk.call("web_search", {"query": "x"})
    assert "session" not in result.meta
    assert len(result.content) == 1


async def test_every_provider_that_was_tried_is_counted() -> None:
    tired = provider("brave", RateLimitError("Slow down.", provider="brave"))
    linked = await Linked((web_search,), tired, provider("serper", pages(2)), routed=True).open()
    await linked.call("web_search", query="owls")
    book = await linked.state()
    assert {n: (s.attempts, s.successes) for n, s in book.provider_stats().items()} == {
        "brave": (1, 0),
        "serper": (1, 1),
    }
    assert [(line.provider, line.error, line.screened) for line in book.searches] == [
        ("brave", "rate_limited", 0),
        ("serper", None, 2),
    ]


async def test_three_failed_searches_are_a_pattern() -> None:
    tired = provider("brave", RateLimitError("Slow down.", provider="brave"))
    linked = await Linked((web_search,), tired).open()
    for number in range(3):
        result = await linked.call("web_search", query=f"owls {number}")
        assert result.is_error
        assert result.meta["session"]["linked"] is True
    book = await linked.state()
    assert [(p.kind, p.count) for p in book.error_patterns()] == [("rate_limited", 3)]
    assert {n: (s.attempts, s.successes) for n, s in book.provider_stats().items()} == {
        "brave": (3, 0)
    }


async def test_a_page_that_cannot_be_read_is_noted_with_its_address() -> None:
    linked = await Linked((scrape_page,)).open()
    for number in range(3):
        await linked.call("scrape_page", url=f"https://paper.example/{number}")
    book = await linked.state()
    (pattern,) = book.error_patterns()
    assert pattern.affectedUrls == tuple(f"https://paper.example/{n}" for n in range(3))
    assert pattern.count == 3
    assert book.flow().notRetrieved == 3
    assert book.searches == []


class _In(Model):
    query: str = Field(description="Words.")
    # the name that clients know
    sessionId: str | None = Field(default=None, description="Session.")  # noqa: N815


class _Out(Model):
    papers: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    provider: str = "openalex"


@tool("scholar", ToolOptions())
async def paper_search(args: _In, call: Call) -> _Out:
    """Answer without telling whom it asked."""
    del args, call
    return _Out(
        papers=[
            {"title": "On owls", "doi": "10.1000/owl", "authors": ["Ada Lovelace", {"name": "Bo"}],
             "year": 2021, "journal": "Strix"},
            {"title": "No address at all"},
        ],
        failures=[{"url": "https://wall.example/", "kind": "blocked", "reason": "no"}],
    )  # fmt: skip


async def test_any_tool_with_a_session_is_linked() -> None:
    linked = await Linked((paper_search,)).open()
    await linked.call("paper_search", query="owls")
    book = await linked.state()
    assert [s.model_dump(exclude_none=True, exclude={"foundAt"}) for s in book.sources] == [
        {
            "url": "https://doi.org/10.1000/owl",
            "title": "On owls",
            "authors": ("Ada Lovelace", "Bo"),
            "site": "Strix",
            "published": "2021",
            "doi": "10.1000/owl",
            "sourceType": "peer_reviewed",
            "tool": "paper_search",
        }
    ]
    (line,) = book.searches
    assert (line.provider, line.query, line.hits) == ("openalex", "owls", 1)
    assert book.flow().notRetrieved == 1


def test_a_page_that_was_read_brings_its_authors_one_by_one() -> None:
    body = {
        "url": "https://quarry.example/a",
        "content": "Text.",
        "sourceType": "blog",
        "metadata": {"title": "The pit", "author": "x"},
        "citation": {
            "metadata": {"title": "The pit", "author": "Stone, Ann, Bo", "site": "Quarry",
                         "date": "2024-05"},
            "formatted": {"bibtex": "@misc{a,\n  author = {Stone, Ann and {Bo Ltd}},\n}"},
        },
    }  # fmt: skip
    assert list(sources_in(body)) == [
        ResearchSource(
            url="https://quarry.example/a",
            title="The pit",
            authors=("Stone, Ann", "Bo Ltd"),
            site="Quarry",
            published="2024-05",
            sourceType="blog",
            read=True,
        )
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"papers": [{"title": "T", "doi": "10.1000/owl", "retractionStatus": {"retracted": True}}]},
        {"url": "https://owls.example/", "content": "x", "retractionStatus": {"retracted": True}},
    ],
)
def test_a_retraction_is_remembered_with_its_source(body: dict[str, Any]) -> None:
    assert [each.retracted for each in sources_in(body)] == [True]


def test_a_concern_is_no_retraction() -> None:
    body = {"papers": [{"doi": "10.1000/owl", "retractionStatus": {"retracted": False}}]}

    assert [each.retracted for each in sources_in(body)] == [None]


def test_a_result_without_addresses_has_no_sources() -> None:
    assert list(sources_in({"results": [{"seriesId": "X"}, 3, None], "query": "q"})) == []
