"""Archives a page within a time limit, or finds an existing copy."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Literal

from webquarry.content.text.url_credentials import credential_in_url
from webquarry.errors import BadInputError, RateLimitError, WebquarryError
from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.models.model import Model
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.resolver import Resolver
from webquarry.net.policy import Policy
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.net.url import parse
from webquarry.providers.capabilities_archive import FindsSnapshots, SavesPages

TIME_LIMIT = 25.0  # seconds for everything
_LOOKUP_TIME = 5.0  # part of it, to look for an older copy
_FIRST_WAIT, _MAX_WAIT = 1.0, 5.0
_RETRY_WAIT = 2.0  # after a server error without advice; doubled each time
_CLOCK_SKEW = 120.0  # seconds that the clock of the archive may be behind ours

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
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._saver = saver
        self._finder = finder
        # URLs of private hosts are never sent to the archive, even where they may be read
        self._resolver = resolver or Resolver(Policy())
        self._now = now
        self._sleep = sleep
        self._wall_clock = wall_clock

    async def archive(self, url: str) -> ArchiveOutcome:
        """Return a new copy, else the latest existing one, else `pending` or `unavailable`."""
        await self._check(url)
        if self._saver is None:
            return ArchiveOutcome(status="unavailable", reason="No archive is configured.")
        started = self._wall_clock()
        deadline = self._now() + TIME_LIMIT - _LOOKUP_TIME
        capture, is_final = await self._save(self._saver, url, deadline)
        name = self._saver.about.name
        if capture.state == "archived" and capture.snapshot:
            is_new = _timestamp(capture.snapshot) >= started - _CLOCK_SKEW
            status = "archived" if is_new else "existing"
            return ArchiveOutcome(
                status=status,
                snapshot=capture.snapshot,
                http_status=capture.status,
                reason=None
                if is_new
                else _existing("The archive did not make a new copy.", capture.snapshot),
                provenance=(f"{name}: {status}",),
            )
        return await self._existing_copy(url, capture, f"{name}: {capture.state}", final=is_final)

    async def _check(self, url: str) -> None:
        parsed = parse(url)
        if found := credential_in_url(url):
            raise BadInputError(
                f"url: it contains {found}, and everyone can read the archive. "
                "Remove it, or archive the public URL of the page."
            )
        try:
            await self._resolver.pin(parsed)
        except RefusedError as error:
            # the archive may know a host that we cannot resolve
            if error.code == "policy":
                raise error.to_error(parsed.href) from error

    async def _save(
        self, saver: SavesPages, url: str, deadline: float
    ) -> tuple[ArchiveResult, bool]:
        """Request a copy and poll until it is done or the time is over.

        The second value tells whether a failure is final: the archive will not make a copy.
        """
        wait, capture = _FIRST_WAIT, ArchiveResult(state="pending")
        try:
            capture = await self._retried(partial(saver.save, url), deadline)
            while capture.state == "pending" and capture.job and self._now() + wait < deadline:
                await self._sleep(wait)
                wait = min(2 * wait, _MAX_WAIT)
                newer = await self._retried(partial(saver.progress, capture.job), deadline)
                capture = newer.model_copy(update={"status": newer.status or capture.status})
        except WebquarryError as error:
            failed = ArchiveResult(state="failed", reason=str(error), status=capture.status)
            return failed, not error.advice.retryable
        return capture, True

    async def _retried(
        self, request: Callable[[], Awaitable[ArchiveResult]], deadline: float
    ) -> ArchiveResult:
        """Repeat a request that the archive could not accept, after the wait that it advises."""
        backoff = _RETRY_WAIT
        while True:
            try:
                return await request()
            except (RateLimitError, UnavailableError) as error:
                wait = error.retry_after or backoff
                if self._now() + wait >= deadline:
                    raise
            await self._sleep(wait)
            backoff *= 2

    async def _existing_copy(
        self, url: str, capture: ArchiveResult, saved: str, *, final: bool
    ) -> ArchiveOutcome:
        """Return an older copy; without one, `pending` if a new one may still be made."""
        reason = capture.reason or "The capture was still in progress at the time limit."
        found: Snapshot | None = None
        provenance = (saved,)
        if self._finder:
            try:
                found = await self._finder.snapshot(url)
                outcome = "found" if found else "none"
            except WebquarryError as error:
                outcome = f"could not be queried ({error})"
            provenance = (*provenance, f"{self._finder.about.name}: {outcome}")
        failed = capture.state == "failed" and final
        return ArchiveOutcome(
            status="existing" if found else "unavailable" if failed else "pending",
            snapshot=found,
            http_status=capture.status,
            reason=_existing(reason, found) if found else reason,
            provenance=provenance,
        )


def _existing(reason: str, snapshot: Snapshot) -> str:
    return f"{reason.rstrip('.')}. This is an existing copy, of {snapshot.takenAt[:10]}."


def _timestamp(snapshot: Snapshot) -> float:
    return datetime.fromisoformat(snapshot.takenAt).timestamp()
