"""Which providers were asked during a call, as the places that ask them tell it."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

from webquarry.observe.context import Bound

# every call collects, and few have anything to collect
if TYPE_CHECKING:
    from webquarry.models.session import Ask

_asks: ContextVar["list[Ask] | None"] = ContextVar("asks", default=None)


def note_ask(ask: "Ask") -> None:
    """Tell whoever is collecting; nobody may be."""
    collected = _asks.get()
    if collected is not None:
        collected.append(ask)


def collecting(asks: "list[Ask]") -> "Bound[list[Ask] | None]":
    """Add every question asked inside to the list."""
    return Bound(_asks, asks)
