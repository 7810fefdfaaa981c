"""Progress of long work, reported to the caller that waits for it.

A context variable carries the listener past the layers between.
"""

from contextvars import ContextVar, Token

from webquarry.concurrency.coalesce import ReportsProgress


class ProgressListener:
    """Passes on the progress that is reported inside its block.

    Not what is reported later: shared work may continue for other callers.
    """

    __slots__ = ("_report", "_token")

    def __init__(self, report: ReportsProgress) -> None:
        self._report: ReportsProgress | None = report

    def __enter__(self) -> None:
        self._token: Token[ProgressListener | None] = progress_listener.set(self)

    def __exit__(self, *_: object) -> None:
        self._report = None
        progress_listener.reset(self._token)

    async def report(self, done: float, total: float | None, message: str) -> None:
        """Report that `done` of `total` steps are finished."""
        if self._report:
            await self._report(done, total, message)


progress_listener: ContextVar[ProgressListener | None] = ContextVar("listener", default=None)


async def report_progress(done: float, total: float | None, message: str) -> None:
    """Report that `done` of `total` steps are finished, if anybody listens."""
    if listener := progress_listener.get():
        await listener.report(done, total, message)
