"""`citation_graph`: what a client sees."""

from typing import Any

import pytest

from tests.services.scholarship.fakes import DOWN, counted, finds, keeps, linked, work
from tests.support import CallHarness, services
from webquarry.models.result import Result
from webquarry.models.works import CitationLinks
from webquarry.tools.citation_graph import citation_graph

pytestmark = pytest.mark.anyio
SEED = work(0, title="Owls hear well", doi="10.1000/s", year=2020, citationCount=7)
CITING = work(1, citationIntents=("methodology",), isInfluential=True, abstract="Owls.")
SIDES = (CitationLinks(items=(CITING,), total=9), CitationLinks(items=(work(2, abstract="Mice."),)))


async def call(*providers: Any, **arguments: Any) -> Result:
    desk = CallHarness((citation_graph,), services=services(*providers))
    return await desk.call("citation_graph", {"paper": "10.1000/s"} | arguments)


async def body(*providers: Any, **arguments: Any) -> dict[str, Any]:
    found = (await call(*providers, **arguments)).structured
    assert found is not None
    return found


async def test_both_sides_come_with_intents_and_the_match() -> None:
    found = await body(linked(SEED, *SIDES), keeps({"10.1000/s": None}))

    assert found == {
        "seed": "10.1000/s",
        "match": {
            "title": "Owls hear well",
            "url": "https://example.org/0",
            "doi": "10.1000/s",
            "year": 2020,
            "citationCount": 7,
            "exact": True,
        },
        "direction": "both",
        "provider": "semanticscholar",
        "citedBy": [
            {
                "title": "Hearing of owls in forest 1",
                "url": "https://example.org/1",
                "source": "openalex",
                "abstract": "Owls.",
                "isInfluential": True,
                "citationIntents": ["methodology"],
            }
        ],
        "citedByCount": 1,
        "references": [
            {
                "title": "Hearing of owls in forest 2",
                "url": "https://example.org/2",
                "source": "openalex",
                "abstract": "Mice.",
            }
        ],
        "referencesCount": 1,
        "notes": ["citedBy: 1 of 9, the most cited first."],
        "trust": "untrusted-external-content",
    }


async def test_one_side_leaves_the_other_out() -> None:
    found = await body(linked(SEED, *SIDES), direction="references")

    assert (found["direction"], found["referencesCount"]) == ("references", 1)
    assert not {"citedBy", "citedByCount"} & set(found)


async def test_an_empty_side_is_an_empty_list() -> None:
    found = await body(linked(SEED), direction="cited_by")

    assert (found["citedBy"], found["citedByCount"]) == ([], 0)


async def test_a_diagram_can_be_drawn_from_it() -> None:
    found = await body(linked(SEED, *SIDES), format="mermaid")

    assert found["diagram"].startswith('flowchart LR\n  seed["Owls hear well (2020)"]')
    assert "c1 ==>|methodology| seed" in found["diagram"]
    assert "abstract" not in found["citedBy"][0]


async def test_influence_without_the_signal_is_said_to_have_no_effect() -> None:
    found = await body(counted(SEED, *SIDES), influential_only=True)

    assert found["provider"] == "openalex"
    assert "openalex does not tell influential citations; all are listed." in found["notes"]


async def test_a_fallback_is_told_and_not_kept() -> None:
    first, second = linked(DOWN), counted(SEED, *SIDES)
    desk = CallHarness((citation_graph,), services=services(first, second))

    results = [await desk.call("citation_graph", {"paper": "10.1000/s"}) for _ in range(2)]

    assert [result.meta["cached"] for result in results] == [False, False]
    assert results[0].structured
    assert results[0].structured["failures"][0]["provider"] == "semanticscholar"


async def test_an_answer_is_kept_for_a_day() -> None:
    desk = CallHarness((citation_graph,), services=services(linked(SEED, *SIDES)))

    results = [await desk.call("citation_graph", {"paper": "10.1000/s"}) for _ in range(2)]

    assert results[1].meta["cached"] is True
    assert results[1].meta["maxAgeSeconds"] == 86_400


@pytest.mark.parametrize(
    ("providers", "kind"),
    [((linked(None),), "not_found"), ((linked(DOWN),), "upstream_unavailable")],
)
async def test_unknown_and_unreachable_are_different_errors(providers: Any, kind: str) -> None:
    result = await call(*providers)

    assert result.problem
    assert result.problem.block["kind"] == kind


async def test_an_incapable_provider_is_refused_with_the_capable_ones() -> None:
    result = await call(linked(SEED), finds("crossref"), provider="crossref")

    assert result.problem
    assert result.problem.message == (
        "Provider 'crossref' cannot follow citations. Supported: semanticscholar, openalex."
    )


@pytest.mark.parametrize(("asked", "count"), [(0, 10), (26, 25)])
async def test_a_number_out_of_bounds_is_bent_and_told(asked: int, count: int) -> None:
    provider = linked(SEED)

    result = await call(provider, num_results=asked)

    assert provider.requests[1] == ("citing", count, False)
    assert result.meta["requestedNumResults"] == asked


def test_it_is_offered_only_with_somebody_who_knows_citations() -> None:
    when = citation_graph.options.available

    assert when(services(linked(SEED)))
    assert not when(services(finds("crossref")))
