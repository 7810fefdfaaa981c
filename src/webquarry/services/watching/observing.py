"""What a check sees: the port of everything that can be watched."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.models.caller import Caller
from webquarry.models.changes import (
    EntriesVersion,
    NoiseProfile,
    Version,
    VersionComparison,
    WatchedEntry,
)
from webquarry.models.monitor import Monitor
from webquarry.models.reading import PageValidators


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What a check saw."""

    version: Version | None  # None: it has not changed
    validators: PageValidators = field(default_factory=PageValidators)
    captured: str = ""  # group of exchanges that somebody else captured


@dataclass
class EarlierVersion:
    """The version of an earlier check, read when it is needed."""

    read: Callable[[], Awaitable[Version | None]]
    _read: list[Version | None] = field(default_factory=list[Version | None])

    async def get(self) -> Version | None:
        """Return the version; None at the first check."""
        if not self._read:
            self._read.append(await self.read())
        return self._read[0]

    async def entries(self) -> dict[str, WatchedEntry]:
        """Return its entries by key."""
        version = await self.get()
        entries = version.entries if isinstance(version, EntriesVersion) else ()
        return {entry.key: entry for entry in entries}


class Observes(Protocol):
    """Looks at what one kind of monitor watches."""

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        """Return what is there now; raise `WebquarryError` if that cannot be said."""
        ...


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two versions compared, and what was learned about noise."""

    comparison: VersionComparison
    noise: NoiseProfile
    is_wanted: bool = True  # False: the conditions of the monitor do not hold
    is_learning: bool = False

    @property
    def keeps_version(self) -> bool:
        """Whether later checks compare with the later of the two versions."""
        if self.comparison.changes:
            # otherwise a price that falls slowly would never have dropped by 5 %
            return self.is_wanted
        return self.is_learning and bool(self.comparison.ignored)


class ComparesVersions(Protocol):
    """Says what differs between two versions, and what of it is noise."""

    async def compare(self, before: Version, after: Version, monitor: Monitor) -> Compared:
        """Return the changes."""
        ...


def owner_of(monitor: Monitor) -> Caller:
    """Return the owner, as whom a monitor is checked."""
    return Caller(tenant=monitor.tenant, user=monitor.user)
