"""Concurrent calls with the same key."""

import asyncio

import pytest

from webquarry.concurrency.coalesce import Coalescer, ReportsProgress

pytestmark = pytest.mark.anyio


class Work:
    """Counts its runs and finishes when it may."""

    def __init__(self) -> None:
        self.runs = 0
        self.cancelled = False
        self.started = asyncio.Event()
        self.may_finish = asyncio.Event()

    async def __call__(self, report: ReportsProgress) -> str:
        self.runs += 1
        await report(self.runs, None, "started")
        self.started.set()
        try:
            await self.may_finish.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return f"run {self.runs}"


class Listener:
    """Notes what is reported to it."""

    def __init__(self) -> None:
        self.messages: list[str | None] = []

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.messages.append(message)


async def test_concurrent_callers_share_one_run() -> None:
    coalescer, work = Coalescer[str](), Work()
    calls = [coalescer.run("a", work) for _ in range(3)]
    await work.started.wait()
    work.may_finish.set()

    assert await asyncio.gather(*calls) == ["run 1"] * 3
    assert await coalescer.run("a", work) == "run 2"


async def test_a_cancelled_caller_does_not_end_the_run_of_the_others() -> None:
    coalescer, work = Coalescer[str](), Work()
    stays, leaves = coalescer.run("a", work), coalescer.run("a", work)
    await work.started.wait()
    leaves.cancel()
    await asyncio.wait({leaves})
    work.may_finish.set()

    assert await stays == "run 1"
    assert not work.cancelled


async def test_a_run_is_cancelled_when_all_callers_have_left() -> None:
    coalescer, work = Coalescer[str](), Work()
    call = coalescer.run("a", work)
    await work.started.wait()
    call.cancel()
    await asyncio.wait({call})
    second = Work()
    second.may_finish.set()

    assert await coalescer.run("a", second) == "run 1"
    assert work.cancelled


async def test_a_failure_reaches_every_caller() -> None:
    async def fail(_: ReportsProgress) -> str:
        raise ValueError("owls")

    coalescer = Coalescer[str]()
    outcomes = await asyncio.gather(
        coalescer.run("a", fail), coalescer.run("a", fail), return_exceptions=True
    )

    assert [str(outcome) for outcome in outcomes] == ["owls", "owls"]


async def test_progress_reaches_every_caller_that_listens() -> None:
    coalescer, work = Coalescer[str](), Work()
    work.may_finish.set()
    first, second = Listener(), Listener()
    await asyncio.gather(
        coalescer.run("a", work, first), coalescer.run("a", work), coalescer.run("a", work, second)
    )

    assert first.messages == second.messages == ["started"]
