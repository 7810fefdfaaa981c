"""Request coalescing: concurrent calls with the same key share one run of the work."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class ReportsProgress(Protocol):
    """Tells the caller how far a long call has come."""

    async def __call__(
        self, progress: float, total: float | None, message: str | None, /
    ) -> None: ...


@dataclass(eq=False)
class _Run(Generic[T]):
    """One run and the callers that wait for it."""

    listeners: list[ReportsProgress] = field(default_factory=list[ReportsProgress])
    waiting: int = 0
    task: asyncio.Task[T] = field(init=False)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        for listener in tuple(self.listeners):
            await listener(progress, total, message)


class Coalescer(Generic[T]):
    """Runs work once per key at a time. A run is cancelled when its last caller has left."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run[T]] = {}

    def run(
        self,
        key: str,
        work: Callable[[ReportsProgress], Coroutine[Any, Any, T]],
        listener: ReportsProgress | None = None,
    ) -> asyncio.Future[T]:
        """Return the result of `work`, or of a run of the same key that is in progress.

        `work` gets a function that reports its progress to the listeners of all callers.
        """
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = _Run[T]()
            run.task = asyncio.create_task(work(run.report))
            run.task.add_done_callback(lambda _: self._finish(key, run))
        run.waiting += 1
        if listener:
            run.listeners.append(listener)
        # the shield keeps the run alive when one of its callers is cancelled
        result = asyncio.shield(run.task)
        result.add_done_callback(lambda _: self._leave(key, run, listener))
        return result

    def _leave(self, key: str, run: _Run[T], listener: ReportsProgress | None) -> None:
        run.waiting -= 1
        if listener:
            run.listeners.remove(listener)
        if not run.waiting and not run.task.done():
            run.task.cancel()
            # callers that come from now on must not join a cancelled run
            if self._runs.get(key) is run:
                del self._runs[key]

    def _finish(self, key: str, run: _Run[T]) -> None:
        if self._runs.get(key) is run:
            del self._runs[key]
        if not run.task.cancelled():
            run.task.exception()  # retrieved here: every caller may have left before it was raised
