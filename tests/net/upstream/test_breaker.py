"""The breaker, where requests overlap."""

import anyio
import pytest

from tests.replay import StillClock
from webquarry.errors import NetworkError, RateLimitError
from webquarry.net.upstream.breaker import LONGEST_PAUSE, Breaker, PausedError

pytestmark = pytest.mark.anyio


async def _fail(breaker: Breaker, error: Exception) -> None:
    with pytest.raises(type(error)):
        async with breaker.guard():
            raise error


@pytest.fixture
def time() -> StillClock:
    return StillClock()


@pytest.fixture
def breaker(time: StillClock) -> Breaker:
    return Breaker(failures=1, pause=60, now=time.now)


async def test_only_one_request_tries_at_a_time(breaker: Breaker, time: StillClock) -> None:
    await _fail(breaker, NetworkError("x"))
    time.time += 60

    async with breaker.guard():
        with pytest.raises(PausedError):
            async with breaker.guard():
                pass
    assert breaker.health.state == "closed"


async def test_a_try_that_is_cancelled_leaves_room_for_the_next(
    breaker: Breaker, time: StillClock
) -> None:
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


async def test_an_older_request_that_succeeds_does_not_end_a_pause(breaker: Breaker) -> None:
    async with breaker.guard():
        await _fail(breaker, RateLimitError("x", retry_after=5))

    assert breaker.health.state == "open"
    assert breaker.health.retry_after == 5


async def test_no_header_pauses_an_upstream_for_days(breaker: Breaker) -> None:
    await _fail(breaker, RateLimitError("x", retry_after=10**6))

    assert breaker.health.retry_after == LONGEST_PAUSE
