"""Every text that is cut can be read to the end by a client that passes on nothing but text."""

import re
from typing import Any

import pytest

from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.calls.paging import Cursor
from webquarry.calls.result_text import result_text
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.content.text.token_count import json_size
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result
from webquarry.tools import TOOLS

pytestmark = pytest.mark.anyio

NOTICE = re.compile(
    r"\n\nPart (\d+) of (\d+)(?:\. Call again with cursor=(\S+) for the rest\.|.*)$"
)
ROWS = [{"url": f"https://example.org/{n}", "title": f"Row {n}: é “quoted”"} for n in range(900)]
TOKENS = 2000


class In(Model):
    topic: str
    cursor: Cursor = None


class Out(Model):
    total: int
    rows: list[dict[str, str]]


def rows_tool(runs: list[str], options: ToolOptions | None = None, name: str = "rows") -> AnyTool:
    async def rows(args: In, _: Call) -> Out:
        """Return many rows."""
        runs.append(args.topic)
        return Out(total=len(ROWS), rows=ROWS)

    rows.__name__ = name
    return tool("web", options)(rows)


def harness(*tools: AnyTool) -> CallHarness:
    return CallHarness(tools, {"summary_tokens": TOKENS})


async def read_on(desk: CallHarness, name: str, first: Result) -> list[str]:
    """Return all parts as a model gets them that follows the last sentence of each."""
    parts, text = list[str](), text_of(first)
    while True:
        match = NOTICE.search(text)
        assert match, text[-200:]
        parts.append(text[: match.start()])
        assert int(match[1]) == len(parts)
        if not match[3]:
            assert match[1] == match[2]
            return parts
        text = text_of(await desk.call(name, {"cursor": match[3]}))


def words(*texts: str) -> list[str]:
    return " ".join(texts).split()


@pytest.mark.parametrize("heavy", [False, True])
async def test_the_parts_of_a_text_join_to_the_whole(*, heavy: bool) -> None:
    runs: list[str] = []
    desk = harness(rows_tool(runs, ToolOptions(heavy=heavy)))

    first = await desk.call("rows", {"topic": "owls"})
    parts = await read_on(desk, "rows", first)

    assert words(*parts) == words(result_text({"total": len(ROWS), "rows": ROWS}))
    assert len(parts) > 3
    assert max(map(json_size, parts)) <= 4 * TOKENS
    assert runs == ["owls"]


async def test_data_is_whole_beside_a_text_in_parts() -> None:
    result = await harness(rows_tool([])).call("rows", {"topic": "owls"})

    assert result.structured == {"total": len(ROWS), "rows": ROWS}
    assert result.meta["part"]["number"] == 1


async def test_a_linked_result_and_its_parts_carry_the_cursor_as_data_too() -> None:
    desk = harness(rows_tool([], ToolOptions(heavy=True)))

    result = await desk.call("rows", {"topic": "owls"})
    seen: list[str] = []
    while result.structured and "nextCursor" in result.structured:
        seen.append(result.structured["summary"])
        assert seen[-1] == text_of(result)
        result = await desk.call("rows", {"cursor": result.structured["nextCursor"]})

    assert result.structured == {"summary": text_of(result), "linked": True}
    assert len(seen) + 1 == result.meta["part"]["of"] == result.meta["part"]["number"]


async def test_a_summary_says_how_to_get_the_full_text() -> None:
    options = ToolOptions(heavy=True, summary=lambda body, _: f"{body['total']} rows.")
    desk = harness(rows_tool([], options))

    summary = text_of(await desk.call("rows", {"topic": "owls"}))
    match = re.search(r"\[Shortened\. Call again with cursor=(\S+) for the full text, in", summary)

    assert summary.startswith("900 rows.\n\n[Shortened.")
    assert match
    first = await desk.call("rows", {"cursor": match[1]})
    parts = await read_on(desk, "rows", first)
    assert words(*parts) == words(result_text({"total": len(ROWS), "rows": ROWS}))


async def test_a_text_within_the_limit_of_the_caller_is_whole() -> None:
    class Budget(In):
        max_tokens: int = 100_000

    @tool("web")
    async def rows(args: Budget, _: Call) -> Out:
        """Return many rows."""
        return Out(total=len(args.topic), rows=ROWS)

    text = text_of(await harness(rows).call("rows", {"topic": "owls"}))

    assert text == result_text({"total": 4, "rows": ROWS})


async def test_a_tool_without_a_cursor_returns_its_whole_text() -> None:
    class Plain(Model):
        topic: str

    @tool("web")
    async def rows(args: Plain, _: Call) -> Out:
        """Return many rows."""
        return Out(total=len(args.topic), rows=ROWS)

    text = text_of(await harness(rows).call("rows", {"topic": "owls"}))

    assert text == result_text({"total": 4, "rows": ROWS})


def message(result: Result) -> str:
    assert result.problem is not None
    return result.problem.message


async def test_a_cursor_is_for_one_person_and_one_tool() -> None:
    desk = harness(rows_tool([]), rows_tool([], name="others"))
    match = NOTICE.search(text_of(await desk.call("rows", {"topic": "owls"})))
    assert match
    cursor = match[3]

    async def refusal(name: str, cursor: str, caller: Caller = ALICE) -> str:
        return message(await desk.call(name, {"cursor": cursor}, caller=caller))

    expired = "cursor: has expired; call again without it"
    unknown = "cursor: was not issued by this server; omit it"
    assert await refusal("rows", cursor, BOB) == expired
    assert await refusal("rows", cursor.replace("text-2", "text-99")) == unknown
    assert await refusal("rows", cursor.replace("text-2", "text-0")) == unknown
    assert await refusal("others", cursor) == (
        "cursor: belongs to a result of rows; pass it to that tool"
    )


@pytest.mark.parametrize("cursor", ["text-2-xyz", "abc", "text-1-" + "0" * 63])
async def test_an_invented_cursor_is_not_ignored(cursor: str) -> None:
    runs: list[str] = []

    result = await harness(rows_tool(runs)).call("rows", {"topic": "owls", "cursor": cursor})

    assert message(result) == "cursor: was not issued by this server; omit it"
    assert not runs


async def test_an_artifact_that_is_no_text_is_refused_as_a_cursor() -> None:
    desk = harness(rows_tool([]))
    artifact = await desk.services.artifacts.put(
        b"[1]", mime="application/json", tenant="acme", owner="alice"
    )

    result = await desk.call("rows", {"cursor": f"text-1-{artifact.id}"})

    assert message(result) == "cursor: was not issued by this server; omit it"


# the results of these may be longer than a model reads at once
LONG = (
    "academic_search", "audit_bibliography", "cinder_map", "clinical_search", "citation_graph",
    "format_bibliography", "research_export", "verify_recommendation", "search_and_scrape",
    "scrape_page", "web_search",
)  # fmt: skip


def test_tools_with_long_results_take_a_cursor_and_promise_no_field() -> None:
    tools: dict[str, Any] = {entry.name: entry.load() for entry in TOOLS}

    for name in LONG:
        assert tools[name].takes_cursor, name
    for each in tools.values():
        if each.takes_cursor:
            assert "required" not in each.definition().get("outputSchema", {}), each.name
            assert each.definition()["inputSchema"]["properties"]["cursor"]["type"] == "string"
