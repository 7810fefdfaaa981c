import pytest

from webquarry.errors import RateLimitError
from webquarry.models.caller import Caller
from webquarry.storage.memory import MemoryStore
from webquarry.tools.limits import (
    Counts,
    Limiter,
    LocalCounts,
    StoreCounts,
    http_limits,
    personal_limit,
)

pytestmark = pytest.mark.anyio

ACME = Caller(tenant="acme", user="alice")
OTHER = Caller(tenant="other", user="alice")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0 - 1_000_000.0 % 86_400

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["local", "store"])
def counts(request: pytest.FixtureRequest) -> Counts:
    return LocalCounts(lambda: 0) if request.param == "local" else StoreCounts(MemoryStore())


async def admitted(limiter: Limiter, caller: Caller, tries: int) -> int:
    passed = 0
    for _ in range(tries):
        try:
            await limiter.admit(caller)
        except RateLimitError:
            continue
        passed += 1
    return passed


async def test_a_tenant_gets_its_calls_per_minute_and_then_again(counts: Counts) -> None:
    clock = Clock()
    limiter = Limiter(http_limits(per_tenant=3, overall=0, daily=0), counts, clock)

    assert await admitted(limiter, ACME, 5) == 3
    assert await admitted(limiter, OTHER, 5) == 3
    clock.now += 60
    assert await admitted(limiter, ACME, 5) == 3


async def test_the_whole_server_has_a_limit_per_second(counts: Counts) -> None:
    limiter = Limiter(http_limits(per_tenant=0, overall=4, daily=0), counts, Clock())

    assert await admitted(limiter, ACME, 3) + await admitted(limiter, OTHER, 3) == 4


async def test_a_refusal_says_which_limit_and_when_to_come_back(counts: Counts) -> None:
    clock = Clock()
    clock.now += 20
    limiter = Limiter(http_limits(per_tenant=1, overall=0, daily=0), counts, clock)
    await limiter.admit(ACME)

    with pytest.raises(RateLimitError) as caught:
        await limiter.admit(ACME)

    assert str(caught.value) == (
        "Rate limited: too many calls this minute (RATE_LIMIT_PER_TENANT=1). "
        "Wait 40 seconds and retry."
    )
    assert caught.value.block()["retryAfterSeconds"] == 40


async def test_a_person_has_a_daily_cap_of_their_own(counts: Counts) -> None:
    limiter = Limiter((personal_limit(2),), counts, Clock())
    bob = Caller(tenant="acme", user="bob")

    assert (await admitted(limiter, ACME, 3), await admitted(limiter, bob, 3)) == (2, 2)


async def test_nought_means_no_limit(counts: Counts) -> None:
    limiter = Limiter(
        (*http_limits(per_tenant=0, overall=0, daily=0), personal_limit(0)), counts, Clock()
    )

    assert await admitted(limiter, ACME, 50) == 50


async def test_windows_that_have_passed_are_forgotten() -> None:
    clock = Clock()
    counts = LocalCounts(clock)
    for minute in range(10):
        clock.now += 60
        await counts(f"window:{minute}", ttl=120)

    assert counts.windows <= 3
