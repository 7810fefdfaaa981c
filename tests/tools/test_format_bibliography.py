"""The `format_bibliography` tool."""

import json
from typing import Any

import pytest

from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.models.session import ResearchSource, ToolFindings
from webquarry.tools.format_bibliography import format_bibliography
from webquarry.tools.sequential_search import sequential_search

pytestmark = pytest.mark.anyio
PAPER = {
    "url": "https://p.test/attention",
    "title": "Attention Is All You Need",
    "author": "Ashish Vaswani; Noam Shazeer and Niki Parmar",
    "site": "NeurIPS",
    "date": "2017",
    "doi": "https://doi.org/10.5555/3295222",
}


def desk() -> CallHarness:
    return CallHarness((format_bibliography, sequential_search))


async def test_given_sources_are_listed_once() -> None:
    result = await desk().call(
        "format_bibliography", {"style": "csl-json", "sources": [PAPER, PAPER]}
    )

    assert result.structured
    entries = json.loads(result.structured.pop("bibliography"))
    assert result.structured == {
        "style": "csl-json",
        "entryCount": 1,
        "trust": "untrusted-external-content",
    }
    assert entries[0]["author"] == [
        {"literal": "Ashish Vaswani"},
        {"literal": "Noam Shazeer"},
        {"literal": "Niki Parmar"},
    ]
    assert entries[0]["DOI"] == "10.5555/3295222"


async def test_a_paper_of_academic_search_is_taken_as_it_is() -> None:
    paper = {
        "title": "Attention Is All You Need",
        "url": "https://p.test/attention",
        "source": "crossref",
        "authors": ["Ashish Vaswani", "Noam Shazeer"],
        "journal": "NeurIPS",
        "year": 2017,
        "provenance": {"crossref": ["title"]},
    }
    result = await desk().call("format_bibliography", {"sources": [paper]})

    assert result.structured
    assert result.structured["bibliography"].startswith(
        "Vaswani, A., & Shazeer, N. (2017). Attention Is All You Need. NeurIPS. Retrieved"
    )


async def test_apa_is_the_usual_style() -> None:
    result = await desk().call("format_bibliography", {"sources": [PAPER]})

    assert result.structured
    assert result.structured["style"] == "apa"
    assert result.structured["bibliography"].startswith("Vaswani, A., Shazeer, N., & Parmar, N.")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "give sessionId or a non-empty sources list"),
        ({"sources": []}, "give sessionId or a non-empty sources list"),
        ({"sources": [PAPER], "style": "turabiann"}, "unknown style"),
        (
            {"sources": [PAPER, {"titel": "Owls"}]},
            "sources.1.titel: no such field, did you mean title?",
        ),
        (
            {"sources": [{"qqq": 1}]},
            "sources.0.qqq: no such field, an item takes url, title, author, site, date, doi",
        ),
        ({"sources": [{**PAPER, "title": ["a"]}]}, "sources.0.title: must be text"),
    ],
)
async def test_bad_input_says_what_is_wrong(arguments: dict[str, Any], says: str) -> None:
    result = await desk().call("format_bibliography", arguments)

    assert result.is_error
    assert says in text_of(result)


async def test_sources_without_an_address_are_named_not_lost() -> None:
    sources = [PAPER, {"title": "A book"}, {"doi": "10.1000/owl"}, {"author": "Ada"}]

    result = await desk().call("format_bibliography", {"sources": sources})

    assert result.structured
    assert (result.structured["entryCount"], result.structured["skipped"]) == (
        1,
        ["A book", "10.1000/owl", "source 4"],
    )
    assert result.structured["skippedNote"] == "Sources without a url cannot be listed; add it."


async def test_a_session_of_somebody_else_is_not_found() -> None:
    table = desk()
    started = await table.call(
        "sequential_search",
        {
            "searchStep": "begin",
            "stepNumber": 1,
            "totalStepsEstimate": 2,
            "nextStepNeeded": True,
        },
    )
    assert started.structured
    session = started.structured["sessionId"]
    owls = ResearchSource(url="https://b.test/owls", title="Barn owls")
    found = ToolFindings(at="2026-11-02T09:30:00Z", tool="web_search", sources=(owls,))
    await table.services.sessions.record(ALICE, session, found)

    mine = await table.call("format_bibliography", {"style": "ris", "sessionId": session})
    theirs = await table.call("format_bibliography", {"sessionId": session}, caller=BOB)

    assert mine.structured
    assert (mine.structured["entryCount"], mine.structured["sessionId"]) == (1, session)
    assert "UR  - https://b.test/owls" in mine.structured["bibliography"]
    assert theirs.is_error
