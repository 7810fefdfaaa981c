"""How many are let in at a time."""

import asyncio

import pytest

from webquarry.crawl.host_limit import HostLimit

pytestmark = pytest.mark.anyio

HOST = b"h"


async def inside(gate: HostLimit, count: int, part: list[int]) -> list[asyncio.Task[None]]:
    """So many who want to be inside; those who may are."""
    tasks = [asyncio.create_task(gate.enter(HOST, lambda: part[0])) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def settled(tasks: list[asyncio.Task[None]]) -> int:
    for _ in range(20):
        await asyncio.sleep(0)
    return sum(task.done() and not task.cancelled() for task in tasks)


async def test_the_limit_of_the_process_comes_first() -> None:
    gate = HostLimit(2)
    tasks = await inside(gate, 5, [4])

    assert await settled(tasks) == 2
    gate.leave(HOST)
    assert await settled(tasks) == 3


async def test_a_part_that_grows_lets_more_in() -> None:
    gate, part = HostLimit(8), [1]
    tasks = await inside(gate, 5, part)
    assert await settled(tasks) == 1

    part[0] = 4
    gate.leave(HOST)

    assert await settled(tasks) == 5  # one has left and four are inside


async def test_a_part_that_shrinks_lets_nobody_in_until_enough_have_left() -> None:
    gate, part = HostLimit(8), [3]
    tasks = await inside(gate, 5, part)
    part[0] = 1

    gate.leave(HOST)
    gate.leave(HOST)
    assert await settled(tasks) == 3
    gate.leave(HOST)
    assert await settled(tasks) == 4


async def test_a_place_is_not_lost_with_who_stops_waiting() -> None:
    gate = HostLimit(1)
    first, second, third = await inside(gate, 3, [1])
    assert await settled([first, second, third]) == 1

    gate.leave(HOST)
    second.cancel()

    assert await settled([first, third]) == 2


async def test_it_tells_how_many_are_inside() -> None:
    gate = HostLimit(8)
    await settled(await inside(gate, 3, [8]))
    gate.leave(HOST)

    assert (gate.inside(HOST), gate.inside(b"other")) == (2, 0)
