"""Progress is reported to the listener of the current block, and to nobody else."""

import asyncio

import pytest

from webquarry.observe.progress import ProgressListener, report_progress

pytestmark = pytest.mark.anyio


class Receiver:
    def __init__(self) -> None:
        self.received: list[tuple[float, float | None, str | None]] = []

    async def __call__(self, done: float, total: float | None, message: str | None) -> None:
        self.received.append((done, total, message))


async def test_a_listener_gets_progress_from_its_block_and_from_tasks_started_there() -> None:
    receiver = Receiver()

    await report_progress(0, 1, "before")
    with ProgressListener(receiver):
        await asyncio.create_task(report_progress(1, 2, "inside"))
    await report_progress(2, 2, "after")

    assert receiver.received == [(1, 2, "inside")]


async def test_work_that_continues_after_the_block_reports_nothing() -> None:
    receiver, resume = Receiver(), asyncio.Event()

    async def work() -> None:
        await resume.wait()
        await report_progress(1, 1, "late")

    with ProgressListener(receiver):
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
    resume.set()
    await task

    assert receiver.received == []
