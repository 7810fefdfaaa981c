"""`answer`: what a client sees."""

from typing import Any

import pytest

from tests.services.answering.fakes import answerer, local_desk
from tests.services.research.research_setup import ResearchSetup, page
from tests.support import CallHarness, override, services
from webquarry.calls.registry import choose
from webquarry.errors import RateLimitError
from webquarry.models.synthesis import AnswerCitation, WrittenAnswer
from webquarry.providers.perplexity import Perplexity
from webquarry.services.answering.service import AnswerService
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.tools.answer import answer

pytestmark = pytest.mark.anyio
FACTS = "https://birds.test/hearing"


def desk(*providers: Any) -> CallHarness:
    return CallHarness((answer,), services=services(*providers))


async def test_the_answer_names_its_pages_its_writer_and_its_price() -> None:
    exa = answerer("exa")
    cited = AnswerCitation(title="Owls", url=FACTS, publishedDate="2024-03-05")
    exa.answered = WrittenAnswer(
        text="40 metres.", citations=(cited, AnswerCitation(url="u")), cost=0.005
    )

    tools = desk(exa)
    result = await tools.call("answer", {"query": " how far? "})

    assert exa.asked == ["how far?"]
    assert result.structured == {
        "answer": "40 metres.",
        "citations": [
            {"title": "Owls", "url": FACTS, "publishedDate": "2024-03-05"},
            {"url": "u"},
        ],
        "provider": "exa",
        "costUsd": 0.005,
        "trust": "untrusted-external-content",
    }
    assert tools.records[0].spent == {"provider": "exa", "cost_usd": 0.005}


async def test_an_answer_is_kept_for_an_hour_by_question_and_provider() -> None:
    exa, brave = answerer("exa"), answerer("brave")
    tools = desk(exa, brave)

    for name in ("exa", "exa", "brave"):
        await tools.call("answer", {"query": "x", "provider": name})
    again = await tools.call("answer", {"query": "x", "provider": "exa"})

    assert (len(exa.asked), len(brave.asked)) == (1, 1)
    assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 3600)
    assert tools.records[-1].spent is None  # nobody was paid this time


async def test_no_answer_is_asked_for_again() -> None:
    exa = answerer("exa")
    exa.answered = WrittenAnswer(text="", note="exa wrote no answer to this question.")
    tools = desk(exa)

    first = await tools.call("answer", {"query": "x"})
    result = await tools.call("answer", {"query": "x"})

    assert len(exa.asked) == 2
    assert first.structured == result.structured
    assert result.structured == {
        "answer": "",
        "citations": [],
        "provider": "exa",
        "note": "exa wrote no answer to this question.",
        "trust": "untrusted-external-content",
    }


async def test_without_keys_pages_are_read_and_quoted() -> None:
    tools = local_desk(ResearchSetup(page(FACTS, title="Barn owls")))

    for _ in range(2):
        result = await tools.call("answer", {"query": "how far do barn owls hear a mouse"})
        assert result.structured is not None
        assert result.structured["provider"] == "local"
        assert result.structured["costUsd"] == 0
        (cited,) = result.structured["citations"]
        (anchor,) = cited["anchors"]
        assert result.structured["answer"] == f"\u201c{anchor['quote']}\u201d [1]"
        assert result.meta["cached"] is False  # kept for one person, not for all


async def test_progress_is_told_while_pages_are_read() -> None:
    told: list[str | None] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append(message)

    tools = local_desk(ResearchSetup(page(FACTS)))
    await tools.call("answer", {"query": "barn owls"}, report=report)

    assert told == ["stub found 1 pages", f"read: {FACTS}"]


async def test_the_only_one_with_a_key_answers_and_ours_when_it_is_named() -> None:
    exa = answerer("exa")
    tools = desk(exa)

    await tools.call("answer", {"query": "x"})
    result = await tools.call("answer", {"query": "x", "provider": "local"})

    assert len(exa.asked) == 1
    assert result.problem is not None  # this desk has nobody to search with
    assert result.problem.message.startswith("No provider that searches the web")


async def test_nobody_chooses_between_several_that_cost_money() -> None:
    exa, brave = answerer("exa"), answerer("brave")

    result = await desk(exa, brave).call("answer", {"query": "x"})

    assert result.problem is not None
    assert result.problem.message == (
        "provider: is required, as several are configured: exa, brave, local, index."
    )
    assert result.problem.block == {
        "kind": "validation",
        "retryable": False,
        "suggestedAction": "fix_arguments",
        "alternatives": ["exa", "brave", "local", "index"],
    }
    assert exa.asked == brave.asked == []


async def test_a_provider_without_its_key_is_told_apart_from_one_that_is_not_known() -> None:
    made = services()
    ours = made.answering
    answering = AnswerService(
        ProviderDirectory((), [Perplexity]),
        [ours.answers.require("local"), ours.answers.require("index")],
        ours.searches.require("local"),
    )
    tools = CallHarness((answer,), services=override(made, answering=answering))

    unset = await tools.call("answer", {"query": "x", "provider": "perplexity"})
    unknown = await tools.call("answer", {"query": "x", "provider": "bing"})

    assert unset.problem is not None
    assert unset.problem.message == (
        "Provider 'perplexity' is not configured: set PERPLEXITY_API_KEY (see .env.example)."
    )
    assert unknown.problem is not None
    assert (
        unknown.problem.message == "Unknown provider 'bing'. Supported: perplexity, local, index."
    )


async def test_a_failure_names_who_else_could_be_asked_and_asks_nobody_else() -> None:
    exa, brave = answerer("exa"), answerer("brave")
    exa.fails = RateLimitError("Rate limited (exa).", provider="exa", retry_after=12)

    result = await desk(exa, brave).call("answer", {"query": "x", "provider": "exa"})

    assert result.problem is not None
    assert result.problem.block == {
        "kind": "rate_limited",
        "retryable": True,
        "retryAfterSeconds": 12,
        "suggestedAction": "retry_after_delay",
        "provider": "exa",
        "alternatives": ["brave", "local", "index"],
    }
    assert brave.asked == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "answer: query: is required"),
        ({"query": " "}, "answer: query: is required"),
        ({"query": "x" * 501}, "answer: query: must have at most 500 characters, got 501"),
        (
            {"query": "x", "sources": 3},
            "answer: sources: no such argument, it takes query, provider",
        ),
    ],
)
async def test_wrong_arguments_are_explained(arguments: dict[str, Any], complaint: str) -> None:
    result = await desk().call("answer", arguments)

    assert result.problem is not None
    assert result.problem.message == complaint


def test_it_is_always_offered() -> None:
    assert choose((answer,), ["synthesis"], services()).tools() == [answer]
