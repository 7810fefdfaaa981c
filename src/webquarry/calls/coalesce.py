"""Identical calls at the same moment run once; all of them get the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from webquarry.calls.tool import ReportsProgress

T = TypeVar("T")


@dataclass
class _Flight:
    """One run and the callers waiting for it."""

    listeners: list[ReportsProgress] = field(default_factory=list[ReportsProgress])
    waiting: int = 0

    async def report(self, done: float, total: float | None, message: str | None) -> None:
        for listener in tuple(self.listeners):
            await listener(done, total, message)


class CallCoalescer(Generic[T]):
    """Joins callers by key. A run is cancelled only when nobody waits for it any more."""

    def __init__(self) -> None:
        self._flights: dict[str, tuple[_Flight, asyncio.Task[T]]] = {}

    async def run(
        self, key: str, report: ReportsProgress, work: Callable[[ReportsProgress], Awaitable[T]]
    ) -> T:
        """Return what `work` returns, or what a run of the same key in progress will return."""
        flight, task = self._flights.get(key) or self._launch(key, work)
        flight.listeners.append(report)
        flight.waiting += 1
        try:
            return await asyncio.shield(task)
        finally:
            flight.waiting -= 1
            flight.listeners.remove(report)
            if flight.waiting == 0 and not task.done():
                self._flights.pop(key, None)
                task.cancel()

    def _launch(
        self, key: str, work: Callable[[ReportsProgress], Awaitable[T]]
    ) -> tuple[_Flight, asyncio.Task[T]]:
        flight = _Flight()

        async def fly() -> T:
            try:
                return await work(flight.report)
            finally:
                if self._flights.get(key, (None,))[0] is flight:
                    del self._flights[key]

        task = asyncio.create_task(fly())
        task.add_done_callback(_retrieve)
        self._flights[key] = (flight, task)
        return flight, task


def _retrieve(task: asyncio.Task[T]) -> None:
    """Mark the exception as seen: every waiter may have left before it was raised."""
    if not task.cancelled():
        task.exception()
