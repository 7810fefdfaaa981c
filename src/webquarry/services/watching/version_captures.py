"""Keeps what a version was read from: its text for quotations, its exchanges for bundles."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from webquarry.content.claims.text_fragments import PageText
from webquarry.content.markdown.parse import visible_text
from webquarry.models.changes import PageVersion, Version
from webquarry.models.exchange import Exchange
from webquarry.models.monitor import Monitor
from webquarry.services.bundles.capturing import Capturing
from webquarry.services.watching.check_results import Seen
from webquarry.storage.captures import Captures


@dataclass
class CheckRecorder:
    """Takes the exchanges of one check, until it is known whether they are kept."""

    max_body: int
    exchanges: list[Exchange] = field(default_factory=list[Exchange])

    def record(self, exchange: Exchange) -> None:
        """Take one exchange."""
        self.exchanges.append(exchange)

    async def flush(self) -> None:
        """Do nothing: `VersionCaptures.keep` stores them."""


@dataclass(frozen=True, kw_only=True)
class VersionCaptures:
    """Stores the text of versions that are quoted, and the exchanges of those that ask for it."""

    captures: Callable[[], Captures]
    capturing: Callable[[], Capturing]
    always: bool = False

    def recorder(self, monitor: Monitor) -> CheckRecorder | None:
        """Return what takes the exchanges of a check; None if they are not wanted."""
        if not (self.always or monitor.definition.capture):
            return None
        return CheckRecorder(self.capturing().limits.max_body)

    async def keep(self, monitor: Monitor, seen: Seen, recorder: CheckRecorder | None) -> Seen:
        """Store what belongs to a version, and return where it is."""
        if seen.is_change:
            for version in (seen.before, seen.observation.version):
                await self._keep_text(monitor, version)
        if recorder is None or not recorder.exchanges:
            return seen
        group = capture_group(monitor.id, monitor.versions + 1)
        capturing = self.capturing()
        taking = capturing.recorder(monitor.tenant, monitor.user, group)
        for exchange in recorder.exchanges:
            taking.record(exchange)
        await capturing.flush()
        return replace(seen, captured=group)

    async def _keep_text(self, monitor: Monitor, version: Version | None) -> None:
        if not isinstance(version, PageVersion):
            return
        text = PageText(visible_text(version.markdown)).text
        await self.captures().save_read_at(
            version.at, version.url, version.title, text, tenant=monitor.tenant, owner=monitor.user
        )


def capture_group(monitor_id: str, version: int) -> str:
    """Return the group of the exchanges of a version."""
    return f"monitor.{monitor_id}.{version}"
