"""Limits of concurrent requests to one host."""

import asyncio

import pytest

from webquarry.crawl.host_limit import HostLimit

pytestmark = pytest.mark.anyio

HOST = b"h"


async def start_acquiring(
    limit: HostLimit, count: int, share: list[int]
) -> list[asyncio.Task[None]]:
    """Start this many tasks that acquire a slot of the host."""
    tasks = [asyncio.create_task(limit.acquire(HOST, lambda: share[0])) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def count_admitted(tasks: list[asyncio.Task[None]]) -> int:
    for _ in range(20):
        await asyncio.sleep(0)
    return sum(task.done() and not task.cancelled() for task in tasks)


async def test_the_limit_of_the_process_applies_even_if_the_share_is_larger() -> None:
    limit = HostLimit(2)
    tasks = await start_acquiring(limit, 5, [4])

    assert await count_admitted(tasks) == 2
    limit.release(HOST)
    assert await count_admitted(tasks) == 3


async def test_a_larger_share_admits_more_requests() -> None:
    limit, share = HostLimit(8), [1]
    tasks = await start_acquiring(limit, 5, share)
    assert await count_admitted(tasks) == 1

    share[0] = 4
    limit.release(HOST)

    assert await count_admitted(tasks) == 5  # one has ended and four are open


async def test_a_smaller_share_admits_no_request_until_enough_have_ended() -> None:
    limit, share = HostLimit(8), [3]
    tasks = await start_acquiring(limit, 5, share)
    share[0] = 1

    limit.release(HOST)
    limit.release(HOST)
    assert await count_admitted(tasks) == 3
    limit.release(HOST)
    assert await count_admitted(tasks) == 4


async def test_a_cancelled_waiter_does_not_lose_the_slot() -> None:
    limit = HostLimit(1)
    first, second, third = await start_acquiring(limit, 3, [1])
    assert await count_admitted([first, second, third]) == 1

    limit.release(HOST)
    second.cancel()

    assert await count_admitted([first, third]) == 2


async def test_it_counts_the_open_requests_of_a_host() -> None:
    limit = HostLimit(8)
    await count_admitted(await start_acquiring(limit, 3, [8]))
    limit.release(HOST)

    assert (limit.open_requests(HOST), limit.open_requests(b"other")) == (2, 0)


async def test_after_a_pause_one_request_finds_out_whether_the_host_serves_again() -> None:
    limit = HostLimit(8)
    limit.pause(HOST, until=15.0)
    tasks = await start_acquiring(limit, 5, [8])

    assert (limit.is_paused(HOST, 14.9), limit.is_paused(HOST, 15.0)) == (True, False)
    assert await count_admitted(tasks) == 1

    limit.resume(HOST, 15.0)
    limit.release(HOST)
    assert await count_admitted(tasks) == 5


async def test_a_late_response_does_not_end_a_pause() -> None:
    limit = HostLimit(8)
    limit.pause(HOST, until=15.0)

    limit.resume(HOST, 3.0)

    assert limit.is_paused(HOST, 14.0)
