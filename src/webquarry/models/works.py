"""Scholarly works: queries, records, merged works, lookups."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Filled, Model
from webquarry.models.retraction import RetractionStatus

Source = Literal["arxiv", "pubmed", "ieee", "nature", "springer"]
Direction = Literal["cited_by", "references", "both"]


class WorkQuery(Model):
    """A search for works."""

    text: str
    count: int = 10
    year_from: int | None = None
    year_to: int | None = None
    source: Source | None = None  # site or publisher
    open_access: bool = False
    pdf_only: bool = False
    newest: bool = False  # by date instead of by relevance


class Work(Model):
    """A scholarly work, from one provider or merged from several."""

    title: str
    subtitle: str | None = None  # where a registry keeps it apart
    url: str
    source: str  # the provider; the first of several
    doi: str | None = None
    authors: tuple[str, ...] = ()
    journal: Filled[str] = None
    year: int | None = None
    published: Filled[str] = None  # in the precision of the source: 2024, 2024-07 or 2024-07-01
    abstract: Filled[str] = None
    citationCount: int | None = None
    openAccess: bool | None = None  # None: unknown
    pdfUrl: Filled[str] = None
    tldr: Filled[str] = None
    isInfluential: bool | None = None
    citationIntents: tuple[str, ...] = ()
    ids: dict[str, str] = Field(default_factory=dict)  # arxiv, pmid, pmcid, biorxiv, openalex, …
    type: str | None = None
    publisher: Filled[str] = None
    volume: Filled[str] = None
    issue: Filled[str] = None
    pages: Filled[str] = None
    retraction: RetractionStatus | None = None
    noticesKnown: bool = False  # retraction notices were looked up
    # of a merged work
    providers: tuple[str, ...] = ()
    origins: dict[str, str] = Field(default_factory=dict)  # field -> provider
    conflicts: dict[str, dict[str, Any]] = Field(default_factory=dict)  # field -> provider -> value


class Works(Model):
    """Search results of one provider."""

    items: tuple[Work, ...] = ()
    total: int | None = None
    notes: tuple[str, ...] = ()


class Lookup(Model):
    """The result of looking up a DOI in one registry. `unchecked`: the lookup failed."""

    provider: str
    status: Literal["found", "not_found", "unchecked"]
    work: Work | None = None
    reason: str | None = None  # why the lookup failed


class OpenLocation(Model):
    """One place where a copy of a work is open."""

    pdf: str | None = None
    page: str | None = None
    licence: str | None = None
    version: str | None = None  # publishedVersion, acceptedVersion, submittedVersion


class OpenCopy(Model):
    """An open-access copy of a work."""

    open: bool
    pdfUrl: str | None = None
    landingUrl: str | None = None
    locations: tuple[OpenLocation, ...] = ()  # the best first


class CitationLinks(Model):
    """The citations or the references of a work."""

    items: tuple[Work, ...] = ()
    total: int | None = None
    notes: tuple[str, ...] = ()


class Paper(Model):
    """A work as tools return it."""

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
    citationIntents: Filled[list[str]] = None
    ids: Filled[dict[str, str]] = None
    retractionStatus: RetractionStatus | None = None
    provenance: dict[str, list[str]] | None = None  # provider -> fields
    conflicts: Filled[dict[str, dict[str, Any]]] = None  # field -> provider -> another value


class ProviderFailure(Model):
    """Why a provider returned nothing."""

    provider: str
    kind: str
    message: str
