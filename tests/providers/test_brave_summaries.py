"""Summaries of Brave, replaying exchanges in `recorded/brave`."""

from typing import Any

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from tests.support import ALICE
from webquarry.errors import BadInputError, ProviderError
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.brave import Brave

pytestmark = pytest.mark.anyio
KEYS = {"BRAVE_API_KEY": "the-key"}
OWLS = AnswerQuery(text="how far do barn owls hear", asker=ALICE)
HEADERS = {"x-subscription-token": "the-key", "accept": "application/json"}
SEARCH = {
    "url": "https://api.search.brave.com/res/v1/web/search"
    "?q=how+far+do+barn+owls+hear&count=5&summary=1&text_decorations=false",
    "headers": HEADERS,
}
SUMMARY = {
    "url": "https://api.search.brave.com/res/v1/summarizer/search?key=k+1&entity_info=0",
    "headers": HEADERS,
}
NO_KEY: dict[str, Any] = {
    "type": "search",
    "query": {"original": "how far do barn owls hear"},
    "web": {"results": [{"title": "Owls &amp; ears", "url": "https://example.org/owls"}]},
}
OFFER = {
    "origin": "handwritten in the documented shape",
    "request": SEARCH,
    "status": 200,
    "body": NO_KEY | {"summarizer": {"type": "summarizer", "key": "k 1"}},
}
FOUND = AnswerCitation(title="Owls & ears", url="https://example.org/owls")


async def answered(second: dict[str, Any]) -> WrittenAnswer:
    summary = {"origin": "handwritten", "request": SUMMARY, **second}
    replay = Replay([OFFER, summary])
    result = await Brave(Upstreams(replay, clock=FakeClock().clock()), KEYS).answer_question(OWLS)
    replay.finish()
    return result


@pytest.mark.recording("brave/summary")
async def test_a_second_call_trades_the_key_for_the_summary(upstreams: Upstreams) -> None:
    assert await Brave(upstreams, KEYS).answer_question(OWLS) == WrittenAnswer(
        text="Barn owls hear a mouse from 40 metres.",
        citations=(
            AnswerCitation(title="Barn owls", url="https://example.org/owls"),
            AnswerCitation(title="Ears", url="https://example.net/ears"),
        ),
    )


async def test_parts_are_put_together_where_there_is_no_whole_text() -> None:
    parts = [
        {"type": "token", "data": "Owls are"},
        {"type": "enum_start", "data": "ul"},
        {"type": "enum_item", "data": {"name": "Barn owl", "text": "hears best"}},
        {"type": "enum_end"},
        {"type": "token", "data": "\nNo more."},
    ]

    found = await answered({"status": 200, "body": {"status": "complete", "summary": parts}})

    assert found == WrittenAnswer(
        text="Owls are\n- Barn owl: hears best\nNo more.", citations=(FOUND,)
    )


async def test_no_key_means_that_there_is_no_summary() -> None:
    replay = Replay([OFFER | {"body": NO_KEY}])

    found = await Brave(Upstreams(replay, clock=FakeClock().clock()), KEYS).answer_question(OWLS)

    assert found == WrittenAnswer(
        text="",
        citations=(FOUND,),
        note="brave offers no summary of this question, or not with this plan.",
    )
    replay.finish()


async def test_an_empty_summary_is_said_to_be_none() -> None:
    found = await answered({"status": 200, "body": {"status": "complete", "summary": None}})

    assert found == WrittenAnswer(
        text="", citations=(FOUND,), note="brave wrote no summary of this question."
    )


async def test_a_failed_summary_is_a_failure() -> None:
    with pytest.raises(ProviderError) as caught:
        await answered({"status": 200, "body": {"status": "failed"}})

    assert caught.value.provider == "brave"


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_of_the_search_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Brave(u, KEYS).answer_question(OWLS), SEARCH, FAILURES[case])


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_of_the_summary_are_told_apart(case: str) -> None:
    failure = FAILURES[case]

    with pytest.raises(failure.error) as caught:  # sent once: waiting twice would take too long
        await answered(failure.answer)

    assert (caught.value.advice.kind, caught.value.provider) == (failure.kind, "brave")
    assert "the-key" not in str(caught.value)


async def test_a_question_it_would_refuse_is_not_sent() -> None:
    upstreams = Upstreams(Replay([]), clock=FakeClock().clock())

    with pytest.raises(BadInputError, match="brave takes at most 400 characters"):
        await Brave(upstreams, KEYS).answer_question(AnswerQuery(text="x" * 401, asker=ALICE))
