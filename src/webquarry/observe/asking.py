"""Which providers were asked during a call, as the places that ask them tell it."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

# every call collects, and few have anything to collect
if TYPE_CHECKING:
    from webquarry.models.session import Ask

_asks: ContextVar["list[Ask] | None"] = ContextVar("asks", default=None)


def note_ask(ask: "Ask") -> None:
    """Tell whoever is collecting; nobody may be."""
    collected = _asks.get()
    if collected is not None:
        collected.append(ask)


@contextmanager
def collecting(asks: "list[Ask]") -> Generator[None]:
    """Add every question asked inside to the list."""
    token = _asks.set(asks)
    try:
        yield
    finally:
        _asks.reset(token)
