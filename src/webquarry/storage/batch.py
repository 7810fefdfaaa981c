"""Work that is cheaper in one go than piece by piece."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Batcher(Generic[T]):
    """Handles in one go what arrives in one turn of the event loop."""

    def __init__(self, handle: Callable[[list[T]], Awaitable[None]]) -> None:
        self._handle = handle
        self._items: list[T] = []
        self._done: asyncio.Task[None] | None = None

    async def add(self, item: T) -> None:
        """Return when the item has been handled; all of one go fail together."""
        self._items.append(item)
        if self._done is None:
            self._done = asyncio.create_task(self._run())
        await asyncio.shield(self._done)

    async def _run(self) -> None:
        items, self._items, self._done = self._items, [], None
        await self._handle(items)
