"""What work deep below is doing, told to the caller who waits for it.

Reading a page passes through half a dozen layers; those between need not know of progress.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Tells = Callable[[float, float | None, str], Awaitable[None]]


class _Listener:
    def __init__(self, tell: Tells) -> None:
        self.tell: Tells | None = tell


_listener: ContextVar[_Listener | None] = ContextVar("listener", default=None)


async def tell(done: float, total: float | None, message: str) -> None:
    """Tell whoever is listening that `done` of `total` steps are behind us; nobody may be."""
    listener = _listener.get()
    if listener and listener.tell:
        await listener.tell(done, total, message)


@contextmanager
def listening(tells: Tells) -> Generator[None]:
    """Hear what is told inside; not what goes on afterwards for the sake of others."""
    listener = _Listener(tells)
    token = _listener.set(listener)
    try:
        yield
    finally:
        listener.tell = None
        _listener.reset(token)
