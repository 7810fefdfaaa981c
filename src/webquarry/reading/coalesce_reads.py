"""Reads of the same address at the same moment are one read."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Flights(Generic[T]):
    """Joins callers by key. A run is cancelled only when nobody waits for it any more."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[T]] = {}
        self._waiting: dict[asyncio.Task[T], int] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """Return what `work` returns, or what a run of the same key in progress will return."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.ensure_future(_of(work))
            task.add_done_callback(lambda done: self._landed(key, done))
        self._waiting[task] = self._waiting.get(task, 0) + 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[task] -= 1
            if not self._waiting[task]:
                del self._waiting[task]
                if not task.done():
                    self._tasks.pop(key, None)
                    task.cancel()

    def _landed(self, key: str, task: asyncio.Task[T]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            task.exception()  # seen, even if every waiter has left


async def _of(work: Callable[[], Awaitable[T]]) -> T:
    return await work()
