"""A research session: the steps taken, what was found on the way, and what is still open."""

from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.models.model import Model

Confidence = Literal["high", "medium", "low"]
Depth = Literal["quick", "standard", "thorough"]


class ResearchStep(Model):
    """One step, as the researcher described it."""

    stepNumber: int
    description: str
    reasoning: str | None = None
    confidence: Confidence | None = None
    rejectedApproaches: tuple[str, ...] | None = None
    isRevision: bool | None = None
    revisesStep: int | None = None
    supersededBy: int | None = None  # the latest step that revises this one
    branchFromStep: int | None = None
    branchId: str | None = None
    knowledgeGap: str | None = None
    depth: Depth | None = None
    timestamp: str


class StepIndexEntry(Model):
    """A step in one line."""

    stepNumber: int
    oneLiner: str
    branchId: str = ""
    confidence: str = ""


class KnowledgeGap(Model):
    """Something the research has not answered yet."""

    description: str
    foundInStep: int | None = None


class ResearchSource(Model):
    """A page, paper or record that a tool found for the session."""

    url: str
    title: str | None = None
    foundInStep: int | None = None  # absent when a tool with only a sessionId found it
    authors: tuple[str, ...] | None = None
    site: str | None = None
    published: str | None = None  # as precise as the source says: 2024, 2024-05, 2024-05-17
    doi: str | None = None
    sourceType: str | None = None
    tool: str | None = None
    foundAt: str | None = None
    read: bool | None = None  # its text was read, not only its title and snippet seen
    retracted: bool | None = None  # True when a tool was told so; nothing is known otherwise


class ProviderCall(Model):
    """One question put to one provider, and what came of it."""

    provider: str
    query: str | None = None  # as it was sent, where that is known
    filters: dict[str, Any] | None = None
    hits: int = 0  # what the provider returned
    duplicates: int = 0  # of these the same page again
    kept: int = 0  # what was handed on
    removedBy: tuple[str, ...] = ()  # the filters that were applied to its answer afterwards
    error: str | None = None  # the kind of its failure


class ToolFailure(Model):
    """A page or a call that failed."""

    kind: str
    url: str | None = None
    provider: str | None = None


class SessionOpened(Model):
    """The session began."""

    kind: Literal["opened"] = "opened"
    at: str
    goal: str


class StepTaken(Model):
    """A step was taken."""

    kind: Literal["step"] = "step"
    step: ResearchStep
    more: bool  # further steps follow
    goal: str | None = None
    summary: str | None = None
    estimate: int | None = None


class ToolFindings(Model):
    """What one call of a tool brought, good or bad."""

    kind: Literal["findings"] = "findings"
    at: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])
    sources: tuple[ResearchSource, ...] = ()
    asks: tuple[ProviderCall, ...] = ()
    mishaps: tuple[ToolFailure, ...] = ()
    searched: bool = False  # a search, rather than the reading of a page
    searchedAt: str | None = None  # of an answer that was kept: when it was asked for


Event = Annotated[SessionOpened | StepTaken | ToolFindings, Field(discriminator="kind")]


class SessionBatch(Model):
    """What is appended to a session at once; its id tells a page written twice from two pages."""

    id: str
    events: tuple[Event, ...]


class ErrorPattern(Model):
    """A failure that keeps happening in a session."""

    kind: str
    count: int
    affectedUrls: tuple[str, ...]
    suggestion: str
    lastSeen: str


class ProviderStats(Model):
    """How often a provider was asked in a session, and how often it answered."""

    attempts: int
    successes: int


class SearchEntry(Model):
    """One line of the search log: a question to a provider and what became of its records."""

    number: int
    tool: str
    provider: str
    query: str
    filters: dict[str, Any]
    searchedAt: str
    hits: int
    duplicatesRemoved: int  # the same page twice in the answer, or known to the session already
    excluded: int  # returned, but not handed on
    excludedBy: tuple[str, ...]
    screened: int  # new to the session and shown to the researcher
    error: str | None = None


class Flow(Model):
    """How many records went which way, over all searches of a session."""

    identified: int
    duplicatesRemoved: int
    excluded: int
    screened: int
    read: int
    notRetrieved: int


class TopicCoverage(Model):
    """Signals about the sources so far; never an answer."""

    sourceCount: int
    uniqueDomains: int
    domainSpread: float  # different domains per source
    dominantDomain: str | None = None
    sourceTypes: dict[str, int]
    gaps: tuple[str, ...]


class BriefSource(Model):
    """A source as steps list it; exports have the rest."""

    url: str
    title: str | None = None
    foundInStep: int | None = None


def brief(source: ResearchSource) -> BriefSource:
    """Return the part of a source that an assistant needs to go on."""
    return BriefSource(url=source.url, title=source.title, foundInStep=source.foundInStep)


class Refined(Model):
    """What one follow-up query brought."""

    query: str
    resultCount: int | None = None
    results: list[dict[str, str]] | None = None
    error: str | None = None
