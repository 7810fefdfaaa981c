"""What work deep below is doing, told to the caller who waits for it.

Reading a page passes through half a dozen layers; those between need not know of progress.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token

Tells = Callable[[float, float | None, str], Awaitable[None]]


class _Listener:
    """Hears what is told while its block runs."""

    __slots__ = ("_token", "tell")

    def __init__(self, tell: Tells) -> None:
        self.tell: Tells | None = tell

    def __enter__(self) -> None:
        self._token: Token[_Listener | None] = _listener.set(self)

    def __exit__(self, *_: object) -> None:
        self.tell = None
        _listener.reset(self._token)


_listener: ContextVar[_Listener | None] = ContextVar("listener", default=None)


async def tell(done: float, total: float | None, message: str) -> None:
    """Tell whoever is listening that `done` of `total` steps are behind us; nobody may be."""
    listener = _listener.get()
    if listener and listener.tell:
        await listener.tell(done, total, message)


def listening(tells: Tells) -> AbstractContextManager[None]:
    """Hear what is told inside; not what goes on afterwards for the sake of others."""
    return _Listener(tells)
