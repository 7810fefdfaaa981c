"""Citation checks: evidence about existence and claims, never a verdict."""

from typing import Literal

from webquarry.models.model import Model
from webquarry.models.research import Anchor
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Paper

InputType = Literal["doi", "url", "reference"]
Standing = Literal["confirmed", "uncertain", "not_found", "unchecked"]
Confidence = Literal["high", "medium", "low", "none"]
TitleMatch = Literal["match", "mismatch", "not_checked"]
ClaimClass = Literal[
    "supported", "partly", "not_found_in_source", "contradicted", "could_not_check"
]
ClaimSupport = Literal["addressed", "partially_addressed", "not_addressed", "source_unavailable"]


class Difference(Model):
    """A part of a citation that contradicts the record of the work."""

    part: str  # title, authors, year, venue, pages or volume
    cited: str
    recorded: str


class Existence(Model):
    """Whether a cited work exists, and how well the citation matches it."""

    standing: Standing
    record: Paper | None = None  # the cited work itself, never a similar one
    near: Paper | None = None  # a similar work
    registered: bool = False  # its DOI is registered, but no record describes the work
    confidence: Confidence = "none"
    differences: tuple[Difference, ...] = ()  # between citation and record
    title: TitleMatch = "not_checked"
    retraction: RetractionStatus | None = None
    reason: str | None = None
    provenance: tuple[str, ...] = ()

    @property
    def mismatches(self) -> tuple[str, ...]:
        """The names of the parts that differ."""
        return tuple(each.part for each in self.differences)

    @property
    def exists(self) -> bool | None:
        """Whether the work exists, if known; a DOI with a different title exists."""
        if self.record is not None or self.registered:
            return True
        return {"confirmed": True, "not_found": False}.get(self.standing)


class ClaimCheck(Model):
    """Whether a source addresses a claim."""

    support: ClaimSupport
    score: float | None = None  # estimated chance that the source states the whole claim
    overlap: bool = True  # False: the source has no word of the claim
    evidence: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    source: str | None = None  # the URL that was read
    contrast: bool = False
    reason: str | None = None
