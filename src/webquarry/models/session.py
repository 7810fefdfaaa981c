"""Research sessions: steps, sources, gaps, events and the search log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.models.model import Filled, Model
from webquarry.models.research import Anchor

Confidence = Literal["high", "medium", "low"]
Depth = Literal["quick", "standard", "thorough"]


class ResearchStep(Model):
    """One step, as the researcher described it."""

    stepNumber: int
    description: str
    reasoning: Filled[str] = None
    confidence: Confidence | None = None
    rejectedApproaches: tuple[str, ...] | None = None
    isRevision: Filled[bool] = None
    revisesStep: int | None = None
    supersededBy: int | None = None  # the latest step that revises this one
    branchFromStep: int | None = None
    branchId: Filled[str] = None
    knowledgeGap: Filled[str] = None
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
    title: Filled[str] = None
    foundInStep: int | None = None  # absent if a tool call without a step found it
    authors: tuple[str, ...] | None = None
    site: str | None = None
    published: str | None = None  # in the precision of the source: 2024, 2024-05, 2024-05-17
    doi: str | None = None
    sourceType: str | None = None
    tool: str | None = None
    foundAt: str | None = None
    read: bool | None = None  # its text was read, not only title and snippet
    retracted: bool | None = None  # True if a tool reported it; otherwise unknown


class ProviderCall(Model):
    """One query to one provider, and what became of its results."""

    provider: str
    query: str | None = None  # as sent, if known
    filters: dict[str, Any] | None = None
    hits: int = 0  # returned by the provider
    duplicates: int = 0  # repeated pages
    kept: int = 0  # after filters
    removedBy: tuple[str, ...] = ()  # filters applied to its results
    error: str | None = None  # the kind of error


class ToolFailure(Model):
    """A page or a call that failed."""

    kind: str
    url: str | None = None
    provider: str | None = None


class SessionOpened(Model):
    """The session was started."""

    kind: Literal["opened"] = "opened"
    at: str
    goal: str


class StepTaken(Model):
    """A step was recorded."""

    kind: Literal["step"] = "step"
    step: ResearchStep
    more: bool  # further steps follow
    goal: Filled[str] = None
    summary: Filled[str] = None
    estimate: int | None = None
    capture: Filled[bool] = None  # from now on, exchanges are captured


class ToolFindings(Model):
    """Sources, provider calls and failures of one tool call."""

    kind: Literal["findings"] = "findings"
    at: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])
    sources: tuple[ResearchSource, ...] = ()
    asks: tuple[ProviderCall, ...] = ()
    mishaps: tuple[ToolFailure, ...] = ()
    quotes: Filled[tuple[Anchor, ...]] = None
    searched: bool = False  # a search, not the reading of a page
    searchedAt: str | None = None  # of a cached result: when it was searched


Event = Annotated[SessionOpened | StepTaken | ToolFindings, Field(discriminator="kind")]


class SessionBatch(Model):
    """Events appended to a session together; the id identifies a batch written twice."""

    id: str
    events: tuple[Event, ...]


class ErrorPattern(Model):
    """A repeated failure in a session."""

    kind: str
    count: int
    affectedUrls: tuple[str, ...]
    suggestion: str
    lastSeen: str


class ProviderStats(Model):
    """Queries and successes of a provider in a session."""

    attempts: int
    successes: int


class SearchEntry(Model):
    """One entry of the search log: a query to a provider and its record counts."""

    number: int
    tool: str
    provider: str
    query: str
    filters: dict[str, Any]
    searchedAt: str
    hits: int
    duplicatesRemoved: int  # repeated in the results, or known to the session
    excluded: int  # removed by filters
    excludedBy: tuple[str, ...]
    screened: int  # new to the session and shown to the researcher
    error: str | None = None


class Flow(Model):
    """Record counts of all searches of a session."""

    identified: int
    duplicatesRemoved: int
    excluded: int
    screened: int
    read: int
    notRetrieved: int


class TopicCoverage(Model):
    """Statistics about the sources so far."""

    sourceCount: int
    uniqueDomains: int
    domainSpread: float  # different domains per source
    dominantDomain: str | None = None
    sourceTypes: dict[str, int]
    gaps: tuple[str, ...]


class BriefSource(Model):
    """A source in short form; exports have all fields."""

    url: str
    title: str | None = None
    foundInStep: int | None = None


def brief_source(source: ResearchSource) -> BriefSource:
    """Return a source in short form."""
    return BriefSource(url=source.url, title=source.title, foundInStep=source.foundInStep)


class Refined(Model):
    """The results of one follow-up query."""

    query: str
    resultCount: int | None = None
    results: list[dict[str, str]] | None = None
    error: str | None = None
