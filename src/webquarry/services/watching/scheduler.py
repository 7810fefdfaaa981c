"""Checks monitors when they are due: in one process, or in several on one database."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from webquarry.crawl.webhook_delivery import WebhookDeliveries
from webquarry.errors import WebquarryError
from webquarry.net.clock import Clock
from webquarry.services.watching.check_runs import CheckRunner
from webquarry.services.watching.store.monitor_claims import MonitorClaims
from webquarry.services.watching.store.monitor_commits import MonitorCommits
from webquarry.services.watching.store.monitor_deliveries import MonitorDelivery
from webquarry.services.watching.store.monitor_store import MonitorStore

logger = logging.getLogger(__name__)

_POLL_SECONDS = 5.0  # other processes may add monitors, or end
_MIN_PAUSE = 0.05
_SWEEP_SECONDS = 3600.0


@dataclass(frozen=True, kw_only=True)
class MonitorEngine:
    """What a scheduler works with."""

    store: MonitorStore
    claims: MonitorClaims
    commits: MonitorCommits
    runner: CheckRunner
    deliveries: WebhookDeliveries[MonitorDelivery]
    retention: float  # seconds for which changes and versions are kept
    at_once: int = 8
    clock: Clock = field(default_factory=Clock)


class MonitorScheduler:
    """Runs due checks, up to `at_once` at a time, and sends notifications."""

    def __init__(self, engine: MonitorEngine) -> None:
        self._engine = engine
        self._tasks: set[asyncio.Task[object]] = set()
        self._wake = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None
        self._sender: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Check monitors and send notifications from now on."""
        self._wake.set()
        self._engine.deliveries.wake()
        if self._supervisor is None or self._supervisor.done():
            self._supervisor = asyncio.create_task(self.run())
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._engine.deliveries.run())

    @property
    def is_running(self) -> bool:
        """Whether this process checks monitors."""
        return self._supervisor is not None and not self._supervisor.done()

    async def stop(self) -> None:
        """Stop; checks in progress stay due."""
        tasks: list[asyncio.Task[object]] = [*self._tasks]
        tasks += [task for task in (self._supervisor, self._sender) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def run(self) -> None:
        """Check monitors until cancelled."""
        swept = self._engine.clock.monotonic()
        while True:
            self._wake.clear()
            pause = _POLL_SECONDS
            try:
                pause = await self._start_due()
                if self._engine.clock.monotonic() - swept > _SWEEP_SECONDS:
                    swept = self._engine.clock.monotonic()
                    await self._engine.store.sweep(self._engine.retention)
            except WebquarryError as error:
                logger.warning("monitors cannot be checked now: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()

    async def work_due(self) -> float | None:
        """Run all checks that are due; return when the next one is, None if none is planned."""
        while True:
            await self._engine.commits.send_digests()
            claimed = await self._engine.claims.claim(self._engine.at_once)
            if not claimed.leases:
                return claimed.next_due
            runs = (self._engine.runner.run(lease) for lease in claimed.leases)
            await asyncio.gather(*runs)

    async def _start_due(self) -> float:
        """Start due checks; return the seconds until more may be due."""
        engine = self._engine
        if await engine.commits.send_digests():
            engine.deliveries.wake()
        free = engine.at_once - len(self._tasks)
        if free <= 0:
            return _POLL_SECONDS  # the end of a check wakes
        claimed = await engine.claims.claim(free)
        for lease in claimed.leases:
            task: asyncio.Task[object] = asyncio.create_task(engine.runner.run(lease))
            self._tasks.add(task)
            task.add_done_callback(self._ended)
        if claimed.next_due is None:
            return _POLL_SECONDS
        return min(_POLL_SECONDS, max(_MIN_PAUSE, claimed.next_due - engine.clock.time()))

    def _ended(self, task: "asyncio.Task[object]") -> None:
        self._tasks.discard(task)
        self._wake.set()
        self._engine.deliveries.wake()
        if not task.cancelled() and (error := task.exception()):
            logger.warning("a check was interrupted: %s", error)
