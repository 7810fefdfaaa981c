"""The call path: what every tool gets without asking for it."""

import asyncio
import json
from typing import Any

import pytest

from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.calls.paging import Budgeted
from webquarry.calls.result_cache import freshness
from webquarry.calls.tool import AnyTool, CacheRule, Call, ToolOptions, tool
from webquarry.errors import RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import ImageBlock, Result, TextBlock, error_result, text_result
from webquarry.observe.call_context import CallRecord
from webquarry.storage.cached_result_owners import OwnedResults

pytestmark = pytest.mark.anyio


class In(Budgeted):
    query: str


class Out(Model):
    answer: str
    notes: tuple[str, ...] = ()


class Probe:
    """A tool whose behaviour the test decides, and which counts its runs."""

    def __init__(self, options: ToolOptions | None = None) -> None:
        self.runs = 0
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.release.set()
        self.fails: Exception | None = None
        self.cancelled = False
        self.meta: dict[str, Any] = {}

        @tool("web", options)
        async def probe(args: In, call: Call) -> Out:
            """Answer a question."""
            self.runs += 1
            self.started.set()
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
            if self.fails:
                raise self.fails
            call.meta.update(self.meta)
            await call.progress(1, 2, "half")
            return Out(answer=f"{args.query}!")

        self.tool: AnyTool = probe


CACHED = ToolOptions(cache=CacheRule(1800))


async def test_a_rate_limit_is_told_in_a_sentence_and_a_block() -> None:
    probe = Probe()
    probe.fails = RateLimitError(
        "Rate limited (google). Wait 60 seconds and retry, or try a different provider.",
        provider="google",
    )

    result = await CallHarness((probe.tool,)).call("probe", {"query": "owls"})

    assert result.is_error
    assert result.structured is None
    assert text_of(result) == (
        # the tool has no argument that chooses another provider
        "Rate limited (google). Wait 60 seconds and retry.\n\n"
        '{"error":{"kind":"rate_limited","retryable":true,"retryAfterSeconds":60,'
        '"suggestedAction":"retry_after_delay","provider":"google"}}'
    )


async def test_a_bug_in_a_tool_never_shows_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    probe = Probe()
    probe.fails = ZeroDivisionError("secret detail")

    result = await CallHarness((probe.tool,)).call("probe", {"query": "owls"})

    assert text_of(result) == (
        "probe failed inside the server; see its log, request r1.\n\n"
        '{"error":{"kind":"internal","retryable":false,"suggestedAction":"report_bug"}}'
    )
    assert "secret detail" in caplog.text


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    probe = Probe()
    probe.release.clear()

    result = await CallHarness((probe.tool,), {"timeout": 0.01}).call("probe", {"query": "owls"})

    assert probe.cancelled
    assert result.problem is not None
    assert result.problem.message == "probe did not finish within 0.01 seconds."
    assert result.problem.block["kind"] == "network"


async def test_a_timeout_inside_the_tool_is_not_taken_for_the_deadline() -> None:
    probe = Probe()
    probe.fails = TimeoutError("some socket")

    result = await CallHarness((probe.tool,)).call("probe", {"query": "owls"})

    assert result.problem is not None
    assert result.problem.block["kind"] == "internal"


async def test_cancelling_a_call_stops_its_work() -> None:
    probe = Probe(CACHED)
    probe.release.clear()
    desk = CallHarness((probe.tool,))
    call = asyncio.create_task(desk.call("probe", {"query": "owls"}))
    await probe.started.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.sleep(0)

    assert probe.cancelled
    assert [r.outcome for r in desk.records] == ["cancelled"]


async def test_a_second_call_comes_from_the_cache_and_says_so() -> None:
    probe = Probe(CACHED)
    desk = CallHarness((probe.tool,))

    first = await desk.call("probe", {"query": "owls"})
    second = await desk.call("probe", {"query": "owls", "max_tokens": 1000}, caller=BOB)

    fresh = {"ageSeconds": 0, "maxAgeSeconds": 1800, "freshness": "fresh"}
    assert first.meta == {"cached": False, **fresh}
    assert second == first.model_copy(update={"meta": {"cached": True, **fresh}})
    assert probe.runs == 1
    assert [r.cached for r in desk.records] == [False, True]


async def test_every_argument_is_part_of_the_cache_key() -> None:
    probe = Probe(CACHED)
    desk = CallHarness((probe.tool,))

    await desk.call("probe", {"query": "owls"})
    other = await desk.call("probe", {"query": "Owls"})

    assert other.structured == {"answer": "Owls!", "notes": []}


async def test_tenants_have_caches_of_their_own_when_isolated() -> None:
    probe = Probe(CACHED)
    desk = CallHarness((probe.tool,), {"isolate_cache": True})

    await desk.call("probe", {"query": "owls"})
    await desk.call("probe", {"query": "owls"}, caller=Caller(tenant="other", user="alice"))

    assert probe.runs == 2


@pytest.mark.parametrize("caller", [ALICE, ALICE.model_copy(update={"proved": True})])
async def test_a_cached_result_belongs_to_whoever_authenticated(caller: Caller) -> None:
    probe = Probe(CACHED)
    desk = CallHarness((probe.tool,))

    await desk.call("probe", {"query": "owls"}, caller=caller)
    await desk.path.close()

    store = desk.services.store
    (cached,) = [key async for key in store.scan("cache:")]
    owned = [record["name"] for record in await OwnedResults(store).export("acme", "alice")]
    assert owned == ([cached] if caller.proved else [])


async def test_errors_and_unwanted_bodies_are_not_cached() -> None:
    probe = Probe(ToolOptions(cache=CacheRule(60, cacheable=lambda body: bool(body["notes"]))))
    desk = CallHarness((probe.tool,))

    await desk.call("probe", {"query": "owls"})
    await desk.call("probe", {"query": "owls"})

    assert probe.runs == 2


async def test_routing_and_freshness_share_meta_and_stay_out_of_the_body() -> None:
    probe = Probe(CACHED)
    probe.meta = {"routing": {"provider_used": "brave"}}
    desk = CallHarness((probe.tool,))

    result = await desk.call("probe", {"query": "owls"})

    assert result.meta["routing"] == {"provider_used": "brave"}
    assert result.meta["cached"] is False
    assert "routing" not in text_of(result)
    assert desk.records[0].routing == {"provider_used": "brave"}


async def test_a_failed_call_still_says_who_was_asked() -> None:
    @tool("web", CACHED)
    async def ask(args: In, call: Call) -> Out:
        """Ask in vain."""
        call.meta["routing"] = {"providers_attempted": ["brave"]}
        raise RateLimitError("Rate limited (brave).", provider="brave")

    desk = CallHarness((ask,))
    result = await desk.call("ask", {"query": "owls"})

    assert result.meta == {"routing": {"providers_attempted": ["brave"]}}
    assert desk.records[0].routing == {"providers_attempted": ["brave"]}


async def test_identical_calls_at_once_run_once_and_all_hear_of_progress() -> None:
    probe = Probe(CACHED)
    probe.release.clear()
    desk = CallHarness((probe.tool,))
    heard: list[str] = []

    def listener(name: str) -> Any:
        async def report(done: float, total: float | None, message: str | None) -> None:
            heard.append(f"{name} {done:g}/{total:g} {message}")

        return report

    calls = [
        asyncio.create_task(desk.call("probe", {"query": "owls"}, report=listener(name)))
        for name in ("one", "two")
    ]
    await probe.started.wait()
    await asyncio.sleep(0)
    probe.release.set()
    results = await asyncio.gather(*calls)

    assert results[0] == results[1]
    assert probe.runs == 1
    assert heard == ["one 1/2 half", "two 1/2 half"]


async def test_one_caller_leaving_does_not_take_the_answer_from_the_other() -> None:
    probe = Probe(CACHED)
    probe.release.clear()
    desk = CallHarness((probe.tool,))
    leaving = asyncio.create_task(desk.call("probe", {"query": "owls"}))
    await probe.started.wait()
    staying = asyncio.create_task(desk.call("probe", {"query": "owls"}))
    await asyncio.sleep(0)

    leaving.cancel()
    await asyncio.sleep(0)
    probe.release.set()

    assert (await staying).structured == {"answer": "owls!", "notes": []}
    assert not probe.cancelled


async def test_a_tool_can_act_on_fresh_and_on_cached_results() -> None:
    seen: list[tuple[In, Out, str]] = []

    async def note(args: In, out: Out, call: Call) -> None:
        seen.append((args, out, call.caller.user))

    probe = Probe(ToolOptions(cache=CacheRule(60), after_call=note))
    desk = CallHarness((probe.tool,))
    await desk.call("probe", {"query": "owls", "max_tokens": 1000})
    await desk.call("probe", {"query": "owls", "max_tokens": 2000}, caller=BOB)

    out = Out(answer="owls!")
    assert seen == [
        (In(query="owls", max_tokens=1000), out, "alice"),
        (In(query="owls", max_tokens=2000), out, "bob"),
    ]


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (None, True),
        ({"tool:*"}, True),
        ({"tool:probe"}, True),
        ({"toolset:web"}, True),
        ({"research"}, True),
        ({"tool:other", "toolset:data"}, False),
        (set[str](), False),
    ],
)
async def test_a_scope_is_needed_once_scopes_are_enforced(
    scopes: set[str] | None, *, allowed: bool
) -> None:
    caller = Caller(scopes=None if scopes is None else frozenset(scopes))

    result = await CallHarness((Probe().tool,)).call("probe", {"query": "owls"}, caller=caller)

    assert result.is_error is not allowed


async def test_a_refused_admission_keeps_the_tool_from_running() -> None:
    async def refuse(_: Caller) -> None:
        raise RateLimitError("too many calls", retry_after=7)

    probe = Probe()
    result = await CallHarness((probe.tool,), {"admit": refuse}).call("probe", {"query": "owls"})

    assert probe.runs == 0
    assert result.problem is not None
    assert result.problem.block["retryAfterSeconds"] == 7


async def test_a_call_is_recorded_with_its_outcome() -> None:
    probe = Probe()
    desk = CallHarness((probe.tool,))
    await desk.call("probe", {"query": "owls"})
    await desk.call("probe", {"quest": "owls"})

    assert [(r.tool, r.caller, r.query, r.outcome) for r in desk.records] == [
        ("probe", ALICE, "owls", "ok"),
        ("probe", ALICE, None, "validation"),
    ]
    assert isinstance(desk.records[0], CallRecord)


async def test_pictures_of_a_cached_result_are_kept() -> None:
    picture = ImageBlock(data="aGk=", mimeType="image/png")

    @tool("web", ToolOptions(cache=CacheRule(60)))
    async def chart(args: In, _: Call) -> tuple[Out, Result]:
        """Draw."""
        return Out(answer=args.query), Result(content=(picture,))

    desk = CallHarness((chart,))
    first = await desk.call("chart", {"query": "x"})
    second = await desk.call("chart", {"query": "x"})

    assert first.content == (TextBlock(text="answer: x"), picture)
    assert second.content == first.content


async def test_a_tool_may_speak_or_fail_in_its_own_words() -> None:
    @tool("web")
    async def talk(args: In, _: Call) -> Result:
        """Talk."""
        return error_result("no") if args.query == "fail" else text_result("yes")

    desk = CallHarness((talk,))

    assert await desk.call("talk", {"query": "x"}) == text_result("yes")
    assert await desk.call("talk", {"query": "fail"}) == error_result("no")
    assert [r.outcome for r in desk.records] == ["ok", "error"]


@pytest.mark.parametrize(
    ("age", "label"), [(0, "fresh"), (49, "fresh"), (50, "aging"), (79, "aging"), (80, "expiring")]
)
def test_freshness_is_told_by_the_share_of_the_lifetime(age: float, label: str) -> None:
    assert freshness(age, 100, cached=True) == {
        "cached": True,
        "ageSeconds": age,
        "maxAgeSeconds": 100,
        "freshness": label,
    }


async def test_the_wire_form_leaves_out_what_is_not_there() -> None:
    result = await CallHarness((Probe().tool,)).call("probe", {"query": "owls"})

    assert json.loads(json.dumps(result.wire())) == {
        "content": [{"type": "text", "text": "answer: owls!"}],
        "structuredContent": {"answer": "owls!", "notes": []},
    }
