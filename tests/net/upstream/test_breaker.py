"""The circuit breaker with overlapping requests."""

import anyio
import pytest

from tests.replay import FakeClock
from webquarry.errors import NetworkError, RateLimitError
from webquarry.net.upstream.breaker import MAX_PAUSE, Breaker, CircuitOpenError

pytestmark = pytest.mark.anyio


async def _fail(breaker: Breaker, error: Exception) -> None:
    with pytest.raises(type(error)):
        async with breaker.guard():
            raise error


@pytest.fixture
def time() -> FakeClock:
    return FakeClock()


@pytest.fixture
def breaker(time: FakeClock) -> Breaker:
    return Breaker(failures=1, pause=60, now=time.now)


async def test_a_half_open_breaker_admits_one_request(breaker: Breaker, time: FakeClock) -> None:
    await _fail(breaker, NetworkError("x"))
    time.time += 60

    async with breaker.guard():
        with pytest.raises(CircuitOpenError):
            async with breaker.guard():
                pass
    assert breaker.health.state == "closed"


async def test_a_cancelled_trial_request_allows_another(breaker: Breaker, time: FakeClock) -> None:
    await _fail(breaker, NetworkError("x"))
    time.time += 60

    with anyio.CancelScope() as scope:
        async with breaker.guard():
            scope.cancel()
            await anyio.lowlevel.checkpoint()
    assert breaker.health.state == "half_open"
    async with breaker.guard():
        pass
    assert breaker.health.state == "closed"


async def test_the_success_of_an_earlier_request_does_not_close_the_breaker(
    breaker: Breaker,
) -> None:
    async with breaker.guard():
        await _fail(breaker, RateLimitError("x", retry_after=5))

    assert breaker.health.state == "open"
    assert breaker.health.retry_after == 5


async def test_a_long_retry_after_is_limited(breaker: Breaker) -> None:
    await _fail(breaker, RateLimitError("x", retry_after=10**6))

    assert breaker.health.retry_after == MAX_PAUSE
