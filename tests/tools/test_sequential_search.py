"""`sequential_search`: steps as an assistant sends them, and what it is told."""

from typing import Any, cast

import pytest

from tests.services.searching.fakes import page, pages, provider
from tests.services.sessions.builders import findings, source
from tests.support import ALICE, BOB, CallHarness, services
from webquarry.calls.tool import ToolAnnotations
from webquarry.errors import RateLimitError
from webquarry.models.result import Result
from webquarry.providers.provider import Provider
from webquarry.tools.get_research_session import get_research_session
from webquarry.tools.sequential_search import sequential_search

pytestmark = pytest.mark.anyio

GONE = "Session not found. Sessions are kept until they are deleted."


class Researcher:
    """Takes steps in one session."""

    def __init__(self, *providers: Any) -> None:
        over = services(*(cast("Provider", p) for p in providers))
        self.desk = CallHarness((sequential_search, get_research_session), services=over)
        self.id: str | None = None

    async def step(self, number: int, text: str = "Look.", **told: Any) -> dict[str, Any]:
        result = await self.ask(number, text, **told)
        assert result.structured, result.content
        self.id = result.structured["sessionId"]
        return result.structured

    async def ask(self, number: int, text: str = "Look.", **told: Any) -> Result:
        arguments = {"searchStep": text, "stepNumber": number, "nextStepNeeded": True}
        known = {"sessionId": self.id} if self.id else {}
        return await self.desk.call("sequential_search", arguments | known | told)


def message(result: Result) -> str:
    assert result.problem
    return result.problem.message


async def test_the_first_step_opens_a_session() -> None:
    first = await Researcher().step(
        1,
        "Find the range.",
        researchGoal="Owls",
        reasoning="It is basic.",
        confidence="low",
        rejectedApproaches=["guessing"],
        totalStepsEstimate=4,
        knowledgeGap="Do they migrate?",
    )
    moment = first["startedAt"]
    step = {
        "stepNumber": 1,
        "description": "Find the range.",
        "reasoning": "It is basic.",
        "confidence": "low",
        "rejectedApproaches": ["guessing"],
        "knowledgeGap": "Do they migrate?",
    }
    told = first["lastSteps"][0].pop("timestamp")
    assert told >= moment[:19]
    assert first == {
        "sessionId": first["sessionId"],
        "responseMode": "full",
        "researchGoal": "Owls",
        "currentStep": 1,
        "totalStepsEstimate": 4,
        "isComplete": False,
        "startedAt": moment,
        "trust": "untrusted-external-content",
        "steps": [
            {"stepNumber": 1, "oneLiner": "Find the range.", "branchId": "", "confidence": "low"}
        ],
        "lastSteps": [step],
        "gaps": [{"description": "Do they migrate?", "foundInStep": 1}],
    }


async def test_a_later_step_without_its_session_is_refused_with_advice() -> None:
    desk = CallHarness((sequential_search,))
    result = await desk.call(
        "sequential_search", {"searchStep": "On.", "stepNumber": 2, "nextStepNeeded": True}
    )
    assert message(result) == (
        "sessionId: is required from step 2 on. Pass the one step 1 returned, recover with "
        "get_research_session, or restart at stepNumber 1."
    )
    assert await desk.services.sessions.ids(ALICE) == []


async def test_an_expired_or_foreign_session_is_told_alike() -> None:
    researcher = Researcher()
    await researcher.step(1)
    arguments = {"searchStep": "On.", "stepNumber": 2, "nextStepNeeded": True}
    theirs = await researcher.desk.call(
        "sequential_search", arguments | {"sessionId": researcher.id}, caller=BOB
    )
    unknown = await researcher.ask(2, sessionId="00000000-0000-4000-8000-000000000000")
    for result in (theirs, unknown):
        assert message(result) == GONE
        assert result.problem
        assert result.problem.block["kind"] == "session_not_found"
        assert result.problem.block["recoveryHint"] == {"lastKnownStep": 1, "canResume": False}


async def test_up_to_eight_steps_come_in_full_and_more_in_summary() -> None:
    researcher = Researcher()
    told = await researcher.step(1, researchGoal="Owls")
    for number in range(2, 9):
        told = await researcher.step(number, f"Step {number}.")
    assert (told["responseMode"], len(told["steps"])) == ("full", 8)
    assert not {"summary", "stepIndex"} & told.keys()
    told = await researcher.step(9, "Step 9.")
    assert (told["responseMode"], len(told["stepIndex"])) == ("summary", 9)
    assert told["summary"] == "Owls. Progress: Step 5.; Step 6.; Step 7.; Step 8.; Step 9."
    assert "steps" not in told
    assert [s["stepNumber"] for s in told["lastSteps"]] == [7, 8, 9]
    assert (await researcher.step(10, responseMode="full"))["responseMode"] == "full"
    assert (await researcher.step(11, responseMode="summary", sessionSummary="Mine."))[
        "summary"
    ] == "Mine."


async def test_a_long_session_lists_its_latest_and_says_how_many_are_omitted() -> None:
    researcher = Researcher()
    await researcher.step(1)
    assert researcher.id
    many = findings(*(source(n) for n in range(70)))
    await researcher.desk.services.sessions.record(ALICE, researcher.id, many)
    for number in range(2, 61):
        await researcher.step(number)
    told = await researcher.step(61)
    assert [entry["stepNumber"] for entry in told["stepIndex"]] == list(range(42, 62))
    assert [s["url"] for s in told["sources"]] == [
        f"https://example.org/{n}" for n in range(50, 70)
    ]
    assert told["omitted"] == {"steps": 41, "sources": 50}
    whole = await researcher.step(62, responseMode="full")
    assert (len(whole["steps"]), len(whole["sources"])) == (62, 70)
    assert "omitted" not in whole


async def test_revisions_and_branches_are_kept() -> None:
    researcher = Researcher()
    await researcher.step(1)
    await researcher.step(2, isRevision=True, revisesStep=1)
    told = await researcher.step(3, branchFromStep=1, branchId="alt")
    assert [
        {k: v for k, v in step.items() if k not in {"description", "timestamp"}}
        for step in told["lastSteps"]
    ] == [
        {"stepNumber": 1, "supersededBy": 2},
        {"stepNumber": 2, "isRevision": True, "revisesStep": 1},
        {"stepNumber": 3, "branchFromStep": 1, "branchId": "alt"},
    ]
    assert told["steps"][2]["branchId"] == "alt"


async def test_a_step_cannot_revise_what_is_not_there() -> None:
    researcher = Researcher()
    assert message(await researcher.ask(1, revisesStep=1)) == (
        "revisesStep, branchFromStep: a new session has no earlier step"
    )
    await researcher.step(1)
    assert message(await researcher.ask(2, revisesStep=7)) == (
        "revisesStep: no step 7 in this session; there are [1]"
    )


async def test_the_last_step_completes_the_session() -> None:
    researcher = Researcher()
    assert "completedAt" not in await researcher.step(1)
    last = await researcher.step(2, nextStepNeeded=False)
    assert last["isComplete"] is True
    assert last["completedAt"] == last["lastSteps"][-1]["timestamp"]


async def test_a_full_session_warns_and_records_nothing_more() -> None:
    researcher = Researcher()
    researcher.desk.services.sessions.max_steps = 2
    await researcher.step(1)
    assert "warning" not in await researcher.step(2)
    told = await researcher.step(3)
    assert told["warning"].startswith("session_limit_reached: the session has 2 steps")
    assert (told["currentStep"], len(told["steps"])) == (3, 2)


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"stepNumber": 0}, "stepNumber"),
        ({"searchStep": ""}, "searchStep"),
        ({"searchStep": "x" * 10_001}, "searchStep"),
        ({"confidence": "sure"}, "confidence"),
        ({"depth": "deep"}, "depth"),
        ({"responseMode": "short"}, "responseMode"),
        ({"goal": "x"}, "goal"),
    ],
)
async def test_a_wrong_argument_is_named(told: dict[str, Any], problem: str) -> None:
    arguments = {"searchStep": "Look.", "stepNumber": 1, "nextStepNeeded": True}
    result = await CallHarness((sequential_search,)).call("sequential_search", arguments | told)
    assert message(result).startswith(f"sequential_search: {problem}: ")


async def test_standard_depth_tells_coverage_and_what_to_search_next() -> None:
    searcher = provider("brave", pages(5))
    researcher = Researcher(searcher)
    told = await researcher.step(
        1, depth="standard", researchGoal="Owl migration in Europe", knowledgeGap="Which routes?"
    )
    assert told["depth"] == "standard"
    assert told["coverage"] == {
        "sourceCount": 0,
        "uniqueDomains": 0,
        "domainSpread": 0.0,
        "sourceTypes": {},
        "gaps": ["thin coverage: only 0 sources"],
    }
    assert told["refinementQueries"] == [
        "Owl migration Europe routes",
        "Owl migration Europe overview",
    ]
    assert not {"refinementResults", "refinementNote"} & told.keys()
    assert searcher.queries == []


async def test_thorough_depth_runs_the_queries_and_records_what_they_find() -> None:
    found = [page(1, "a.example"), page(2, "b.example")]
    searcher = provider("brave", found)
    researcher = Researcher(searcher)
    told = await researcher.step(
        1, depth="thorough", researchGoal="Owl migration", knowledgeGap="Which routes?"
    )
    assert [query.text for query in searcher.queries] == [
        "Owl migration routes",
        "Owl migration overview",
    ]
    results = [{"title": r.title, "url": r.url, "snippet": r.snippet} for r in found]
    assert told["refinementResults"] == [
        {"query": "Owl migration routes", "resultCount": 2, "results": results},
        {"query": "Owl migration overview", "resultCount": 2, "results": results},
    ]
    assert told["sources"] == [{"url": r.url, "title": r.title, "foundInStep": 1} for r in found]
    state = await researcher.desk.services.sessions.get(ALICE, told["sessionId"])
    assert {n: s.model_dump() for n, s in state.provider_stats().items()} == {
        "brave": {"attempts": 2, "successes": 2}
    }


async def test_thorough_depth_runs_three_queries_at_most_and_says_so() -> None:
    searcher = provider("brave", pages(5))
    researcher = Researcher(searcher)
    await researcher.step(1, researchGoal="Owls", knowledgeGap="Range?")
    for number, gap in enumerate(("Diet?", "Calls?", "Nests?"), 2):
        told = await researcher.step(number, knowledgeGap=gap)
    told = await researcher.step(5, depth="thorough")
    assert len(searcher.queries) == len(told["refinementResults"]) == 3
    assert len(told["refinementQueries"]) > 3
    assert told["refinementNote"] == (
        f"Ran 3 of {len(told['refinementQueries'])} suggested queries."
    )


async def test_a_query_that_fails_is_told_beside_those_that_do_not() -> None:
    searcher = provider("brave", RateLimitError("Slow down.", provider="brave"), pages(1))
    researcher = Researcher(searcher)
    told = await researcher.step(1, depth="thorough", researchGoal="Owls", knowledgeGap="Range?")
    first, second = told["refinementResults"]
    assert first == {"query": "Owls Range", "error": "Slow down."}
    assert second["resultCount"] == 1
    state = await researcher.desk.services.sessions.get(ALICE, told["sessionId"])
    assert state.provider_stats()["brave"].model_dump() == {"attempts": 2, "successes": 1}


async def test_without_a_search_provider_the_step_is_still_recorded() -> None:
    researcher = Researcher()
    told = await researcher.step(1, depth="thorough", researchGoal="Owls")
    assert (
        "No provider that searches the web is configured" in told["refinementResults"][0]["error"]
    )
    assert len(told["steps"]) == 1


def test_the_three_research_tools_cost_few_tokens() -> None:
    from webquarry.content.text.token_count import estimate_tokens, json_size
    from webquarry.tools.research_export import research_export

    tools = (sequential_search, get_research_session, research_export)
    assert sum(estimate_tokens(json_size(tool.definition())) for tool in tools) <= 900


def test_clients_are_told_that_a_step_is_written() -> None:
    assert sequential_search.options.annotations == ToolAnnotations(
        read_only=True, idempotent=False, open_world=False
    )


async def test_results_of_the_dominant_site_are_left_out_of_a_search_without_it() -> None:
    def answers(query: Any) -> list[Any]:
        return pages(2, "a.example") if "-site:" in query.text else pages(5, "a.example")

    researcher = Researcher(provider("brave", answers))
    await researcher.step(1, researchGoal="Owls", depth="thorough")
    told = await researcher.step(2, depth="thorough")
    without = next(r for r in told["refinementResults"] if "-site:a.example" in r["query"])
    assert without == {"query": "Owls -site:a.example", "resultCount": 0, "results": []}
    assert researcher.id
    state = await researcher.desk.services.sessions.get(ALICE, researcher.id)
    line = next(entry for entry in state.searches if "-site:" in entry.query)
    assert (line.hits, line.excluded, line.excludedBy, line.screened) == (2, 2, ("site",), 0)
