"""Answers and structured search of Exa, replaying exchanges in `recorded/exa`."""

from typing import Any

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from tests.support import ALICE
from webquarry.errors import BadInputError
from webquarry.models.synthesis import (
    AnswerCitation,
    AnswerQuery,
    Structured,
    StructuredItem,
    StructuredQuery,
    WrittenAnswer,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.exa import Exa

pytestmark = pytest.mark.anyio
KEYS = {"EXA_API_KEY": "the-key"}
OWLS = AnswerQuery(text="How far do barn owls hear?", asker=ALICE)
ANSWER = {
    "method": "POST",
    "url": "https://api.exa.ai/answer",
    "headers": {"x-api-key": "the-key"},
    "json": {"query": "How far do barn owls hear?"},
}
SEARCH = {
    "method": "POST",
    "url": "https://api.exa.ai/search",
    "headers": {"x-api-key": "the-key"},
    "json": {
        "query": "owls",
        "type": "auto",
        "numResults": 5,
        "contents": {"highlights": True, "summary": True},
    },
}
FLAT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "founded": {"type": ["integer", "null"]},
        "products": {"type": "array", "items": {"type": "string"}},
        "seat": {"type": "object", "properties": {"city": {"type": "string"}}},
        "size": {"enum": ["small", "large"]},
    },
}


def wanted(**more: Any) -> StructuredQuery:
    return StructuredQuery(text="owls", asker=ALICE, **more)


def nothing_may_be_sent() -> Exa:
    return Exa(Upstreams(Replay([]), clock=FakeClock().clock()), KEYS)


@pytest.mark.recording("exa/answer")
async def test_the_answer_comes_with_its_pages_and_price(upstreams: Upstreams) -> None:
    assert await Exa(upstreams, KEYS).answer_question(OWLS) == WrittenAnswer(
        text="About 40 metres ([Barn owls](https://example.org/owls)).",
        citations=(
            AnswerCitation(
                title="Barn owls",
                url="https://example.org/owls",
                publishedDate="2024-03-05T00:00:00.000Z",
            ),
            AnswerCitation(url="https://example.net/ears"),
        ),
        cost=0.005,
    )


@pytest.mark.parametrize("body", [{"answer": "", "citations": []}, {"answer": None}])
async def test_no_answer_is_said_to_be_none(body: dict[str, Any]) -> None:
    replay = Replay([{"origin": "handwritten", "request": ANSWER, "status": 200, "body": body}])
    exa = Exa(Upstreams(replay, clock=FakeClock().clock()), KEYS)

    assert await exa.answer_question(OWLS) == WrittenAnswer(
        text="", note="exa wrote no answer to this question."
    )
    replay.finish()


@pytest.mark.recording("exa/structured")
async def test_the_schema_is_sent_and_its_data_come_back(upstreams: Upstreams) -> None:
    query = wanted(count=2, category="Company", fields=FLAT)

    assert await Exa(upstreams, KEYS).search_structured(query) == Structured(
        items=(
            StructuredItem(
                title="Owl Works",
                url="https://owls.example/",
                publishedDate="2024-03-05T00:00:00.000Z",
                author="A. Strix",
                summary={"name": "Owl Works", "founded": None},
                highlights=("Owl Works was founded in 1998.",),
                entities=[{"type": "company", "properties": {"name": "Owl Works"}}],
            ),
            StructuredItem(url="https://nests.example/", summary="not JSON after all"),
        ),
        cost=0.012,
    )


@pytest.mark.recording("exa/summaries")
async def test_without_a_schema_a_summary_is_text(upstreams: Upstreams) -> None:
    assert await Exa(upstreams, KEYS).search_structured(wanted()) == Structured(
        items=(StructuredItem(url="https://owls.example/", summary='{"is": "text all the same"}'),)
    )


async def test_nothing_found_is_an_empty_list() -> None:
    body: dict[str, Any] = {"results": [], "costDollars": {"total": 0.005}}
    replay = Replay([{"origin": "handwritten", "request": SEARCH, "status": 200, "body": body}])
    exa = Exa(Upstreams(replay, clock=FakeClock().clock()), KEYS)

    assert await exa.search_structured(wanted()) == Structured(cost=0.005)
    replay.finish()


async def test_a_category_it_does_not_have_is_refused_before_anything_is_paid() -> None:
    with pytest.raises(BadInputError) as caught:
        await nothing_may_be_sent().search_structured(wanted(category="tweet"))

    assert str(caught.value) == (
        "category: exa has company, people, research paper, news, pdf, github, financial report, "
        "personal site; got 'tweet'."
    )
    assert caught.value.block()["kind"] == "validation"


def object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "array", "items": TEXT}, 'schema: its root must have "type": "object".'),
        ({}, 'schema: its root must have "type": "object".'),
        ({"type": "object"}, "schema: needs at least one property."),
        ({"type": "object", "properties": []}, "schema: properties must be an object."),
        (
            object_of(**{f"p{n}": TEXT for n in range(11)}),
            "schema: exa takes at most 10 properties, got 11.",
        ),
        (
            object_of(seat=object_of(**{f"p{n}": TEXT for n in range(10)})),
            "schema: exa takes at most 10 properties, got 11.",
        ),
        (
            object_of(a=object_of(b=object_of(c=TEXT))),
            "schema: a.b is nested too deeply; exa supports 2 levels.",
        ),
        (
            object_of(a={"type": "array", "items": object_of(b=TEXT)}),
            "schema: the items of a must be text, numbers or booleans.",
        ),
        (
            object_of(a={"type": "array"}),
            "schema: the items of a must be text, numbers or booleans.",
        ),
        (
            object_of(a={"$ref": "#/$defs/a"}),
            "schema: a uses $ref, which exa does not support.",
        ),
        (object_of(a={"type": "text"}), "schema: a needs a type of JSON Schema, such as string."),
        (object_of(a={}), "schema: a needs a type of JSON Schema, such as string."),
        (object_of(a=True), "schema: a must be an object with a type."),
    ],
)
async def test_a_schema_it_cannot_fill_is_refused_before_anything_is_paid(
    schema: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        await nothing_may_be_sent().search_structured(wanted(fields=schema))

    assert str(caught.value) == complaint


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_of_answers_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Exa(u, KEYS).answer_question(OWLS), ANSWER, FAILURES[case])


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_of_structured_search_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Exa(u, KEYS).search_structured(wanted()), SEARCH, FAILURES[case])
