"""Waits for asynchronous work from a program that has no event loop."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from anyio.from_thread import BlockingPortal

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

T = TypeVar("T")


@dataclass(frozen=True)
class BackgroundApp:
    """An open application in another thread."""

    portal: BlockingPortal
    quarry: "LibrarySession"
    stack: ExitStack

    @classmethod
    def enter(
        cls,
        portals: AbstractContextManager[BlockingPortal],
        quarry: "AbstractAsyncContextManager[LibrarySession]",
    ) -> "BackgroundApp":
        """Start the thread and open the application in it."""
        with ExitStack() as stack:
            portal = stack.enter_context(portals)
            opened = stack.enter_context(portal.wrap_async_context_manager(quarry))
            return cls(portal, opened, stack.pop_all())
        raise AssertionError("unreachable: an exit stack of ours swallows nothing")

    def wait(self, work: Callable[..., Awaitable[T]], *given: Any, **named: Any) -> T:
        """Return what the work returns."""
        return self.portal.call(partial(work, *given, **named))
