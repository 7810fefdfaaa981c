"""Notices about scholarly works, from Crossref and Retraction Watch (https://api.crossref.org)."""

from pydantic import Field

from webquarry.models.reading import NoticeKind, RetractionStatus
from webquarry.net.api import Limits
from webquarry.net.upstreams import Upstreams
from webquarry.net.url import segment
from webquarry.scrape.sites.base import Wire

BASE_URL = "https://api.crossref.org"
_KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "withdrawal": "retraction",
    "removal": "retraction",
    "expression_of_concern": "expression_of_concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "partial_retraction": "correction",
    "addendum": "correction",
    "clarification": "correction",
}
_GRAVITY: tuple[NoticeKind, ...] = ("retraction", "expression_of_concern", "correction")


class _Date(Wire):
    parts: tuple[tuple[int | None, ...], ...] = Field(default=(), alias="date-parts")

    def iso(self) -> str:
        found = self.parts[0] if self.parts else ()
        known = [part for part in found if part is not None]
        return "-".join(f"{part:02d}" for part in known)


class _Notice(Wire):
    doi: str | None = Field(default=None, alias="DOI")
    type: str | None = None
    source: str | None = None
    updated: _Date | None = None

    @property
    def kind(self) -> NoticeKind | None:
        return _KINDS.get((self.type or "").lower().replace("-", "_").replace(" ", "_"))


class _Work(Wire):
    notices: tuple[_Notice, ...] | None = Field(default=None, alias="updated-by")


class _Answer(Wire):
    message: _Work


class Retractions:
    """Looks up the notices about a work."""

    def __init__(self, upstreams: Upstreams) -> None:
        limits = Limits(timeout=5, deadline=6, tries=2, per_second=10, burst=5)
        self._api = upstreams.api("crossref", BASE_URL, limits)

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice, None when there is none; raise when nobody could tell."""
        response = await self._api.get(f"works/{segment(doi)}")
        notices = self._api.decode(_Answer, response).message.notices or ()
        ranked = sorted(notices, key=lambda notice: notice.source != "retraction-watch")
        for kind in _GRAVITY:
            # of two reports of one notice the curated one is more precise
            notice = next((notice for notice in ranked if notice.kind == kind), None)
            if notice:
                return _status(notice, kind)
        return None


def _status(notice: _Notice, kind: NoticeKind) -> RetractionStatus:
    return RetractionStatus(
        retracted=kind == "retraction",
        kind=kind,
        date=(notice.updated.iso() if notice.updated else "") or None,
        noticeDoi=notice.doi,
        source=notice.source,
    )
