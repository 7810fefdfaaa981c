"""Sources read for one query: scores, anchors, failures, components."""

from typing import Literal

from webquarry.models.model import Filled, Model
from webquarry.models.page import AuthorityTier, DomainCategory, SizeCategory, SourceType
from webquarry.models.retraction import RetractionStatus
from webquarry.models.zero_results import TRUST

Stored = Literal["verified", "not_in_capture", "altered", "no_capture"]
Live = Literal["found", "changed", "gone", "unreachable"]


class SourceFailure(Model):
    """Why a page could not be read, and what to do."""

    url: str
    kind: str
    reason: str
    retryable: bool
    suggestedAction: str


class Scores(Model):
    """Quality scores of a source, each 0 to 1."""

    overall: float
    relevance: float
    freshness: float
    authority: float
    contentQuality: float


class Anchor(Model):
    """A quotation that can be verified later."""

    url: str  # with a text fragment if one can identify the passage
    quote: str  # verbatim, as in the capture
    sha256: str  # of the text of the capture


class SourceResult(Model):
    """One source, as callers see it."""

    url: str
    title: Filled[str] = None
    content: str
    contentType: str
    trust: str = TRUST
    scores: Scores | None = None
    sourceType: SourceType | None = None
    authorityTier: AuthorityTier | None = None
    domainCategory: DomainCategory | None = None
    publishedAt: str | None = None
    wordCount: int | None = None
    extractionQuality: str | None = None
    truncated: Filled[bool] = None
    retractionStatus: RetractionStatus | None = None
    alsoAt: Filled[list[str]] = None  # URLs of the same text
    claimSignal: Filled[str] = None
    keySentences: Filled[list[str]] = None
    anchors: Filled[list[Anchor]] = None


class Recommendation(Model):
    """A source worth reading first, and why."""

    url: str
    title: str | None = None
    score: float
    reason: str


class Card(Model):
    """A title with facts."""

    title: str
    url: str
    subtitle: str | None = None
    body: Filled[str] = None
    facts: dict[str, str]


class Table(Model):
    """Rows of text under named columns."""

    columns: list[str]
    rows: list[list[str]]


class Component(Model):
    """A component that a client can render; generated from the rest of the result."""

    type: str
    autoFormatted: bool = True
    label: str = "mcp-auto-formatted"
    title: str | None = None
    sourceRefs: list[str] | None = None
    card: Card | None = None
    table: Table | None = None


class PipelineSummary(Model):
    """Counts of the searched and read pages."""

    urlsSearched: int
    urlsScraped: int
    urlsFailed: int
    processingTimeMs: int
    duplicateSources: Filled[int] = None  # copies of a source that is listed
    duplicateParagraphs: Filled[int] = None
    filteredOut: Filled[list[str]] = None  # read, but not about the query
    sparseSources: Filled[int] = None


class SizeMetadata(Model):
    """How much text there is."""

    totalLength: int
    estimatedTokens: int
    sizeCategory: SizeCategory
    truncated: Filled[bool] = None  # passages were left out
    maxTokens: int | None = None  # as requested


class QuoteCheck(Model):
    """The result of verifying a quotation."""

    url: str
    quote: str
    stored: Stored
    capturedAt: str | None = None
    live: Live | None = None  # None: not checked
    nearest: str | None = None  # the most similar sentence of the page
    failure: SourceFailure | None = None

    @property
    def verdict(self) -> bool | None:
        """Whether the quotation is correct; None if that could not be checked."""
        if self.stored in ("not_in_capture", "altered") or self.live in ("changed", "gone"):
            return False
        if self.live == "unreachable":
            return None
        return True if self.stored == "verified" or self.live == "found" else None
