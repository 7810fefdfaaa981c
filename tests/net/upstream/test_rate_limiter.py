"""A pace that several processes keep together."""

import asyncio

import pytest

from tests.replay import StillClock
from webquarry.errors import RateLimitError
from webquarry.net.upstream.rate_limiter import SharedRateLimiter
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


async def test_all_processes_queue_in_one_line() -> None:
    store, still = MemoryStore(), StillClock()
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    clock = still.clock()
    paces = [
        SharedRateLimiter(store, "owl", 2, clock=type(clock)(today=clock.today, sleep=note))
        for _ in range(3)
    ]

    await asyncio.gather(*(pace.turn() for pace in (*paces, *paces)))

    assert sorted(round(wait, 6) for wait in waits) == [0.5, 1.0, 1.5, 2.0, 2.5]


async def test_a_line_that_is_too_long_says_when_to_come_back() -> None:
    store, still = MemoryStore(), StillClock()
    await store.set("pace:owl", repr(still.now() + 15.2).encode())

    with pytest.raises(RateLimitError, match="owl") as caught:
        await SharedRateLimiter(store, "owl", 1, clock=still.clock()).turn()

    assert caught.value.retry_after == pytest.approx(15.2)
    assert still.slept == []


async def test_a_clock_that_was_set_back_does_not_stop_everybody() -> None:
    store, still = MemoryStore(), StillClock()
    await store.set("pace:owl", repr(still.now() + 3600).encode())

    await SharedRateLimiter(store, "owl", 1, clock=still.clock()).turn()

    assert still.slept == []


async def test_a_process_that_holds_the_line_is_not_waited_for_endlessly() -> None:
    store, still = MemoryStore(), StillClock()
    pace = SharedRateLimiter(store, "owl", 1, clock=still.clock(), patience=0.01)

    async with store.lock("pace:owl", ttl=60):
        with pytest.raises(RateLimitError):
            await pace.turn()
