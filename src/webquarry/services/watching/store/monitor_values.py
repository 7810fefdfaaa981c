"""The values that monitors and their database exchange."""

from dataclasses import dataclass, field

from webquarry.models.changes import NoiseProfile, Version
from webquarry.models.monitor import Monitor, MonitorChange, MonitorProgress
from webquarry.services.watching.notifications import Notification
from webquarry.services.watching.schedule import Planned

LEASE_SECONDS = 20.0  # after which another process may run a check
RENEW_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class NewMonitor:
    """A monitor to store, and the host whose requests it shares with crawls."""

    monitor: Monitor
    host: bytes = b""  # blinded; empty: none


@dataclass(frozen=True, kw_only=True)
class MonitorLease:
    """The right of one process to run the check of a monitor that is due."""

    number: int  # of the monitor, in this database
    token: int
    noise_edits: int  # edits of the noise profile when the check began
    monitor: Monitor
    host: bytes = b""
    manual: bool = False  # the check was asked for, not due


@dataclass(frozen=True, kw_only=True)
class FoundChange:
    """A change to store, and the notifications of it."""

    change: MonitorChange
    notifications: tuple[Notification, ...] = ()  # sent at once
    digest_due: float | None = None  # when it is sent with others


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a check has to store, in one transaction."""

    progress: MonitorProgress
    planned: Planned  # the next run
    version: Version | None = None  # to keep
    noise: NoiseProfile | None = None  # what was learned; None: unchanged
    found: tuple[FoundChange, ...] = ()
    host_pause: float = 0.0  # seconds that the host asked to wait


@dataclass(frozen=True, kw_only=True)
class ClaimedMonitors:
    """What is to be checked now, and when more may be due."""

    leases: tuple[MonitorLease, ...] = ()
    next_due: float | None = field(default=None)  # None: nothing is planned


@dataclass(frozen=True, kw_only=True)
class DigestDue:
    """A monitor whose collected changes are to be sent."""

    number: int
    monitor: Monitor
    changes: tuple[MonitorChange, ...]
