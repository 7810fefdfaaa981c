"""Has a page archived, within a budget of time, and says honestly what came of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal

from webquarry.errors import WebquarryError
from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.models.model import Model
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.resolver import Resolver
from webquarry.net.policy import Policy
from webquarry.net.url import parse
from webquarry.providers.capabilities_archive import FindsSnapshots, SavesPages

BUDGET = 25.0  # seconds for everything
_RESERVE = 5.0  # of them, to look for an older copy
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 5.0

Sleep = Callable[[float], Awaitable[None]]


class ArchiveOutcome(Model):
    """The outcome of one request."""

    status: Literal["archived", "existing", "pending", "unavailable"]
    snapshot: Snapshot | None = None
    http_status: int | None = None
    reason: str | None = None
    provenance: tuple[str, ...] = ()


class ArchiveService:
    """Asks for a copy, waits for it, and falls back to one that exists."""

    def __init__(
        self,
        saver: SavesPages | None,
        finder: FindsSnapshots | None,
        *,
        resolver: Resolver | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._saver = saver
        self._finder = finder
        # private hosts are nobody's business there, whatever may be read here
        self._resolver = resolver or Resolver(Policy())
        self._now = now
        self._sleep = sleep

    async def archive(self, url: str) -> ArchiveOutcome:
        """Return a fresh copy, else the latest there is, else where to look later."""
        await self._check(url)
        if self._saver is None:
            return ArchiveOutcome(status="unavailable", reason="No archive is configured.")
        ends = self._now() + BUDGET - _RESERVE
        capture = await self._saved(self._saver, url, ends)
        told = (f"{self._saver.about.name}: {capture.state}",)
        if capture.state == "archived" and capture.snapshot:
            return ArchiveOutcome(
                status="archived",
                snapshot=capture.snapshot,
                http_status=capture.status,
                provenance=told,
            )
        return await self._instead(url, capture, told)

    async def _check(self, url: str) -> None:
        parsed = parse(url)
        try:
            await self._resolver.pin(parsed)
        except RefusedError as error:
            # a name we cannot look up may well be known to the archive
            if error.code == "policy":
                raise error.error(parsed.href) from error

    async def _saved(self, saver: SavesPages, url: str, ends: float) -> ArchiveResult:
        """Return what became of a request until there is no time left."""
        try:
            capture = await saver.save(url)
            wait = _FIRST_WAIT
            while capture.state == "pending" and capture.job and self._now() + wait < ends:
                await self._sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
                newer = await saver.progress(capture.job)
                capture = newer.model_copy(update={"status": newer.status or capture.status})
        except WebquarryError as error:
            return ArchiveResult(state="failed", reason=str(error))
        return capture

    async def _instead(
        self, url: str, capture: ArchiveResult, told: tuple[str, ...]
    ) -> ArchiveOutcome:
        """Return an older copy, or say that the new one may still come."""
        slow = "The capture was still in progress when the time was over."
        reason = capture.reason or slow
        found: Snapshot | None = None
        if self._finder:
            try:
                found = await self._finder.snapshot(url)
                told = (*told, f"{self._finder.about.name}: {'found' if found else 'none'}")
            except WebquarryError as error:
                told = (*told, f"{self._finder.about.name}: could not be asked ({error})")
        return ArchiveOutcome(
            status="existing" if found else "pending",
            snapshot=found,
            http_status=capture.status,
            reason=reason,
            provenance=told,
        )
