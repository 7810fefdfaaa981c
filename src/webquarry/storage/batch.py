"""Batching: concurrent items are handled in one call, and each caller waits for its result."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Batcher(Generic[T]):
    """Handles the items of one turn of the event loop in one call."""

    def __init__(self, handle: Callable[[list[T]], Awaitable[None]]) -> None:
        self._handle = handle
        self._items: list[T] = []
        self._handling: asyncio.Task[None] | None = None

    async def add(self, item: T) -> None:
        """Return when the item has been handled; all items of a batch fail together."""
        self._items.append(item)
        if self._handling is None:
            self._handling = asyncio.create_task(self._run())
        await asyncio.shield(self._handling)

    async def _run(self) -> None:
        items, self._items, self._handling = self._items, [], None
        await self._handle(items)
