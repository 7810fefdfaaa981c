"""A rate limiter that several processes share."""

import asyncio

import pytest

from tests.replay import FakeClock
from webquarry.errors import RateLimitError
from webquarry.net.upstream.rate_limiter import SharedRateLimiter
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


async def test_all_processes_share_one_queue() -> None:
    store, fake_clock = MemoryStore(), FakeClock()
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    clock = fake_clock.clock()
    paces = [
        SharedRateLimiter(store, "owl", 2, clock=type(clock)(time=clock.time, sleep=note))
        for _ in range(3)
    ]

    await asyncio.gather(*(pace.acquire() for pace in (*paces, *paces)))

    assert sorted(round(wait, 6) for wait in waits) == [0.5, 1.0, 1.5, 2.0, 2.5]


async def test_a_queue_that_is_too_long_says_when_to_retry() -> None:
    store, fake_clock = MemoryStore(), FakeClock()
    await store.set("pace:owl", repr(fake_clock.now() + 15.2).encode())

    with pytest.raises(RateLimitError, match="owl") as caught:
        await SharedRateLimiter(store, "owl", 1, clock=fake_clock.clock()).acquire()

    assert caught.value.retry_after == pytest.approx(15.2)
    assert fake_clock.slept == []


async def test_a_clock_that_was_set_back_does_not_block_requests() -> None:
    store, fake_clock = MemoryStore(), FakeClock()
    await store.set("pace:owl", repr(fake_clock.now() + 3600).encode())

    await SharedRateLimiter(store, "owl", 1, clock=fake_clock.clock()).acquire()

    assert fake_clock.slept == []


async def test_the_wait_for_the_lock_of_another_process_is_limited() -> None:
    store, fake_clock = MemoryStore(), FakeClock()
    pace = SharedRateLimiter(store, "owl", 1, clock=fake_clock.clock(), lock_wait=0.01)

    async with store.lock("pace:owl", ttl=60):
        with pytest.raises(RateLimitError):
            await pace.acquire()
