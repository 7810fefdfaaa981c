import pytest

from webquarry.calls.limits import (
    CallCounter,
    CallCounterPersonalData,
    Limiter,
    LocalCallCounter,
    StoreCallCounter,
    http_limits,
    ip_limit,
    personal_limit,
)
from webquarry.errors import NetworkError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

ACME = Caller(tenant="acme", user="alice")
OTHER = Caller(tenant="other", user="alice")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0 - 1_000_000.0 % 86_400

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["local", "store"])
def counts(request: pytest.FixtureRequest) -> CallCounter:
    store = MemoryStore()
    return (
        LocalCallCounter(lambda: 0) if request.param == "local" else StoreCallCounter(lambda: store)
    )


async def admitted(limiter: Limiter, caller: Caller, tries: int) -> int:
    passed = 0
    for _ in range(tries):
        try:
            await limiter.take(caller)
        except RateLimitError:
            continue
        passed += 1
    return passed


async def test_a_tenant_gets_its_calls_per_minute_and_then_again(counts: CallCounter) -> None:
    clock = Clock()
    limiter = Limiter(http_limits(per_tenant=3, overall=0, daily=0), counts, clock)

    assert await admitted(limiter, ACME, 5) == 3
    assert await admitted(limiter, OTHER, 5) == 3
    clock.now += 60
    assert await admitted(limiter, ACME, 5) == 3


async def test_the_whole_server_has_a_limit_per_second(counts: CallCounter) -> None:
    limiter = Limiter(http_limits(per_tenant=0, overall=4, daily=0), counts, Clock())

    assert await admitted(limiter, ACME, 3) + await admitted(limiter, OTHER, 3) == 4


async def test_a_refusal_says_which_limit_and_when_to_come_back(counts: CallCounter) -> None:
    clock = Clock()
    clock.now += 20
    limiter = Limiter(http_limits(per_tenant=1, overall=0, daily=0), counts, clock)
    await limiter.take(ACME)

    with pytest.raises(RateLimitError) as caught:
        await limiter.take(ACME)

    assert str(caught.value) == (
        "Rate limited: too many calls this minute (RATE_LIMIT_PER_TENANT=1). "
        "Wait 40 seconds and retry."
    )
    assert caught.value.block()["retryAfterSeconds"] == 40


async def test_a_person_has_a_daily_cap_of_their_own(counts: CallCounter) -> None:
    limiter = Limiter((personal_limit(2),), counts, Clock())
    bob = Caller(tenant="acme", user="bob")

    assert (await admitted(limiter, ACME, 3), await admitted(limiter, bob, 3)) == (2, 2)


async def test_nought_means_no_limit(counts: CallCounter) -> None:
    limiter = Limiter(
        (*http_limits(per_tenant=0, overall=0, daily=0), personal_limit(0)), counts, Clock()
    )

    assert await admitted(limiter, ACME, 50) == 50


async def test_windows_that_have_passed_are_forgotten() -> None:
    clock = Clock()
    counts = LocalCallCounter(clock)
    for minute in range(10):
        clock.now += 60
        await counts(f"window:{minute}", ttl=120)

    assert counts.windows <= 3


async def test_a_refused_call_costs_nothing_in_the_other_limits(counts: CallCounter) -> None:
    clock = Clock()
    limiter = Limiter(http_limits(per_tenant=5, overall=2, daily=4), counts, clock)

    assert await admitted(limiter, ACME, 50) == 2
    clock.now += 1
    assert await admitted(limiter, ACME, 50) == 2
    clock.now += 1
    assert await admitted(limiter, ACME, 50) == 0  # the day's four are used up, no more


async def test_a_caller_learns_how_they_stand(counts: CallCounter) -> None:
    clock = Clock()
    clock.now += 20
    limiter = Limiter(http_limits(per_tenant=3, overall=0, daily=10), counts, clock)
    await limiter.take(ACME)

    standings = await limiter.take(ACME)

    assert [(s.limit.name, s.remaining, s.resets_in) for s in standings] == [
        ("RATE_LIMIT_PER_TENANT", 1, 40),
        ("DAILY_QUOTA_PER_TENANT", 8, 86_380),
    ]


async def test_an_address_is_limited_whoever_calls_from_it(counts: CallCounter) -> None:
    limiter = Limiter((ip_limit(2),), counts, Clock())
    here, there = Caller(address="192.0.2.1"), Caller(address="192.0.2.2")

    assert (await admitted(limiter, here, 3), await admitted(limiter, there, 3)) == (2, 2)


async def test_names_with_colons_are_nobody_elses(counts: CallCounter) -> None:
    limiter = Limiter((personal_limit(1),), counts, Clock())

    assert await admitted(limiter, Caller(tenant="a:b", user="c"), 2) == 1
    assert await admitted(limiter, Caller(tenant="a", user="b:c"), 2) == 1


class AwayStore(MemoryStore):
    away = False

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        if self.away:
            raise NetworkError("Redis did not answer", provider="redis")
        return await super().increment(key, by, ttl=ttl)


async def test_limits_hold_in_each_process_while_the_store_is_away() -> None:
    store = AwayStore()
    limiter = Limiter(
        http_limits(per_tenant=3, overall=0, daily=0), StoreCallCounter(lambda: store), Clock()
    )
    store.away = True

    assert await admitted(limiter, ACME, 5) == 3
    store.away = False
    assert await admitted(limiter, ACME, 5) == 3


async def test_a_person_s_counts_are_forgotten_with_them() -> None:
    store, clock = MemoryStore(), Clock()
    limiter = Limiter((personal_limit(2),), StoreCallCounter(lambda: store), clock)
    kept = CallCounterPersonalData(store, clock)
    await admitted(limiter, ACME, 2)

    assert len(await kept.export("acme", "alice")) == 1
    assert await kept.erase("acme", "alice") == 1
    assert await kept.export("acme", "alice") == []
    assert await admitted(limiter, ACME, 5) == 2
