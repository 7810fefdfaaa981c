"""Runs asynchronous code in a background thread for programs without an event loop."""

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
    """An application that is open in a background thread."""

    portal: BlockingPortal
    library: "LibrarySession"
    stack: ExitStack

    @classmethod
    def enter(
        cls,
        portals: AbstractContextManager[BlockingPortal],
        library: "AbstractAsyncContextManager[LibrarySession]",
    ) -> "BackgroundApp":
        """Start the thread and open the application in it."""
        with ExitStack() as stack:
            portal = stack.enter_context(portals)
            opened = stack.enter_context(portal.wrap_async_context_manager(library))
            return cls(portal, opened, stack.pop_all())
        raise AssertionError("unreachable: this exit stack suppresses no exception")

    def wait(self, work: Callable[..., Awaitable[T]], *args: Any, **kwargs: Any) -> T:
        """Run the work in the background thread and return its result."""
        return self.portal.call(partial(work, *args, **kwargs))
