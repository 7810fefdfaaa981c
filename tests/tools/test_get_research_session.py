"""`get_research_session`: a session recovered."""

from typing import Any

import pytest

from tests.services.sessions.builders import MOMENT, ask, findings, source, step
from tests.support import ALICE, BOB, CallHarness
from webquarry.models.session import ToolFailure
from webquarry.tools.get_research_session import get_research_session

pytestmark = pytest.mark.anyio

NAME = "get_research_session"


async def begin(desk: CallHarness, steps: int = 1) -> str:
    sessions = desk.services.sessions
    begun = await sessions.start(ALICE, "Owls", step(1, knowledgeGap="Range?"))
    for number in range(2, steps + 1):
        await sessions.add_step(ALICE, begun.id, step(number))
    return begun.id


async def recovered(desk: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await desk.call(NAME, arguments)
    assert result.structured, result.content
    return result.structured


async def test_a_session_comes_back_in_summary() -> None:
    desk = CallHarness((get_research_session,))
    session_id = await begin(desk, steps=5)
    await desk.services.sessions.record(ALICE, session_id, findings(source(1, doi="10.1/x")))
    told = await recovered(desk, sessionId=session_id)
    started = told.pop("startedAt")
    assert started.endswith("Z")
    assert told == {
        "sessionId": session_id,
        "responseMode": "summary",
        "researchGoal": "Owls",
        "summary": "Owls. Progress: Step 1.; Step 2.; Step 3.; Step 4.; Step 5.",
        "stepCount": 5,
        "totalStepsEstimate": 5,
        "isComplete": False,
        "stepIndex": [
            {"stepNumber": n, "oneLiner": f"Step {n}.", "branchId": "", "confidence": ""}
            for n in range(1, 6)
        ],
        "lastSteps": [
            {"stepNumber": n, "description": f"Step {n}.", "timestamp": MOMENT} for n in (3, 4, 5)
        ],
        "gaps": [{"description": "Range?", "foundInStep": 1}],
        "sources": [{"url": "https://example.org/1", "title": "Page 1"}],
        "trust": "untrusted-external-content",
    }


async def test_failures_and_providers_are_summed_up() -> None:
    desk = CallHarness((get_research_session,))
    session_id = await begin(desk)
    failed = findings(
        asks=(ask(error="rate_limited"),),
        mishaps=(ToolFailure(kind="blocked", url="https://a.example"),),
    )
    for _ in range(3):
        await desk.services.sessions.record(ALICE, session_id, failed)
    told = await recovered(desk, sessionId=session_id)
    assert [(p["kind"], p["count"], p["affectedUrls"]) for p in told["errorPatterns"]] == [
        ("blocked", 3, ["https://a.example"]),
        ("rate_limited", 3, []),
    ]
    assert told["providerStats"] == {"brave": {"attempts": 3, "successes": 0}}


async def test_an_early_step_is_told_in_full() -> None:
    desk = CallHarness((get_research_session,))
    session_id = await begin(desk, steps=9)
    assert await recovered(desk, sessionId=session_id, stepId=1) == {
        "sessionId": session_id,
        "responseMode": "step",
        "step": {
            "stepNumber": 1,
            "description": "Step 1.",
            "knowledgeGap": "Range?",
            "timestamp": MOMENT,
        },
        "trust": "untrusted-external-content",
    }


async def test_a_missing_step_is_named() -> None:
    desk = CallHarness((get_research_session,))
    result = await desk.call(NAME, {"sessionId": await begin(desk, steps=2), "stepId": 7})
    assert result.problem
    assert result.problem.message == "Step 7 not found in this session; it has [1, 2]."
    assert result.problem.block["kind"] == "not_found"


async def test_a_session_of_somebody_else_is_not_found() -> None:
    desk = CallHarness((get_research_session,))
    result = await desk.call(NAME, {"sessionId": await begin(desk)}, caller=BOB)
    assert result.problem
    assert result.problem.message == (
        "Session not found. Sessions are kept until they are deleted."
    )


async def test_a_long_session_is_cut_to_its_budget_and_goes_on() -> None:
    desk = CallHarness((get_research_session,))
    session_id = await begin(desk)
    many = findings(*(source(n) for n in range(100)))
    await desk.services.sessions.record(ALICE, session_id, many)
    found: list[str] = []
    page = await recovered(desk, sessionId=session_id, max_tokens=600)
    while True:
        found += [s["url"] for s in page["sources"]]
        if "nextCursor" not in page:
            break
        page = await recovered(
            desk, sessionId=session_id, max_tokens=600, cursor=page["nextCursor"]
        )
    assert found == [f"https://example.org/{n}" for n in range(100)]


async def test_recovering_is_no_finding_of_the_session() -> None:
    desk = CallHarness((get_research_session,))
    session_id = await begin(desk)
    result = await desk.call(NAME, {"sessionId": session_id})
    assert "session" not in result.meta
    assert (await desk.services.sessions.get(ALICE, session_id)).batch_count == 1
