"""Reads of the same address at the same moment."""

import asyncio

import pytest

from webquarry.reading.coalesce_reads import Flights

pytestmark = pytest.mark.anyio


class Work:
    """Counts its runs and lands when told."""

    def __init__(self) -> None:
        self.runs = 0
        self.cancelled = False
        self.began = asyncio.Event()
        self.may_land = asyncio.Event()

    async def __call__(self) -> str:
        self.runs += 1
        self.began.set()
        try:
            await self.may_land.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return f"run {self.runs}"


async def test_callers_at_the_same_moment_share_one_run() -> None:
    flights, work = Flights[str](), Work()
    calls = [asyncio.ensure_future(flights.run("a", work)) for _ in range(3)]
    await work.began.wait()
    work.may_land.set()

    assert await asyncio.gather(*calls) == ["run 1"] * 3
    assert await flights.run("a", work) == "run 2"


async def test_one_who_leaves_does_not_end_it_for_the_others() -> None:
    flights, work = Flights[str](), Work()
    stays = asyncio.ensure_future(flights.run("a", work))
    leaves = asyncio.ensure_future(flights.run("a", work))
    await work.began.wait()
    leaves.cancel()
    await asyncio.wait({leaves})
    work.may_land.set()

    assert await stays == "run 1"
    assert not work.cancelled


async def test_when_all_have_left_it_ends() -> None:
    flights, work = Flights[str](), Work()
    call = asyncio.ensure_future(flights.run("a", work))
    await work.began.wait()
    call.cancel()
    await asyncio.wait({call})
    again = Work()
    again.may_land.set()

    assert await flights.run("a", again) == "run 1"
    assert work.cancelled


async def test_a_failure_reaches_everybody() -> None:
    async def fail() -> str:
        raise ValueError("owls")

    flights = Flights[str]()
    outcomes = await asyncio.gather(
        flights.run("a", fail), flights.run("a", fail), return_exceptions=True
    )

    assert [str(outcome) for outcome in outcomes] == ["owls", "owls"]
