"""Token budgets: no page is larger than asked for, and the pages together are the whole."""

import base64
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import ALICE, BOB, CallHarness
from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import AnyTool, CacheRule, Call, ToolOptions, tool
from webquarry.content.text.token_count import json_size
from webquarry.models.result import Result

pytestmark = pytest.mark.anyio


class In(Budgeted):
    topic: str = "x"


class Out(Paged):
    title: str = "A title"
    items: tuple[str, ...] = ()
    text: str = ""


def long_tool(items: list[str], text: str) -> tuple[AnyTool, list[int]]:
    runs: list[int] = []

    @tool("web", ToolOptions(cuttable=("items", "text"), cache=CacheRule(60)))
    async def long(args: In, _: Call) -> Out:
        """Say a lot."""
        runs.append(1)
        return Out(title="A title", items=tuple(items), text=text)

    return long, runs


async def pages(desk: CallHarness, budget: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while not found or cursor:
        arguments = {"max_tokens": budget} | ({"cursor": cursor} if cursor else {})
        result = await desk.call("long", arguments)
        assert result.structured is not None, result
        found.append(result.structured)
        cursor = result.structured.get("nextCursor")
    return found


# characters that all stay: invisible ones are removed before a result is cut into pages
_KEPT = st.one_of(
    st.characters(max_codepoint=0x2FF, exclude_characters="\u00ad"), st.sampled_from("中文😀")
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(
    items=st.lists(st.text(alphabet=_KEPT, max_size=40), max_size=30),
    text=st.text(alphabet=_KEPT, max_size=3000),
    budget=st.integers(min_value=160, max_value=700),
)
async def test_pages_fit_their_budget_and_join_to_the_whole(
    items: list[str], text: str, budget: int
) -> None:
    long, runs = long_tool(items, text)
    found = await pages(CallHarness((long,), {"link_at": 10**9}), budget)

    assert all(json_size(page) <= 4 * budget for page in found)
    assert [item for page in found for item in page["items"]] == items
    assert "".join(page["text"] for page in found) == text
    assert {page["title"] for page in found} == {"A title"}
    assert len(runs) == 1


async def test_a_result_within_its_budget_is_whole_and_has_no_cursor() -> None:
    long, _ = long_tool(["a"], "short")

    result = await CallHarness((long,)).call("long", {"max_tokens": 100})

    assert result.structured == {"title": "A title", "items": ["a"], "text": "short"}


async def test_text_is_cut_where_a_reader_would_pause() -> None:
    paragraphs = ("word " * 60).strip() + ".\n\n"
    long, _ = long_tool([], paragraphs * 20)

    first = (await pages(CallHarness((long,)), 400))[0]

    assert first["text"].endswith(".\n\n")


async def test_a_budget_too_small_for_one_item_says_which_would_do() -> None:
    long, _ = long_tool(["x" * 2000], "")
    desk = CallHarness((long,))

    refused = await desk.call("long", {"max_tokens": 200})

    assert refused.problem is not None
    assert refused.problem.message.startswith("max_tokens: too small for this result of long; try ")
    enough = int(refused.problem.message.rsplit(" ", 1)[1])
    assert not (await desk.call("long", {"max_tokens": enough})).is_error


def problem(result: Result) -> str:
    assert result.problem is not None
    return result.problem.message


async def test_a_cursor_works_only_for_the_call_and_the_person_it_was_given_to() -> None:
    long, _ = long_tool([], "word " * 1000)
    desk = CallHarness((long,))
    first = await desk.call("long", {"max_tokens": 200})
    assert first.structured is not None
    cursor = first.structured["nextCursor"]

    other_call = await desk.call("long", {"topic": "y", "cursor": cursor})
    other_person = await desk.call("long", {"cursor": cursor}, caller=BOB)
    same = await desk.call("long", {"cursor": cursor}, caller=ALICE)

    assert problem(other_call) == "cursor: belongs to another call; repeat that call's arguments"
    assert problem(other_person) == "cursor: has expired; call again without it"
    assert same.structured is not None
    assert first.structured["text"] + same.structured["text"] == "word " * 1000


@pytest.mark.parametrize(
    "cursor",
    ["%%%", "AAAA", base64.urlsafe_b64encode(b'["x",[]]').decode(),
     base64.urlsafe_b64encode(b'["x",{"text":"y"}]').decode(), "é"],
)  # fmt: skip
async def test_an_invented_cursor_is_refused(cursor: str) -> None:
    long, runs = long_tool([], "text")

    result = await CallHarness((long,)).call("long", {"cursor": cursor})

    assert problem(result) == "cursor: was not issued by this server; omit it"
    assert not runs


async def test_an_artifact_that_is_no_page_is_refused_as_a_cursor() -> None:
    long, _ = long_tool([], "text")
    desk = CallHarness((long,))
    artifact = await desk.services.artifacts.put(
        b"[1]", mime="application/json", tenant="acme", owner="alice"
    )
    cursor = base64.urlsafe_b64encode(f'["{artifact.id}",{{}}]'.encode()).decode()

    result = await desk.call("long", {"cursor": cursor})

    assert problem(result) == "cursor: was not issued by this server; omit it"
