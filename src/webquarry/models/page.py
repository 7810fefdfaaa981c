"""A page as read: its content in Markdown and what is known about it."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model

SourceType = Literal[
    "peer_reviewed",
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
    """Something that was in the page but that a person looking at it would not see."""

    reason: str = Field(description="Why it cannot be seen, e.g. 'display: none'")
    count: int = Field(description="How many places")
    chars: int = Field(description="How many characters in all")


class StructuredData(Model):
    """Machine-readable statements the page makes about itself, verbatim and size-bounded."""

    jsonLd: tuple[Any, ...] = Field(default=(), description="JSON-LD blocks that are valid JSON")
    openGraph: dict[str, str] = Field(
        default_factory=dict, description="og:* and article:* properties, with their prefix"
    )
    citation: dict[str, str] = Field(
        default_factory=dict, description="Highwire citation_* tags; repeated ones joined by '; '"
    )

    def __bool__(self) -> bool:
        return bool(self.jsonLd or self.openGraph or self.citation)


class PageMetadata(Model):
    """Who wrote the page, when and where, as far as the page says so."""

    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    published: str = Field(default="", description="As precise as the page states it: 2024-05")
    modified: str = ""
    language: str = Field(default="", description="BCP 47 tag the page declares")
    canonical: str = Field(default="", description="Absolute canonical address")
    description: str = ""
    doi: str = Field(default="", description="DOI the page declares for itself")
    kinds: tuple[str, ...] = Field(default=(), description="schema.org types of the page")
    keywords: tuple[str, ...] = ()


class Wall(Model):
    """A sign that this is not the page that was asked for, but something in front of it."""

    kind: WallKind
    evidence: str = Field(description="The words or marks that gave it away")


class PageContent(Model):
    """What was read from one HTML page."""

    url: str
    markdown: str
    metadata: PageMetadata = PageMetadata()
    structured: StructuredData = StructuredData()
    removed: tuple[Removal, ...] = Field(default=(), description="Hidden text that was taken out")
    charset: str = Field(default="utf-8", description="Encoding the bytes were read as")
    confidence: float = Field(
        default=0.0, description="Expected F1 of the choice of main content, 0 to 1"
    )
    wordCount: int = 0
    sourceType: SourceType = "unknown"
    wall: Wall | None = None
    refresh: str = Field(default="", description="Address a meta refresh sends the reader to")
    frames: tuple[str, ...] = Field(
        default=(), description="Addresses of frames that hold the content when the page has none"
    )
    embedded: bool = Field(
        default=False, description="Read from data in the page, which shows it by script only"
    )
    html: str = Field(default="", description="The main content as HTML, if that was asked for")
    source: str = Field(default="", description="The whole page, if that was asked for")


class CitationMetadata(Model):
    """What the citation is made of; empty where the page does not say."""

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
    """What our own list of well-known sites says about a host."""

    host: str
    tier: AuthorityTier
    basis: str


class Classification(Model):
    """What kind of source a page is, judged by its site and its own statements."""

    sourceType: SourceType
    authorityTier: AuthorityTier
    domainCategory: DomainCategory
    reputation: Reputation | None = None
