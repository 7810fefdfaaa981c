"""Scholarly works: what is asked of a source, what it knows, and what several know together."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model
from webquarry.models.reading import RetractionStatus

Source = Literal["arxiv", "pubmed", "ieee", "nature", "springer"]
Direction = Literal["cited_by", "references", "both"]


class WorkQuery(Model):
    """Which works are wanted."""

    text: str
    count: int = 10
    year_from: int | None = None
    year_to: int | None = None
    source: Source | None = None  # where they must be published or listed
    open_access: bool = False
    pdf_only: bool = False
    newest: bool = False  # by date instead of by relevance


class Work(Model):
    """A scholarly work as one source describes it, or as several do together."""

    title: str
    url: str
    source: str  # the provider that told us; of several the first
    doi: str | None = None
    authors: tuple[str, ...] = ()
    journal: str | None = None
    year: int | None = None
    published: str | None = None  # as precise as the source is: 2024, 2024-07 or 2024-07-01
    abstract: str | None = None
    citationCount: int | None = None
    openAccess: bool | None = None  # None: the source does not say
    pdfUrl: str | None = None
    tldr: str | None = None
    isInfluential: bool | None = None
    citationIntents: tuple[str, ...] = ()
    ids: dict[str, str] = Field(default_factory=dict)  # arxiv, pmid, pmcid, biorxiv, openalex, …
    type: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    retraction: RetractionStatus | None = None
    noticesKnown: bool = False  # whoever records retractions was asked about this work
    # of a work that several providers described
    providers: tuple[str, ...] = ()
    origins: dict[str, str] = Field(default_factory=dict)  # field -> provider
    conflicts: dict[str, dict[str, Any]] = Field(default_factory=dict)  # field -> provider -> value


class Works(Model):
    """What one source found."""

    items: tuple[Work, ...] = ()
    total: int | None = None
    notes: tuple[str, ...] = ()


class Lookup(Model):
    """What one registry says about a DOI. `unchecked` says nothing about the work."""

    provider: str
    status: Literal["found", "not_found", "unchecked"]
    work: Work | None = None
    reason: str | None = None  # why it could not be checked


class OpenCopy(Model):
    """Where a work can be read for free."""

    open: bool
    pdfUrl: str | None = None
    landingUrl: str | None = None


class CitationLinks(Model):
    """The works on one side of a seed."""

    items: tuple[Work, ...] = ()
    total: int | None = None
    notes: tuple[str, ...] = ()


class Paper(Model):
    """A work as the tools show it."""

    title: str
    url: str
    source: str
    doi: str | None = None
    authors: list[str] | None = None
    journal: str | None = None
    year: int | None = None
    abstract: str | None = None
    citationCount: int | None = None
    openAccess: bool | None = None
    pdfUrl: str | None = None
    tldr: str | None = None
    isInfluential: bool | None = None
    citationIntents: list[str] | None = None
    ids: dict[str, str] | None = None
    retractionStatus: RetractionStatus | None = None
    provenance: dict[str, list[str]] | None = None  # provider -> the fields taken from it
    conflicts: dict[str, dict[str, Any]] | None = None  # field -> provider -> another value


class ProviderFailure(Model):
    """Why a provider gave nothing. It says nothing about what there is to find."""

    provider: str
    kind: str
    message: str
