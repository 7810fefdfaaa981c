"""Monitors: what they watch, when they are checked, and who is notified."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.changes import Change, NoiseProfile
from webquarry.models.model import Model
from webquarry.models.reading import PageValidators
from webquarry.models.webhook import WebhookTarget

MonitorKind = Literal["page", "feed", "site", "search", "references"]
MonitorState = Literal["active", "paused"]
# changed: the content; unreachable, reachable: what could not be checked, and its end
MonitorEvent = Literal["changed", "unreachable", "reachable"]
RunOutcome = Literal["first", "unchanged", "changed", "failed"]


class MonitorTarget(Model):
    """What a monitor watches."""

    kind: MonitorKind = Field(default="page", description="What `target` is.")
    target: str = Field(description="A URL, a query, or references.")
    selector: str | None = Field(default=None, description="CSS selector of the part to watch.")
    words: tuple[str, ...] = Field(default=(), description="Watch only passages with one of these.")
    fields: str | None = Field(default=None, description="Names of the fields to watch.")
    json_schema: dict[str, Any] | None = Field(
        default=None, description="JSON Schema of the fields to watch."
    )
    conditions: tuple[str, ...] = Field(
        default=(), description="Report a change only if one holds, like `price < 20`."
    )
    max_pages: int = Field(default=100, description="Pages of a site.")
    render: bool = Field(default=False, description="Run JavaScript before reading.")

    @property
    def has_fields(self) -> bool:
        """Whether fields of a page are watched, not its text."""
        return bool(self.fields or self.json_schema)


class MonitorSchedule(Model):
    """When a monitor is checked."""

    every: str = Field(default="1d", description="An interval like 30m, or a cron expression.")
    timezone: str = Field(default="UTC", description="IANA time zone of cron and quiet hours.")
    quiet: str | None = Field(default=None, description="No checks in these hours: 22:00-07:00.")
    jitter: float = Field(default=0.0, description="Up to so many seconds later, at random.")


class MonitorNotify(Model):
    """Who is notified of changes. Stored encrypted; headers and addresses are secrets."""

    webhooks: tuple[WebhookTarget, ...] = Field(default=(), description="URLs to POST to.")
    services: tuple[str, ...] = Field(default=(), description="Apprise URLs of mail or chat.")
    digest: str | None = Field(
        default=None, description="Collect changes; notify at this interval or cron time."
    )


class MonitorDefinition(Model):
    """A monitor as requested."""

    name: str = Field(description="Title in lists and notifications.")
    target: MonitorTarget
    schedule: MonitorSchedule = MonitorSchedule()
    notify: MonitorNotify = MonitorNotify()
    capture: bool = Field(default=False, description="Keep requests and responses of versions.")


class PageCounts(Model):
    """How many pages, results or entries a check saw, and how they were."""

    total: int = 0
    new: int = 0
    changed: int = 0
    removed: int = 0


class MonitorCheck(Model):
    """One check. Times are unix seconds."""

    number: int = Field(description="Number within its monitor.")
    began: float
    ended: float
    outcome: RunOutcome
    manual: bool = Field(default=False, description="Outside the schedule.")
    change: int = Field(default=0, description="Number of the change that it found; 0: none.")
    version: int = Field(default=0, description="Number of the version that was the latest after.")
    pages: PageCounts = PageCounts()
    error: str | None = None


class MonitorProgress(Model):
    """What is remembered from one check to the next."""

    validators: PageValidators = PageValidators()
    last_run: float | None = None
    last_outcome: RunOutcome | None = None
    last_change: float | None = None
    failures: int = Field(default=0, description="Failed checks since the last successful one.")
    failing_since: float | None = None
    last_error: str | None = None
    unreachable_told: bool = False
    ignored: tuple[Change, ...] = Field(default=(), description="Noise of the latest check.")
    captured: str = Field(default="", description="Where the exchanges of the version are.")
    checks: tuple[MonitorCheck, ...] = Field(default=(), description="The latest, newest first.")


class Monitor(Model):
    """A monitor and its state. Times are unix seconds."""

    id: str
    tenant: str
    user: str
    state: MonitorState
    definition: MonitorDefinition
    progress: MonitorProgress = MonitorProgress()
    noise: NoiseProfile = NoiseProfile()
    created: float
    slot: float = Field(description="Scheduled time of the next check.")
    due: float = Field(description="When the next check starts, with jitter.")
    runs: int = 0
    changes: int = Field(default=0, description="Number of the latest change.")
    versions: int = Field(default=0, description="Number of the latest version.")


class MonitorChange(Model):
    """What one check found. `unreachable` and `reachable` have no changes, but a reason."""

    seq: int = Field(description="Number within its monitor.")
    at: float
    event: MonitorEvent
    url: str = ""
    title: str = ""
    changes: tuple[Change, ...] = ()
    ignored: tuple[Change, ...] = ()
    version: int = Field(default=0, description="The version that the check saw; 0: none.")
    before: int = Field(default=0, description="The version it was compared with.")
    since: float | None = Field(default=None, description="First failed check.")
    reason: str | None = Field(default=None, description="Why the check failed.")
    captured: tuple[str, ...] = Field(default=(), description="Groups of captured exchanges.")
