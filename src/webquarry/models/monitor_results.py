"""Monitors and their changes as tools and the REST API return them."""

from typing import Any

from pydantic import Field

from webquarry.models.changes import ChangeAction, ChangedNumber, ChangeKind, DiffPart
from webquarry.models.model import Filled, Model
from webquarry.models.monitor import MonitorEvent, MonitorKind, MonitorState, RunOutcome


class IgnoredRow(Model):
    """Why a change is ignored, and the rule to unmute."""

    rule: str
    reason: str
    note: str


class PassageRow(Model):
    """One thing that changed; `id` mutes its place."""

    id: str
    kind: ChangeKind
    action: ChangeAction
    where: Filled[str] = None
    before: Filled[str] = None
    after: Filled[str] = None
    size: int = Field(description="Words that differ.")
    number: ChangedNumber | None = None
    url: Filled[str] = Field(default=None, description="Links to the passage.")
    diff: Filled[tuple[DiffPart, ...]] = None
    ignored: IgnoredRow | None = None


class ChangeRow(Model):
    """What one check found."""

    number: int
    at: str
    event: MonitorEvent
    summary: str
    url: Filled[str] = None
    title: Filled[str] = None
    changes: Filled[tuple[PassageRow, ...]] = None
    ignored: Filled[tuple[PassageRow, ...]] = None
    since: str | None = Field(default=None, description="Unreachable since.")
    reason: str | None = None
    evidence: bool | None = Field(default=None, description="Exchanges were captured.")


class MonitorRow(Model):
    """A monitor in a list."""

    monitorId: str
    name: str
    kind: MonitorKind
    target: str
    status: MonitorState
    schedule: str
    nextRun: str | None = Field(default=None, description="None while it is paused.")
    lastRun: str | None = None
    lastOutcome: RunOutcome | None = None
    lastChange: str | None = None
    changes: int
    runs: int
    unreachableSince: str | None = None
    error: str | None = None


class NoiseRow(Model):
    """A place where changes are ignored."""

    rule: str
    origin: str
    where: Filled[str] = None
    text: Filled[str] = None


class MonitorDetails(MonitorRow):
    """One monitor."""

    definition: dict[str, Any] = Field(description="As requested, without addresses and keys.")
    createdAt: str
    feed: str = Field(description="Path of its Atom feed; whoever knows it can read it.")
    muted: Filled[tuple[NoiseRow, ...]] = None
    ignored: Filled[tuple[PassageRow, ...]] = Field(
        default=None, description="Noise of the latest check."
    )


class MonitorsListed(Model):
    """The monitors of a caller."""

    monitors: tuple[MonitorRow, ...]
    nextOffset: int | None = None


class MonitorHistory(Model):
    """The changes of a monitor, the newest first."""

    monitorId: str
    name: str
    status: MonitorState
    lastRun: str | None = None
    lastOutcome: RunOutcome | None = None
    error: str | None = None
    changes: tuple[ChangeRow, ...]
    nextBefore: int | None = Field(default=None, description="Pass it as before, for older ones.")
    rule: str | None = Field(default=None, description="That was muted: pass it to unmute.")


class MonitorDeleted(Model):
    """A monitor that was deleted."""

    monitorId: str
    deleted: bool = True
