"""The works around a work."""

import asyncio

import pytest

from tests.services.scholarship.fakes import (
    DOWN,
    FakeCitations,
    counted,
    finds,
    keeps,
    linked,
    work,
)
from webquarry.errors import NotFoundError, ProviderError, UnconfiguredError, UnknownProviderError
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import CitationLinks, Direction, ProviderFailure
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.provider import Provider
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.citation_graphs import CitationGraphs, Graph, GraphRequest
from webquarry.services.scholarship.mermaid import mermaid_diagram

pytestmark = pytest.mark.anyio
SEED = work(0, title="Owls hear well", doi="10.1000/0", authors=("Ada Strix",), year=2020)
BOTH = (CitationLinks(items=(work(1),)), CitationLinks(items=(work(2),)))


def graphs(*providers: Provider) -> CitationGraphs:
    return CitationGraphs(ProviderDirectory(providers, [type(p) for p in providers]))


async def test_both_sides_are_asked_at_the_same_time() -> None:
    provider = linked(SEED, *BOTH)
    provider.meeting = asyncio.Barrier(2)

    graph = await graphs(provider).graph_of(GraphRequest("10.1000/0", count=3))

    assert graph == Graph(
        "semanticscholar", SEED, exact=True, cited_by=BOTH[0], references=BOTH[1],
        unchecked=("10.1000/0",),
    )  # fmt: skip
    assert provider.requests == ["10.1000/0", ("citing", 3, False), ("cited", 3, False)]


@pytest.mark.parametrize(
    ("direction", "asked"),
    [("cited_by", ("citing", 10, True)), ("references", ("cited", 10, True))],
)
async def test_one_side_is_asked_when_one_is_wanted(direction: Direction, asked: object) -> None:
    provider = linked(SEED, *BOTH)

    graph = await graphs(provider).graph_of(
        GraphRequest("10.1000/0", direction=direction, influential=True)
    )

    assert provider.requests[1:] == [asked]
    assert (graph.cited_by is None) == (direction == "references")


async def test_a_provider_without_the_signal_lists_all() -> None:
    provider = counted(SEED, *BOTH)

    await graphs(provider).graph_of(GraphRequest("10.1000/0", influential=True))

    assert provider.requests[1:] == [("citing", 10, False), ("cited", 10, False)]


@pytest.mark.parametrize(
    ("paper", "exact"), [("OWLS hear well.", True), ("Owls hear very well", False)]
)
async def test_a_title_is_matched_and_the_match_judged(paper: str, *, exact: bool) -> None:
    seed = SEED.model_copy(update={"title": "Owls hear well"})

    if exact:
        assert (await graphs(linked(seed)).graph_of(GraphRequest(paper))).exact
        return
    with pytest.raises(NotFoundError, match=r"The closest is 'Owls hear well'.*DOI 10.1000/0"):
        await graphs(linked(seed)).graph_of(GraphRequest(paper))


async def test_a_title_that_is_almost_the_same_is_taken_and_marked() -> None:
    seed = SEED.model_copy(update={"title": "How well do barn owls hear in forests at night"})

    graph = await graphs(linked(seed)).graph_of(
        GraphRequest("How well do barn owls hear in a forests at night")
    )

    assert not graph.exact


async def test_one_side_that_fails_leaves_the_other() -> None:
    graph = await graphs(linked(SEED, DOWN, BOTH[1])).graph_of(GraphRequest("10.1000/0"))

    assert (graph.cited_by, graph.references) == (None, BOTH[1])
    assert graph.failures == [
        ProviderFailure(
            provider="semanticscholar",
            kind="upstream_unavailable",
            message=f"cited_by: {DOWN}",
        )
    ]


async def test_another_provider_is_asked_when_the_first_cannot_answer() -> None:
    graph = await graphs(counted(SEED, *BOTH), linked(DOWN)).graph_of(GraphRequest("10.1000/0"))

    assert graph.provider == "openalex"
    assert [each.provider for each in graph.failures] == ["semanticscholar"]


async def test_nobody_knowing_the_paper_is_not_the_same_as_nobody_answering() -> None:
    with pytest.raises(NotFoundError, match=r"semanticscholar knows no paper.*openalex knows no"):
        await graphs(linked(None), counted(None)).graph_of(GraphRequest("10.1000/0"))
    with pytest.raises(ProviderError) as caught:
        await graphs(linked(None), counted(DOWN)).graph_of(GraphRequest("10.1000/0"))

    assert [each["kind"] for each in caught.value.details["failures"]] == [
        "not_found", "upstream_unavailable",
    ]  # fmt: skip


async def test_a_named_provider_is_never_replaced() -> None:
    asked = CitationGraphs(
        ProviderDirectory([linked(DOWN), finds("crossref")], [FakeCitations, OpenAlex])
    )

    with pytest.raises(ProviderError, match="503"):
        await asked.graph_of(GraphRequest("10.1000/0"), "semanticscholar")
    with pytest.raises(UnconfiguredError, match=r"OPENALEX_EMAIL.*semanticscholar, openalex"):
        await asked.graph_of(GraphRequest("10.1000/0"), "openalex")
    with pytest.raises(UnknownProviderError, match="Supported: semanticscholar, openalex"):
        await asked.graph_of(GraphRequest("10.1000/0"), "crossref")


async def test_notices_about_both_sides_come_in_one_pass() -> None:
    gone = RetractionStatus(retracted=True, kind="retraction")
    keeper = keeps({"10.1000/2": gone})
    sides = (
        CitationLinks(items=(work(1, doi="10.1000/1"),)),
        CitationLinks(items=(work(2, doi="10.1000/2"),)),
    )

    graph = await graphs(linked(SEED, *sides), keeper).graph_of(GraphRequest("10.1000/0"))

    assert keeper.requests == [["10.1000/0", "10.1000/1", "10.1000/2"]]
    assert graph.references
    assert graph.references.items[0].retraction == gone
    assert graph.unchecked == ("10.1000/0", "10.1000/1")


def test_the_diagram_points_from_who_cites_to_what_is_cited() -> None:
    gone = RetractionStatus(retracted=True, kind="retraction")
    citing = work(1, title='"Owls" <hear> #1 `well`', citationIntents=("methodology",))
    cited = work(2, title="A" * 80, isInfluential=True, retraction=gone, year=1999)
    graph = Graph(
        "semanticscholar", SEED, exact=True,
        cited_by=CitationLinks(items=(citing,)), references=CitationLinks(items=(cited,)),
    )  # fmt: skip

    assert mermaid_diagram(graph).splitlines() == [
        "flowchart LR",
        '  seed["Owls hear well (Strix 2020)"]:::seed',
        '  c1["#quot;Owls#quot; #lt;hear#gt; #35;1 #96;well#96; (n.d.)"]',
        "  c1 -->|methodology| seed",
        f'  r1["{"A" * 59}… (1999)"]',
        "  seed ==> r1",
        "  classDef seed font-weight:bold,stroke-width:3px",
        "  classDef retracted stroke:#c00,stroke-dasharray:4,color:#c00",
        "  class r1 retracted",
    ]
