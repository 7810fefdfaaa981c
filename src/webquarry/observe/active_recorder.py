"""Who records the exchanges of the call or job in progress, if anybody does."""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

from webquarry.models.caller import Caller
from webquarry.models.exchange import Exchange


class RecordsExchanges(Protocol):
    """Takes the exchanges of one caller."""

    max_body: int  # bytes kept of one body

    def record(self, exchange: Exchange) -> None:
        """Take one exchange; it is stored in the background."""
        ...

    async def flush(self) -> None:
        """Return when all exchanges taken so far are stored."""
        ...


# None: nothing is recorded
active_recorder: ContextVar[RecordsExchanges | None] = ContextVar("recorder", default=None)


@contextmanager
def capturing_with(recorder: RecordsExchanges | None) -> Generator[None]:
    """Record the exchanges inside the block, and of the tasks that it starts; None: record none."""
    token = active_recorder.set(recorder)
    try:
        yield
    finally:
        active_recorder.reset(token)


class CapturesJob(Protocol):
    """Opens the block in which the exchanges of a background job are captured, or are not."""

    def __call__(
        self, tenant: str, user: str, group: str, *, wanted: bool
    ) -> AbstractContextManager[None]:
        """Return the block; `wanted` says that the job itself asks for it."""
        ...


def not_captured(
    tenant: str, user: str, group: str, *, wanted: bool
) -> AbstractContextManager[None]:
    """Record nothing in the block of a job, whatever the call that started it records."""
    del tenant, user, group, wanted
    return capturing_with(None)


def captured_for(caller: Caller | None) -> tuple[str, ...]:
    """Return what distinguishes cached results while exchanges are recorded: their owner.

    A result that another person's call cached would leave no capture of this person.
    """
    if caller is None or active_recorder.get() is None:
        return ()
    return ("captured", caller.tenant, caller.user)
