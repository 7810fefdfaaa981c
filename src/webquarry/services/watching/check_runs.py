"""Runs one check: looks, compares, and stores what was found with its notifications."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from webquarry.crawl.store.crawl_values import FencedError
from webquarry.errors import DeadlineError, InternalError, WebquarryError
from webquarry.models.changes import Version
from webquarry.models.monitor import MonitorKind, RunOutcome
from webquarry.net.clock import Clock
from webquarry.observe import call_context
from webquarry.observe.active_recorder import capturing_with
from webquarry.services.watching.check_results import ResultWriter, Seen
from webquarry.services.watching.observing import (
    ComparesVersions,
    EarlierVersion,
    Observation,
    Observes,
    owner_of,
)
from webquarry.services.watching.store.monitor_commits import MonitorCommits
from webquarry.services.watching.store.monitor_store import MonitorStore
from webquarry.services.watching.store.monitor_values import (
    RENEW_SECONDS,
    MonitorLease,
    RunResult,
)
from webquarry.services.watching.version_captures import CheckRecorder, VersionCaptures

logger = logging.getLogger(__name__)

_SECONDS = 180.0  # for one check
_SITE_SECONDS = 6 * 3600.0  # for the crawl of a site
CountsChecks = Callable[[RunOutcome], None]


@dataclass(frozen=True, kw_only=True)
class CheckRunner:
    """Runs checks whose lease this process holds."""

    store: MonitorStore
    commits: MonitorCommits
    observers: Callable[[], Mapping[MonitorKind, Observes]]
    comparer: Callable[[], ComparesVersions]
    captures: VersionCaptures | None = None
    count: CountsChecks = lambda _: None
    clock: Clock = field(default_factory=Clock)

    async def run(self, lease: MonitorLease) -> RunOutcome | None:
        """Return the outcome; None if another process has taken the check over."""
        checking = asyncio.ensure_future(self._run(lease))
        renewing = asyncio.ensure_future(self._renew(lease))
        try:
            await asyncio.wait({checking, renewing}, return_when=asyncio.FIRST_COMPLETED)
            if not checking.done():  # the lease was lost
                return None
            outcome = checking.result()
            self.count(outcome)
        except FencedError:
            logger.info("the check of monitor %s runs in another process", lease.monitor.id)
            return None
        else:
            return outcome
        finally:
            for task in (checking, renewing):
                task.cancel()
            await asyncio.gather(checking, renewing, return_exceptions=True)

    async def _run(self, lease: MonitorLease) -> RunOutcome:
        call_context.caller.set(owner_of(lease.monitor))
        try:
            result = await self._result(lease)
        except asyncio.CancelledError:
            with suppress(WebquarryError):
                await asyncio.shield(self.commits.release(lease))
            raise
        await self.commits.end(lease, result)
        return result.progress.last_outcome or "unchanged"

    async def _result(self, lease: MonitorLease) -> RunResult:
        writer = ResultWriter(lease.monitor, self.clock, manual=lease.manual)
        earlier = EarlierVersion(lambda: self._earlier(lease))
        recorder = self.captures.recorder(lease.monitor) if self.captures else None
        try:
            observation = await self._observe(lease, earlier, recorder)
            seen = await self._compare(lease, earlier, observation)
        except WebquarryError as error:
            return writer.failed(error)
        except Exception:
            logger.exception("the check of monitor %s failed", lease.monitor.id)
            return writer.failed(InternalError("The check failed; the log of the server says why."))
        if seen.keeps_version and self.captures:
            seen = await self.captures.keep(lease.monitor, seen, recorder)
        return writer.seen(seen)

    async def _earlier(self, lease: MonitorLease) -> Version | None:
        monitor = lease.monitor
        return await self.store.version(monitor.id, monitor.versions) if monitor.versions else None

    async def _observe(
        self, lease: MonitorLease, earlier: EarlierVersion, recorder: CheckRecorder | None
    ) -> Observation:
        kind = lease.monitor.definition.target.kind
        seconds = _SITE_SECONDS if kind == "site" else _SECONDS
        observer = self.observers()[kind]
        try:
            async with asyncio.timeout(seconds):
                with capturing_with(recorder):
                    return await observer.observe(lease.monitor, earlier)
        except TimeoutError as error:
            raise DeadlineError(f"The check took more than {seconds:g} seconds.") from error

    async def _compare(
        self, lease: MonitorLease, earlier: EarlierVersion, observation: Observation
    ) -> Seen:
        if observation.version is None:
            return Seen(observation=observation)
        before = await earlier.get()
        if before is None or before.form != observation.version.form:
            return Seen(observation=observation, is_first=True)
        compared = await self.comparer().compare(before, observation.version, lease.monitor)
        return Seen(observation=observation, before=before, compared=compared)

    async def _renew(self, lease: MonitorLease) -> None:
        """Keep the lease until cancelled; return when it was lost."""
        while True:
            await self.clock.sleep(RENEW_SECONDS)
            try:
                await self.commits.renew(lease)
            except FencedError:
                return
            except WebquarryError as error:  # the database is busy: the lease lasts a while
                logger.warning("the lease of monitor %s was not renewed: %s", lease.number, error)
