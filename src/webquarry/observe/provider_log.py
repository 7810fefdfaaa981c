"""Which providers were asked during a call, as the places that ask them tell it."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

from webquarry.observe.call_context import CallContext

# every call collects, and few have anything to collect
if TYPE_CHECKING:
    from webquarry.models.session import ProviderCall

_asks: ContextVar["list[ProviderCall] | None"] = ContextVar("asks", default=None)


def note_ask(ask: "ProviderCall") -> None:
    """Tell whoever is collecting; nobody may be."""
    collected = _asks.get()
    if collected is not None:
        collected.append(ask)


def collecting(asks: "list[ProviderCall]") -> "CallContext[list[ProviderCall] | None]":
    """Add every question asked inside to the list."""
    return CallContext(_asks, asks)
