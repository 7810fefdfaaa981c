"""What is found out about a citation. Evidence, never a verdict."""

from typing import Literal

from webquarry.models.model import Model
from webquarry.models.reading import RetractionStatus
from webquarry.models.research import Anchor
from webquarry.models.works import Paper

InputType = Literal["doi", "url", "reference"]
Standing = Literal["confirmed", "uncertain", "not_found", "unchecked"]
Confidence = Literal["high", "medium", "low", "none"]
TitleMatch = Literal["match", "mismatch", "not_checked"]
ClaimSupport = Literal["addressed", "partially_addressed", "not_addressed", "source_unavailable"]


class Existence(Model):
    """Whether a cited work is there, and how well the citation fits it."""

    standing: Standing
    record: Paper | None = None  # the cited work itself, never a neighbour
    near: Paper | None = None  # a work like it
    registered: bool = False  # its DOI is, though nobody described the work
    confidence: Confidence = "none"
    mismatches: tuple[str, ...] = ()  # what the citation says otherwise than the record
    title: TitleMatch = "not_checked"
    retraction: RetractionStatus | None = None
    reason: str | None = None
    provenance: tuple[str, ...] = ()

    @property
    def exists(self) -> bool | None:
        """True or false where that is known; a DOI with another title beside it exists."""
        if self.record is not None or self.registered:
            return True
        return {"confirmed": True, "not_found": False}.get(self.standing)


class ClaimCheck(Model):
    """Whether a source speaks about a claim."""

    support: ClaimSupport
    evidence: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    source: str | None = None  # what was read
    contrast: bool = False
    reason: str | None = None
