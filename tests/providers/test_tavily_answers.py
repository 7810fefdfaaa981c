"""Answers of Tavily, replaying exchanges in `recorded/tavily`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from tests.support import ALICE
from webquarry.errors import BadInputError
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.tavily import Tavily

pytestmark = pytest.mark.anyio
KEYS = {"TAVILY_API_KEY": "the-key"}
OWLS = AnswerQuery(text="How far do barn owls hear?", asker=ALICE)
REQUEST = {
    "method": "POST",
    "url": "https://api.tavily.com/search",
    "headers": {"authorization": "Bearer the-key"},
    "json": {
        "query": "How far do barn owls hear?",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 5,
        "include_answer": True,
        "include_usage": True,
    },
}


@pytest.mark.recording("tavily/answer")
async def test_the_answer_comes_with_its_pages_and_the_price_of_its_credits(
    upstreams: Upstreams,
) -> None:
    assert await Tavily(upstreams, KEYS).answer_question(OWLS) == WrittenAnswer(
        text="They hear a mouse from 40 metres.",
        citations=(
            AnswerCitation(title="Barn owls", url="https://example.org/barn"),
            AnswerCitation(
                url="https://example.net/ears", publishedDate="Tue, 05 Mar 2024 08:00:00 GMT"
            ),
        ),
        cost=0.008,
    )


@pytest.mark.recording("tavily/answer_empty")
async def test_no_answer_is_said_to_be_none(upstreams: Upstreams) -> None:
    assert await Tavily(upstreams, KEYS).answer_question(OWLS) == WrittenAnswer(
        text="", note="tavily wrote no answer to this question."
    )


async def test_a_question_it_would_refuse_is_not_sent() -> None:
    upstreams = Upstreams(Replay([]), clock=FakeClock().clock())

    with pytest.raises(BadInputError) as caught:
        await Tavily(upstreams, KEYS).answer_question(AnswerQuery(text="x" * 401, asker=ALICE))

    assert str(caught.value) == "query: tavily takes at most 400 characters, got 401."


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Tavily(u, KEYS).answer_question(OWLS), REQUEST, FAILURES[case])
