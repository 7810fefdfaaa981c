"""Perplexity, replaying exchanges in `recorded/perplexity`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from tests.support import ALICE
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.perplexity import Perplexity

pytestmark = pytest.mark.anyio
KEYS = {"PERPLEXITY_API_KEY": "the-key"}
OWLS = AnswerQuery(text="How far do barn owls hear?", asker=ALICE)
REQUEST = {
    "method": "POST",
    "url": "https://api.perplexity.ai/chat/completions",
    "headers": {"authorization": "Bearer the-key"},
    "json": {
        "model": "sonar",
        "messages": [{"role": "user", "content": "How far do barn owls hear?"}],
        "stream": False,
    },
}


@pytest.mark.recording("perplexity/answer")
async def test_the_sources_come_in_the_order_of_the_numbers_in_the_text(
    upstreams: Upstreams,
) -> None:
    assert await Perplexity(upstreams, KEYS).answer_question(OWLS) == WrittenAnswer(
        text="About 40 metres [1], in silence [2].",
        citations=(
            AnswerCitation(
                title="Barn owls", url="https://example.org/owls", publishedDate="2024-03-05"
            ),
            AnswerCitation(url="https://example.net/silence"),
        ),
        cost=0.0052,
    )


@pytest.mark.recording("perplexity/gateway")
async def test_another_model_and_the_annotations_of_a_gateway_serve_as_well(
    upstreams: Upstreams,
) -> None:
    keys = KEYS | {"PERPLEXITY_MODEL": "sonar-pro"}

    assert await Perplexity(upstreams, keys).answer_question(OWLS) == WrittenAnswer(
        text="About 40 metres.",
        citations=(AnswerCitation(title="Barn owls", url="https://example.org/owls"),),
        cost=0.01,
    )


@pytest.mark.parametrize(
    ("body", "answered"),
    [
        (
            {"choices": [{"message": {"content": "40 metres."}}], "usage": {"cost": None}},
            WrittenAnswer(text="40 metres.", note="perplexity names no sources for this answer."),
        ),
        (
            {"choices": [{"message": {"content": None}}]},
            WrittenAnswer(text="", note="perplexity wrote no answer to this question."),
        ),
        (
            {
                "choices": [{"message": {"content": "<think>\nOwls?\n</think>\n\n40 metres."}}],
                "citations": ["https://example.org/owls"],
            },
            WrittenAnswer(
                text="40 metres.", citations=(AnswerCitation(url="https://example.org/owls"),)
            ),
        ),
        (
            {"choices": []},
            WrittenAnswer(text="", note="perplexity wrote no answer to this question."),
        ),
    ],
    ids=["no sources", "no text", "thoughts", "no choices"],
)
async def test_what_is_missing_is_said(body: dict[str, object], answered: WrittenAnswer) -> None:
    replay = Replay([{"origin": "handwritten", "request": REQUEST, "status": 200, "body": body}])
    upstreams = Upstreams(replay, clock=FakeClock().clock())

    assert await Perplexity(upstreams, KEYS).answer_question(OWLS) == answered
    replay.finish()


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Perplexity(u, KEYS).answer_question(OWLS), REQUEST, FAILURES[case])
