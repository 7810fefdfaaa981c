"""Progress is told to whoever listens, and to nobody else."""

import asyncio

import pytest

from webquarry.observe.progress import listening, tell

pytestmark = pytest.mark.anyio


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[float, float | None, str]] = []

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        self.heard.append((done, total, message))


async def test_a_listener_hears_what_is_told_inside_also_by_tasks_begun_there() -> None:
    ear = Ear()

    await tell(0, 1, "before")
    with listening(ear):
        await asyncio.create_task(tell(1, 2, "inside"))
    await tell(2, 2, "after")

    assert ear.heard == [(1, 2, "inside")]


async def test_work_that_goes_on_for_others_is_not_heard_any_more() -> None:
    ear, go_on = Ear(), asyncio.Event()

    async def work() -> None:
        await go_on.wait()
        await tell(1, 1, "late")

    with listening(ear):
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
    go_on.set()
    await task

    assert ear.heard == []
