"""The check of a document: its references, its claims, and what is wrong with them."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Filled, Model
from webquarry.models.research import Anchor
from webquarry.models.retraction import RetractionStatus
from webquarry.models.trust import ClaimClass, Difference

CheckState = Literal["running", "completed", "cancelled", "failed"]
FindingKind = Literal[
    "contradicted",
    "reference_not_found",
    "retracted",
    "mismatch",
    "misquoted",
    "not_found_in_source",
    "marker_without_entry",
    "dead_link",
    "corrected",
    "never_cited",
]
SourceKind = Literal["page", "open_copy", "abstract"]


class CheckOptions(Model):
    """What to check, and how much work it may be."""

    max_sources: int = Field(default=150, ge=0, le=500)
    deadline: float = Field(default=900.0, ge=1, le=7200)  # seconds
    all_sentences: bool = False  # also those without a marker
    max_model_tokens: int = Field(default=200_000, ge=0)  # of a language model, if configured


class DocumentPlace(Model):
    """Where something stands in a document."""

    line: int  # of the text that was read, from 1
    start: int  # characters of the text
    end: int
    section: Filled[str] = None
    page: int | None = None
    url: Filled[str] = None  # opens the page of a PDF that was given by its URL


class SourceRead(Model):
    """What was read of a cited source."""

    kind: SourceKind | None = None  # None: it could not be read
    url: Filled[str] = None
    reason: Filled[str] = None  # why it could not be read


class CheckedReference(Model):
    """The checks of one entry of the reference list, or of one link."""

    id: str
    label: Filled[str] = None
    text: str
    place: DocumentPlace
    citedBy: int  # sentences that cite it
    checked: bool = False  # False: there was no time
    exists: bool | None = None
    title: Filled[str] = None
    doi: Filled[str] = None
    url: Filled[str] = None
    flags: tuple[str, ...] = ()
    reason: Filled[str] = None
    differences: tuple[Difference, ...] = ()
    retractionStatus: RetractionStatus | None = None
    archivedUrl: Filled[str] = None
    source: SourceRead | None = None


class ModelVerdict(Model):
    """What a language model says of a claim, with the words of the source that it rests on."""

    verdict: ClaimClass
    quote: str


class ModelUse(Model):
    """How often a language model was believed, and what it cost."""

    verdicts: int = 0  # with words that are in the source
    dropped: int = 0  # whose words are not in the source
    tokens: int = 0
    costUsd: float | None = None  # None: no price is configured
    problem: Filled[str] = None  # why verdicts are missing

    def __add__(self, other: "ModelUse") -> "ModelUse":
        costs = [cost for cost in (self.costUsd, other.costUsd) if cost is not None]
        return ModelUse(
            verdicts=self.verdicts + other.verdicts,
            dropped=self.dropped + other.dropped,
            tokens=self.tokens + other.tokens,
            costUsd=sum(costs) if costs else None,
            problem=self.problem or other.problem,
        )


class SourceVerdict(Model):
    """What one source says about a claim."""

    reference: str
    claimClass: ClaimClass
    reason: Filled[str] = None
    score: float | None = None
    quote: Filled[str] = None  # the sentence of the source, verbatim
    anchor: Anchor | None = None
    url: Filled[str] = None  # that was read
    misquoted: bool = False  # the source has words of the quotation differently
    model: ModelVerdict | None = None


class CheckedClaim(Model):
    """A sentence, and what its sources say about it."""

    number: int
    claim: str
    place: DocumentPlace
    markers: tuple[str, ...] = ()
    claimClass: ClaimClass
    reason: Filled[str] = None
    sources: tuple[SourceVerdict, ...] = ()


class Finding(Model):
    """One thing that is wrong."""

    kind: FindingKind
    message: str
    text: str  # the sentence, entry or marker
    place: DocumentPlace
    claim: int | None = None  # its number
    reference: Filled[str] = None  # its id


class CheckProgress(Model):
    """How much of a check is done."""

    references: int = 0
    referencesTotal: int = 0
    sources: int = 0
    sourcesTotal: int = 0
    claims: int = 0
    claimsTotal: int = 0


class CheckStatus(Model):
    """The state of a check, without what it found."""

    checkId: str
    status: CheckState
    document: str
    startedAt: str
    endedAt: Filled[str] = None
    findings: int | None = None  # when it has ended
    canResume: bool  # it has ended, and going on would find more
    progress: CheckProgress | None = None
    error: Filled[str] = None


class DocumentCheck(Model):
    """The result of a check, or what there is of it so far."""

    checkId: str
    status: CheckState
    document: str
    title: Filled[str] = None
    format: str
    complete: bool  # False: there was no time, or no budget, for everything
    summary: dict[str, int]
    findings: tuple[Finding, ...] = ()  # the worst first
    claims: tuple[CheckedClaim, ...] = ()
    references: tuple[CheckedReference, ...] = ()
    progress: CheckProgress
    modelUse: ModelUse | None = None  # None: no language model was asked
    notes: tuple[str, ...] = ()
    checkedAt: str
    error: Filled[str] = None
