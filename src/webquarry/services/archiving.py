"""Archives a page within a time limit, or finds an existing copy."""

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

TIME_LIMIT = 25.0  # seconds for everything
_LOOKUP_TIME = 5.0  # part of it, to look for an older copy
_FIRST_WAIT, _MAX_WAIT = 1.0, 5.0

Sleep = Callable[[float], Awaitable[None]]


class ArchiveOutcome(Model):
    """The outcome of an archive request."""

    status: Literal["archived", "existing", "pending", "unavailable"]
    snapshot: Snapshot | None = None
    http_status: int | None = None
    reason: str | None = None
    provenance: tuple[str, ...] = ()


class ArchiveService:
    """Requests a copy, waits for it, and falls back to an existing one."""

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
        # URLs of private hosts are never sent to the archive, even where they may be read
        self._resolver = resolver or Resolver(Policy())
        self._now = now
        self._sleep = sleep

    async def archive(self, url: str) -> ArchiveOutcome:
        """Return a new copy, else the latest existing one, else `pending`."""
        await self._check(url)
        if self._saver is None:
            return ArchiveOutcome(status="unavailable", reason="No archive is configured.")
        deadline = self._now() + TIME_LIMIT - _LOOKUP_TIME
        capture = await self._save(self._saver, url, deadline)
        provenance = (f"{self._saver.about.name}: {capture.state}",)
        if capture.state == "archived" and capture.snapshot:
            return ArchiveOutcome(
                status="archived",
                snapshot=capture.snapshot,
                http_status=capture.status,
                provenance=provenance,
            )
        return await self._existing_copy(url, capture, provenance)

    async def _check(self, url: str) -> None:
        parsed = parse(url)
        try:
            await self._resolver.pin(parsed)
        except RefusedError as error:
            # the archive may know a host that we cannot resolve
            if error.code == "policy":
                raise error.to_error(parsed.href) from error

    async def _save(self, saver: SavesPages, url: str, deadline: float) -> ArchiveResult:
        """Request a copy and poll until it is done or the time is over."""
        try:
            capture = await saver.save(url)
            wait = _FIRST_WAIT
            while capture.state == "pending" and capture.job and self._now() + wait < deadline:
                await self._sleep(wait)
                wait = min(2 * wait, _MAX_WAIT)
                newer = await saver.progress(capture.job)
                capture = newer.model_copy(update={"status": newer.status or capture.status})
        except WebquarryError as error:
            return ArchiveResult(state="failed", reason=str(error))
        return capture

    async def _existing_copy(
        self, url: str, capture: ArchiveResult, provenance: tuple[str, ...]
    ) -> ArchiveOutcome:
        """Return an older copy, or `pending`: the new one may still be made."""
        reason = capture.reason or "The capture was still in progress at the time limit."
        found: Snapshot | None = None
        if self._finder:
            try:
                found = await self._finder.snapshot(url)
                outcome = "found" if found else "none"
            except WebquarryError as error:
                outcome = f"could not be queried ({error})"
            provenance = (*provenance, f"{self._finder.about.name}: {outcome}")
        return ArchiveOutcome(
            status="existing" if found else "pending",
            snapshot=found,
            http_status=capture.status,
            reason=reason,
            provenance=provenance,
        )
