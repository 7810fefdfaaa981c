"""Notifies subscribed clients of new changes, whichever process found them."""

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from webquarry.errors import WebquarryError
from webquarry.resources.monitor_resource import MONITOR_URI
from webquarry.server.subscriptions import Subscriptions

if TYPE_CHECKING:
    from webquarry.net.clock import Clock
    from webquarry.services.watching.service import MonitorService

logger = logging.getLogger(__name__)

POLL_SECONDS = 3.0


class MonitorUpdates:
    """Looks for new changes while a client is subscribed to a monitor."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        watching: Callable[[], "MonitorService"],
        clock: "Clock | None" = None,
    ) -> None:
        self._subscriptions = subscriptions
        self._watching = watching
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._known: dict[str, int] | None = None  # number of the latest change, by monitor

    def subscribed(self, uris: str) -> None:
        """Look for changes from now on, if the URIs of a subscription are of monitors."""
        if MONITOR_URI not in uris:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> None:
        """Notify of the changes since the last look."""
        numbers = await self._watching().store.change_numbers()
        known, self._known = self._known, numbers
        if known is None:
            return
        for monitor_id, number in numbers.items():
            if number > known.get(monitor_id, 0):
                await self._subscriptions.updated(f"{MONITOR_URI}{monitor_id}")

    async def _run(self) -> None:
        from webquarry.net.clock import Clock  # only monitors need the package

        clock = self._clock or Clock()
        while True:
            try:
                await self.look()
            except WebquarryError as error:
                logger.warning("changes of monitors cannot be read now: %s", error)
            await clock.sleep(POLL_SECONDS)
