"""Whether an address still leads to its page, and where a copy is kept if it does not."""

from typing import Literal

from webquarry.models.model import Model

LinkOutcome = Literal["live", "dead", "soft_404", "redirected_to_root", "blocked", "unchecked"]


class Snapshot(Model):
    """An archived copy of a page."""

    url: str
    takenAt: str  # RFC 3339 in UTC


class LinkCheck(Model):
    """What came of one address."""

    url: str
    outcome: LinkOutcome
    status: int | None = None
    reason: str | None = None
    finalUrl: str | None = None  # where redirects led
    snapshot: Snapshot | None = None

    @property
    def lost(self) -> bool:
        """Whether the page is not there any more."""
        return self.outcome in ("dead", "soft_404", "redirected_to_root")


class ArchiveResult(Model):
    """What came of asking an archive for a fresh copy."""

    state: Literal["archived", "pending", "failed"]
    snapshot: Snapshot | None = None
    job: str | None = None  # to ask again with while it is pending
    status: int | None = None  # HTTP
    reason: str | None = None
