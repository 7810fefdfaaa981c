"""What a check has to store: progress, version, changes and their notifications."""

from dataclasses import dataclass
from typing import Any

from webquarry.errors import WebquarryError
from webquarry.models.changes import Version
from webquarry.models.monitor import (
    Monitor,
    MonitorChange,
    MonitorCheck,
    MonitorProgress,
    MonitorSchedule,
    PageCounts,
    RunOutcome,
)
from webquarry.net.clock import Clock
from webquarry.services.watching.checked_pages import page_counts
from webquarry.services.watching.notifications import notifications
from webquarry.services.watching.observing import Compared, Observation
from webquarry.services.watching.schedule import RunTimes
from webquarry.services.watching.store.monitor_values import FoundChange, RunResult

_TELL_AFTER = 3  # failed checks in a row: one alone is often a restart of the site
_MAX_IGNORED = 50  # shown of the latest check
_MAX_REASON = 500
KEPT_CHECKS = 50  # of each monitor


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A check that could be done."""

    observation: Observation
    before: Version | None = None
    compared: Compared | None = None  # None: not modified, or nothing to compare with
    is_first: bool = False
    captured: str = ""

    @property
    def is_change(self) -> bool:
        """Whether there is something to tell."""
        found = self.compared
        return found is not None and bool(found.comparison.changes) and found.is_wanted

    @property
    def keeps_version(self) -> bool:
        """Whether later checks compare with this version."""
        found = self.compared
        return self.is_first or (found is not None and found.keeps_version)


class ResultWriter:
    """Writes the result of one check of a monitor."""

    def __init__(self, monitor: Monitor, clock: Clock, *, manual: bool = False) -> None:
        self._monitor = monitor
        self._manual = manual
        self._clock = clock
        self._now = clock.time()
        self._found: list[FoundChange] = []
        self._times = RunTimes(monitor.definition.schedule)
        self._planned = self._times.after(monitor.slot, self._now, clock.random)

    def failed(self, error: WebquarryError) -> RunResult:
        """Return the result of a check that could not be done: that is no change."""
        progress, now = self._monitor.progress, self._now
        failures, since = progress.failures + 1, progress.failing_since or now
        reason = str(error)[:_MAX_REASON]
        tells = failures >= _TELL_AFTER and not progress.unreachable_told
        if tells:
            self._tell(
                MonitorChange(seq=0, at=now, event="unreachable", since=since, reason=reason)
            )
        planned = self._times.retry(self._planned, now, failures, error.retry_after)
        return RunResult(
            progress=self._progress(
                "failed",
                failures=failures,
                failing_since=since,
                last_error=reason,
                unreachable_told=progress.unreachable_told or tells,
                checks=self._checks("failed", error=reason),
            ),
            planned=planned,
            found=tuple(self._found),
            host_pause=error.retry_after or 0.0 if error.advice.kind == "rate_limited" else 0.0,
        )

    def seen(self, seen: Seen) -> RunResult:
        """Return the result of a check that could be done."""
        progress, observation = self._monitor.progress, seen.observation
        if progress.unreachable_told:
            since = progress.failing_since
            self._tell(MonitorChange(seq=0, at=self._now, event="reachable", since=since))
        if seen.is_change:
            self._tell(self._change(seen))
        updates: dict[str, Any] = {"validators": observation.validators}
        if seen.compared:
            updates["ignored"] = seen.compared.comparison.ignored[:_MAX_IGNORED]
        if seen.keeps_version:
            updates["captured"] = seen.captured or observation.captured
        outcome = _outcome(seen)
        updates["checks"] = self._checks(
            outcome,
            change=self._found[-1].change.seq if seen.is_change else 0,
            version=self._monitor.versions + int(seen.keeps_version),
            pages=self._counts(seen),
        )
        return RunResult(
            progress=self._progress(outcome, **updates),
            planned=self._planned,
            version=observation.version if seen.keeps_version else None,
            noise=self._learned(seen),
            found=tuple(self._found),
        )

    def _change(self, seen: Seen) -> MonitorChange:
        version, compared = seen.observation.version, seen.compared
        if version is None or compared is None:
            raise ValueError("a change needs two versions")
        captured = (self._monitor.progress.captured, seen.captured or seen.observation.captured)
        return MonitorChange(
            seq=0,
            at=self._now,
            event="changed",
            url=version.url or self._monitor.definition.target.target,
            title=getattr(version, "title", ""),
            changes=compared.comparison.changes,
            ignored=compared.comparison.ignored[:_MAX_IGNORED],
            before=self._monitor.versions,
            version=self._monitor.versions + 1,
            captured=tuple(filter(None, captured)),
        )

    def _tell(self, change: MonitorChange) -> None:
        numbered = change.model_copy(update={"seq": self._monitor.changes + len(self._found) + 1})
        digest = self._monitor.definition.notify.digest
        if digest is None:
            messages = notifications(self._monitor, (numbered,))
            self._found.append(FoundChange(change=numbered, notifications=messages))
            return
        schedule = self._monitor.definition.schedule
        times = RunTimes(MonitorSchedule(every=digest, timezone=schedule.timezone))
        due = times.after(self._monitor.created, self._now, self._clock.random).due
        self._found.append(FoundChange(change=numbered, digest_due=due))

    def _progress(self, outcome: RunOutcome, **updates: Any) -> MonitorProgress:
        """Return the progress; a check that could be done ends a series of failures."""
        healthy: dict[str, Any] = {
            "failures": 0,
            "failing_since": None,
            "last_error": None,
            "unreachable_told": False,
        }
        changed = {"last_change": self._now} if outcome == "changed" else {}
        run = {"last_run": self._now, "last_outcome": outcome}
        return self._monitor.progress.model_copy(update={**healthy, **run, **changed, **updates})

    def _checks(self, outcome: RunOutcome, **found: Any) -> tuple[MonitorCheck, ...]:
        """Return the latest checks with this one."""
        check = MonitorCheck(
            number=self._monitor.runs + 1,
            began=self._now,
            ended=self._clock.time(),
            outcome=outcome,
            manual=self._manual,
            **found,
        )
        return (check, *self._monitor.progress.checks)[:KEPT_CHECKS]

    def _counts(self, seen: Seen) -> PageCounts:
        if seen.observation.version is None:  # not modified: as many as before
            checks = self._monitor.progress.checks
            earlier = next((each.pages.total for each in checks if each.pages.total), 1)
            return PageCounts(total=earlier)
        compared = seen.compared if seen.is_change else None
        changes = compared.comparison.changes if compared else ()
        return page_counts(seen.observation.version, changes, is_first=seen.is_first)

    def _learned(self, seen: Seen) -> Any:
        if seen.compared is None or seen.compared.noise == self._monitor.noise:
            return None
        return seen.compared.noise


def _outcome(seen: Seen) -> RunOutcome:
    if seen.is_first:
        return "first"
    return "changed" if seen.is_change else "unchanged"
