"""A second instance is asked when the first is slow. Time is virtual: no test waits."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.searxng.fakes import PLAIN, A, B, C, World, body, finds, results, says, text
from tests.virtual_time import VirtualTimeLoop, virtual_clock
from webquarry.errors import NetworkError, ProviderError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.searxng.catalogue import SEARX_SPACE, Catalogue
from webquarry.searxng.hedged_search import HedgeBudget
from webquarry.searxng.instance import Instance
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.pool import Pool
from webquarry.searxng.query_values import AttemptOutcome, PoolResult, SearxngQuery

pytestmark = pytest.mark.anyio
OWLS = SearxngQuery(text="owls", count=1)
ONE, TWO = "https://example.org/1", "https://example.org/2"
NEVER = 10_000.0
_BUILT_IN = {instance.url for instance in Catalogue(SEARX_SPACE, World(), Clock()).fallback}
CANCELLED = "cancelled: another instance responded first"
LATE = "cancelled: no response in time"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], VirtualTimeLoop]]]:
    return "asyncio", {"loop_factory": VirtualTimeLoop}


class SlowWorld(World):
    """Instances that respond after so many seconds; records those that were cancelled."""

    def __init__(self, **seconds: float) -> None:
        super().__init__(**{_url(name): finds(f"https://example.org/{name}") for name in seconds})
        self.seconds = {_url(name): delay for name, delay in seconds.items()}
        self.cancelled: list[str] = []
        self.in_flight = self.most_in_flight = 0

    async def send(self, request: ApiRequest) -> FetchedResponse:
        base = request.url.removesuffix("/search").removesuffix("/healthz")
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(self.seconds[base])
        except asyncio.CancelledError:
            self.cancelled.append(base)
            raise
        finally:
            self.in_flight -= 1
        return await super().send(request)


def _url(name: str) -> str:
    return f"https://{name}.example"


def pool_of(there: World) -> Pool:
    urls = ";".join(there.instances)
    return open_pool(there, {"SEARXNG_URL": urls}, options=PLAIN, clock=virtual_clock())


async def test_a_hanging_instance_costs_one_second_and_its_neighbour_answers() -> None:
    there = SlowWorld(a=NEVER, b=0.07)

    found = await pool_of(there).search(OWLS)

    assert (found.instance, found.milliseconds) == (B, 1070)
    assert found.attempts == (
        AttemptOutcome(instance=B, outcome="ok"),
        AttemptOutcome(instance=A, outcome=CANCELLED),
    )
    assert found.selection_reason.endswith("; asked because another is slow")
    assert there.cancelled == [A]


async def test_the_loser_is_neither_well_nor_ill_but_slow() -> None:
    there = SlowWorld(a=NEVER, b=0.07)
    pool = pool_of(there)
    await pool.maintenance.load_state()
    before = pool.instances.by_url[A]

    await pool.search(OWLS)

    now = pool.clock.time()
    assert pool.instances.by_url[A] == replace(before, response_time=2140, measured_at=now)
    assert pool.engines.report()[0]["searches"] == 1


async def test_a_slow_instance_is_not_asked_every_other_time() -> None:
    there = SlowWorld(a=8.0, b=0.07)
    pool = pool_of(there)

    took = [(await pool.search(OWLS)).milliseconds for _ in range(10)]

    assert took == [1070, *[70] * 9]
    assert there.asked == [B] * 10  # A was cancelled before it responded


async def test_the_delay_is_the_90th_percentile_of_the_pool() -> None:
    there = SlowWorld(a=0.7, b=0.6)
    pool = pool_of(there)
    for _ in range(2):
        await pool.search(OWLS)
    there.seconds |= {A: 0.4, B: 0.4}
    for _ in range(8):
        await pool.search(OWLS)
    there.seconds[A] = NEVER

    # the second slowest of ten searches took 600 milliseconds
    assert (await pool.search(OWLS)).milliseconds == 600 + 400


async def test_an_instance_as_fast_as_usual_is_not_hedged() -> None:
    there = SlowWorld(a=0.95, b=0.9)
    pool = pool_of(there)
    await pool.search(OWLS)
    there.seconds[A] = 0.9

    for _ in range(9):
        await pool.search(OWLS)

    assert there.most_in_flight == 1
    assert there.cancelled == []


async def test_at_most_two_instances_are_asked_at_a_time() -> None:
    there = SlowWorld(a=NEVER, b=NEVER, c=0.1)

    # a and b are given up after a third of the 30 seconds, 10 and 11 seconds after the start
    found = await pool_of(there).search(OWLS)

    assert (found.instance, found.milliseconds) == (C, 10_100)
    assert there.most_in_flight == 2
    timeout = "Network error ({}): no response within 10 seconds."
    assert found.attempts == (
        AttemptOutcome(instance=A, outcome=timeout.format(A)),
        AttemptOutcome(instance=C, outcome="ok"),
        AttemptOutcome(instance=B, outcome=CANCELLED),
    )


async def test_a_failed_second_request_is_replaced_at_once() -> None:
    there = SlowWorld(a=NEVER, b=0.1, c=0.1)
    there.put(B, says(text("", 500)))

    found = await pool_of(there).search(OWLS)

    assert (found.instance, found.milliseconds) == (C, 1200)


async def test_the_first_instance_may_still_win() -> None:
    there = SlowWorld(a=1.5, b=NEVER)

    found = await pool_of(there).search(OWLS)

    assert (found.instance, found.milliseconds) == (A, 1500)
    assert there.cancelled == [B]


async def test_answers_that_arrive_together_are_fused() -> None:
    there = SlowWorld(a=1.5, b=0.5)  # b is asked after one second
    there.put(A, finds(ONE, TWO))
    there.put(B, finds(TWO, ONE))

    found = await pool_of(there).search(replace(OWLS, count=2))

    assert found.instances == (A, B)
    assert [(hit.url, hit.score) for hit in found.hits] == [(ONE, 0.9919), (TWO, 0.9919)]


async def test_further_pages_are_no_reason_to_ask_another_instance() -> None:
    there = SlowWorld(a=0.8, b=0.1)

    def pages(request: ApiRequest) -> FetchedResponse:
        number = request.params.get("pageno") or 1
        return body(results(*(f"https://example.org/{number}-{n}" for n in range(2))))

    there.put(A, pages)

    found = await pool_of(there).search(replace(OWLS, count=6))

    assert (len(found.hits), found.milliseconds, there.asked) == (6, 2400, [A, A, A])


async def test_a_second_instance_gets_five_seconds_to_complete_few_results() -> None:
    there = SlowWorld(a=0.1, b=NEVER)

    found = await pool_of(there).search(replace(OWLS, count=10))

    assert (found.instances, len(found.hits)) == ((A,), 1)
    # two pages of a, then five seconds for b
    assert found.milliseconds == 5200
    assert found.attempts[1] == AttemptOutcome(instance=B, outcome=LATE)


async def test_failed_engines_are_not_waited_for_longer_than_ten_seconds() -> None:
    there = SlowWorld(a=0.1, b=NEVER)
    there.put(A, finds(unresponsive_engines=[["bing", "timeout"]]))

    found = await pool_of(there).search(OWLS)

    assert (found.hits, found.unresponsive) == ((), (("bing", "timeout"),))
    assert found.milliseconds == 10_100
    assert found.attempts[1] == AttemptOutcome(instance=B, outcome=LATE)


async def test_after_failed_engines_a_slow_instance_is_hedged_too() -> None:
    there = SlowWorld(a=0.1, b=NEVER, c=0.1)
    there.put(A, finds(unresponsive_engines=[["bing", "timeout"]]))

    found = await pool_of(there).search(OWLS)

    # a, then the shortest delay before c is asked as well
    assert (found.instance, found.milliseconds) == (C, 100 + 250 + 100)


async def test_second_requests_of_all_searches_are_capped() -> None:
    there = SlowWorld(a=2.0, b=2.0)
    pool = pool_of(there)

    await asyncio.gather(*(pool.search(OWLS) for _ in range(20)))

    assert there.most_in_flight == 20 + 8
    assert pool.hedge_budget == HedgeBudget(used=0)


async def test_a_cancelled_search_cancels_its_requests() -> None:
    there = SlowWorld(a=NEVER, b=NEVER)
    pool = pool_of(there)
    before = dict(pool.instances.by_url)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await pool.search(OWLS)

    assert sorted(there.cancelled) == [A, B]
    assert there.in_flight == 0
    assert pool.hedge_budget == HedgeBudget(used=0)
    assert all(i.failures == 0 for i in pool.instances.by_url.values())
    assert before == {}


async def test_when_all_hang_the_search_ends_in_time() -> None:
    there = SlowWorld(a=NEVER, b=NEVER)
    pool = pool_of(there)
    started = pool.clock.monotonic()

    with pytest.raises(ProviderError, match="No available SearXNG instances"):
        await pool.search(OWLS)

    # a is given up after 10 seconds, b after 30: there is nobody to ask instead
    assert pool.clock.monotonic() - started <= 36


async def test_a_query_leaves_the_operators_instances_only_after_three_seconds() -> None:
    there = SlowWorld(a=NEVER, b=0.1)
    pool = open_pool(there, {"SEARXNG_URL": A}, options=PLAIN, clock=virtual_clock())
    await pool.maintenance.load_state()
    pool.instances.add(Instance(url=B, grade="A+"))

    found = await pool.search(OWLS)

    assert (found.instance, found.milliseconds) == (B, 3100)


async def test_time_spent_on_politeness_is_not_the_instances() -> None:
    options = replace(PLAIN, request_delay_range=(500, 500))
    there = SlowWorld(a=0.1)
    pool = open_pool(there, {"SEARXNG_URL": A}, options=options, clock=virtual_clock())

    found: list[PoolResult] = await asyncio.gather(*(pool.search(OWLS) for _ in range(3)))

    assert [one.milliseconds for one in found] == [100, 600, 1100]
    assert pool.instances.by_url[A].response_time == 100


async def test_an_error_that_is_no_failure_of_an_instance_ends_the_search() -> None:
    there = SlowWorld(a=NEVER, b=0.1)

    def broken(_: ApiRequest) -> FetchedResponse:
        raise ZeroDivisionError

    there.put(B, broken)

    with pytest.raises(ZeroDivisionError):
        await pool_of(there).search(OWLS)

    assert there.in_flight == 0


async def test_a_network_error_is_followed_by_the_next_instance_without_delay() -> None:
    there = SlowWorld(a=0.2, b=0.1)

    def unreachable(_: ApiRequest) -> FetchedResponse:
        raise NetworkError("the connection was refused")

    there.put(A, unreachable)

    assert (await pool_of(there).search(OWLS)).milliseconds == 300


async def test_a_list_that_does_not_arrive_costs_five_seconds() -> None:
    there = SlowWorld(a=0.1)
    there.seconds |= {"https://searx.space/data/instances.json": NEVER, "https://priv.au": 0.1}
    there.put("https://priv.au", finds(ONE))
    pool = open_pool(there, {}, options=PLAIN, clock=virtual_clock())
    there.seconds |= dict.fromkeys(_BUILT_IN - there.seconds.keys(), NEVER)

    found = await pool.search(OWLS)

    assert found.instance == "https://priv.au"
    assert "a built-in list was used" in found.warnings[0]
    await pool.close()
    assert "https://searx.space/data/instances.json" in there.cancelled
