"""Captures the exchanges of calls, sessions, crawls and checks for their owners."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from webquarry.errors import WebquarryError
from webquarry.models.exchange import Exchange
from webquarry.observe.active_recorder import CapturesJob, capturing_with
from webquarry.storage.exchange_store import CaptureGroup, ExchangeStore

_BATCH = 256  # exchanges of one write; a crawl writes them with its pages, earlier
_BATCH_BYTES = 4 * 2**20
_FLUSH_SECONDS = 0.2

logger = logging.getLogger(__name__)

# rewrites an exchange before it is stored: removes the operator's keys
Redact = Callable[[Exchange], Exchange]


@dataclass(frozen=True, kw_only=True)
class CaptureLimits:
    """How much is captured."""

    max_body: int = 16 * 2**20
    max_owner: int = 2 * 2**30


@dataclass
class GroupRecorder:
    """Takes the exchanges of one group."""

    capturing: "Capturing"
    group: CaptureGroup
    max_body: int

    def record(self, exchange: Exchange) -> None:
        """Take one exchange; it is stored in the background."""
        self.capturing.add(self.group, exchange)

    async def flush(self) -> None:
        """Return when all exchanges taken so far are stored."""
        await self.capturing.flush()


@dataclass
class Capturing:
    """Stores exchanges in batches, within the budget of each owner."""

    exchanges: ExchangeStore
    limits: CaptureLimits = CaptureLimits()
    redact: Redact = lambda exchange: exchange
    _waiting: dict[CaptureGroup, list[Exchange]] = field(
        default_factory=dict[CaptureGroup, list[Exchange]]
    )
    _waiting_count: int = 0
    _waiting_bytes: int = 0
    _timer: asyncio.TimerHandle | None = None
    _writing: asyncio.Task[None] | None = None
    _used: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _full: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def recorder(self, tenant: str, user: str, group: str) -> GroupRecorder:
        """Return what takes the exchanges of a group."""
        return GroupRecorder(self, CaptureGroup(tenant, user, group), self.limits.max_body)

    def capture(self, tenant: str, user: str, group: str) -> AbstractContextManager[None]:
        """Capture all exchanges inside the block, and in the tasks that it starts."""
        return capturing_with(self.recorder(tenant, user, group))

    def is_full(self, tenant: str, user: str) -> bool:
        """Whether exchanges of a person were left out because the budget is used up."""
        return (tenant, user) in self._full

    def add(self, group: CaptureGroup, exchange: Exchange) -> None:
        """Take one exchange for the next write."""
        self._waiting.setdefault(group, []).append(exchange)
        self._waiting_count += 1
        self._waiting_bytes += len(exchange.body)
        if self._waiting_count >= _BATCH or self._waiting_bytes >= _BATCH_BYTES:
            self._write_soon()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_FLUSH_SECONDS, self._write_soon)

    async def flush(self) -> None:
        """Store what is waiting."""
        while self._waiting or self._writing:
            self._write_soon()
            if self._writing:
                await asyncio.shield(self._writing)

    def _write_soon(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._writing is None and self._waiting:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self._waiting_count = self._waiting_bytes = 0
        try:
            for group, exchanges in waiting.items():
                await self._save(group, exchanges)
        except WebquarryError as error:
            # the call itself succeeded; the bundle will say which pages have no capture
            logger.warning("exchanges could not be captured: %s", error)
        finally:
            self._writing = None
            if self._waiting_count >= _BATCH:
                self._write_soon()

    async def _save(self, group: CaptureGroup, exchanges: list[Exchange]) -> None:
        owner = (group.tenant, group.user)
        if owner not in self._used:
            self._used[owner] = await self.exchanges.used(*owner)
        if self._used[owner] >= self.limits.max_owner:
            if owner not in self._full:
                logger.warning("the budget of captured exchanges (CAPTURE_MAX_OWNER) is used up")
            self._full.add(owner)
            return
        redacted = [self.redact(exchange) for exchange in exchanges]
        self._used[owner] += await self.exchanges.save(group, redacted)

    async def erase_group(self, tenant: str, user: str, group: str) -> int:
        """Erase the exchanges of a group that was deleted."""
        await self.flush()
        self._used.pop((tenant, user), None)
        self._full.discard((tenant, user))
        return await self.exchanges.erase_group(CaptureGroup(tenant, user, group))


def capture_job(capturing: Callable[[], Capturing], *, always: bool) -> CapturesJob:
    """Return what captures the exchanges of a job, if the job or the operator wants it."""

    def capture(
        tenant: str, user: str, group: str, *, wanted: bool
    ) -> AbstractContextManager[None]:
        # a job may be started by a call whose exchanges are captured for another group
        if not (always or wanted):
            return capturing_with(None)
        return capturing().capture(tenant, user, group)

    return capture
