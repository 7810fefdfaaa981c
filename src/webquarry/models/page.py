"""Parts of a page: metadata, structured data, walls, citation and classification."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model

SourceType = Literal[
    "peer_reviewed",
    "preprint",
    "official_docs",
    "government",
    "news_publication",
    "blog",
    "forum",
    "wiki",
    "social_media",
    "unknown",
]
AuthorityTier = Literal["high", "medium", "low"]
DomainCategory = Literal["academic", "legal", "medical", "financial", "technical", "general"]
SizeCategory = Literal["small", "medium", "large", "very_large"]
WallKind = Literal["captcha", "blocked", "consent", "login", "paywall", "not_found", "script_shell"]


class Removal(Model):
    """Hidden text that was removed from a page, or read and named as such."""

    reason: str = Field(description="Why it is hidden, e.g. 'display: none'")
    count: int = Field(description="Number of occurrences")
    chars: int = Field(description="Number of characters in total")


class StructuredData(Model):
    """Machine-readable data of the page about itself, verbatim and limited in size."""

    jsonLd: tuple[Any, ...] = Field(default=(), description="JSON-LD blocks that are valid JSON")
    openGraph: dict[str, str] = Field(
        default_factory=dict, description="og:* and article:* properties, with their prefix"
    )
    citation: dict[str, str] = Field(
        default_factory=dict, description="Highwire citation_* tags; repeated ones joined by '; '"
    )

    def __bool__(self) -> bool:
        return bool(self.jsonLd or self.openGraph or self.citation)

    def as_result(self) -> dict[str, Any]:
        """Return what the page declares, marked as declared: it may not be visible on the page."""
        parts = {name: value for name, value in self.model_dump(mode="json").items() if value}
        return {"declared": True, **parts} if parts else {}


class PageMetadata(Model):
    """Title, authors, dates and more, as far as the page states them."""

    title: str = ""
    authors: tuple[str, ...] = ()
    organizations: tuple[str, ...] = Field(default=(), description="Authors that are no people")
    site: str = ""
    published: str = Field(default="", description="As precise as the page states it: 2024-05")
    modified: str = ""
    language: str = Field(default="", description="BCP 47 tag the page declares")
    canonical: str = Field(default="", description="Absolute canonical URL")
    description: str = ""
    doi: str = Field(default="", description="DOI the page declares for itself")
    kinds: tuple[str, ...] = Field(default=(), description="schema.org types of the page")
    keywords: tuple[str, ...] = ()


class Wall(Model):
    """A sign that the response is a wall, not the requested page."""

    kind: WallKind
    evidence: str = Field(description="The text or markup by which it was recognized")


class CitationMetadata(Model):
    """The parts of a citation; empty where the page does not state them."""

    title: str
    author: str
    site: str
    date: str


class CitationFormats(Model):
    """The citation in common styles."""

    apa: str
    mla: str
    bibtex: str


class Citation(Model):
    """How to cite the page."""

    url: str
    accessedDate: str
    metadata: CitationMetadata
    formatted: CitationFormats


class Reputation(Model):
    """The entry of a host in our list of well-known sites."""

    host: str
    tier: AuthorityTier
    basis: str


class Classification(Model):
    """The kind of source, by the site and the metadata of a page."""

    sourceType: SourceType
    authorityTier: AuthorityTier
    domainCategory: DomainCategory
    reputation: Reputation | None = None
