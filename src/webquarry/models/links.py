"""Link checks and archived copies."""

from typing import Literal

from webquarry.models.model import Model

LinkOutcome = Literal["live", "dead", "soft_404", "redirected_to_root", "blocked", "unchecked"]


class Snapshot(Model):
    """An archived copy of a page."""

    url: str
    takenAt: str  # RFC 3339 in UTC


class LinkCheck(Model):
    """The result of checking one URL."""

    url: str
    outcome: LinkOutcome
    status: int | None = None
    reason: str | None = None
    finalUrl: str | None = None  # after redirects
    snapshot: Snapshot | None = None
    unresolved: bool | None = None  # nor were most other hosts found: names cannot be looked up

    @property
    def lost(self) -> bool:
        """Whether the page is gone."""
        return self.outcome in ("dead", "soft_404", "redirected_to_root")

    @property
    def readable_urls(self) -> list[str]:
        """The URLs where the page may be read: its own unless it is gone, then the snapshot."""
        archived = [self.snapshot.url] if self.snapshot else []
        return archived if self.lost else [self.url, *archived]


class ArchiveResult(Model):
    """The result of requesting a capture from an archive."""

    state: Literal["archived", "pending", "failed"]
    snapshot: Snapshot | None = None
    job: str | None = None  # to query while it is pending
    status: int | None = None  # HTTP
    reason: str | None = None
