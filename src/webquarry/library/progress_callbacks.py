"""Progress callbacks of library users: plain functions or coroutine functions."""

import inspect
from collections.abc import Awaitable, Callable

from webquarry.concurrency.coalesce import ReportsProgress

# steps done, steps in all if known, and what is being done
ProgressCallback = Callable[[float, float | None, str | None], Awaitable[None] | None]


def as_reporter(callback: ProgressCallback | None) -> ReportsProgress | None:
    """Return a coroutine function that calls the callback."""
    if callback is None:
        return None

    async def report(done: float, total: float | None, message: str | None) -> None:
        returned = callback(done, total, message)
        if inspect.isawaitable(returned):
            await returned

    return report
