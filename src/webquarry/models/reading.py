"""What came of reading one address, before it is cut to what a caller asked for."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from webquarry.models.model import Model
from webquarry.models.page import (
    AuthorityTier,
    Citation,
    DomainCategory,
    PageMetadata,
    Removal,
    Reputation,
    SizeCategory,
    SourceType,
    StructuredData,
)
from webquarry.models.zero_results import TRUST

Mode = Literal["full", "preview", "raw"]
Way = Literal["smart", "static", "dynamic"]  # whatever works, without a browser, with one
NoticeKind = Literal["retraction", "expression_of_concern", "correction"]


class ForumSignals(Model):
    """How a forum received a post."""

    platform: str
    upvotes: int
    comments: int
    datePublished: str | None = None
    authorName: str | None = None
    credibilityNote: str | None = None


class RetractionStatus(Model):
    """The gravest notice recorded for a scholarly work."""

    retracted: bool
    kind: NoticeKind
    date: str | None = None
    noticeDoi: str | None = None
    source: str | None = None


class ReadAttempt(Model):
    """What one way of reading a page led to."""

    tier: str
    outcome: str


class Reading(Model):
    """One page or document as read."""

    url: str = Field(description="As asked for")
    address: str = Field(description="After redirects")
    markdown: str
    kind: str = Field(description="html, markdown, youtube, hn, pdf …")
    tier: str = Field(default="", description="Which tier read it; empty for sites and documents")
    complete: bool = Field(default=True, description="False: the best of what no tier liked")
    metadata: PageMetadata = PageMetadata()
    structured: StructuredData = StructuredData()
    removed: tuple[Removal, ...] = Field(default=(), description="Hidden text that was taken out")
    words: int | None = Field(default=None, description="How many there are, if counted")
    forum: ForumSignals | None = None
    wall: str = Field(default="", description="paywall, when that hides the rest")
    cut: bool = Field(default=False, description="There was more than our limits allow")
    notes: tuple[str, ...] = Field(default=(), description="What a reader should know is missing")
    attempts: tuple[ReadAttempt, ...] = Field(default=(), description="What was tried before")
    doi: str = ""
    retraction: RetractionStatus | None = None
    unchecked: bool = Field(default=False, description="The DOI's status could not be looked up")
    status: int = Field(default=200, description="HTTP status it came with")
    html: str = Field(default="", description="The main content as HTML, if that was asked for")
    source: str = Field(default="", description="The whole page, if that was asked for")


class ReadMode(Model):
    """How a page is read."""

    way: Way = "smart"
    html: bool = False  # its main content as HTML besides
    source: bool = False  # the whole page as HTML besides


class RawResponse(Model):
    """The bytes of an address, as text where they are text."""

    url: str
    address: str
    content: str
    content_type: str
    truncated: bool = False
    encoded: bool = Field(default=False, description="The content is base64: it is not text")


def _brief(fields: str = "") -> WithJsonSchema:
    """Describe a part in few words: every client reads the schema, few read the part."""
    return WithJsonSchema({"type": "object", **({"description": fields} if fields else {})})


_WORD = WithJsonSchema({"type": "string"})  # one of a few words, each of which says what it means


class PageTitle(Model):
    """What the page is called and by whom it is."""

    title: str
    author: str


class ScrapedPage(Model):
    """A reading cut to what the caller asked for; fields as the callers know them."""

    url: str
    content: str
    contentType: str
    trust: str = TRUST
    contentLength: int
    truncated: bool
    estimatedTokens: int
    sizeCategory: Annotated[SizeCategory, _WORD]
    citation: Annotated[Citation, _brief("metadata, formatted.apa, .mla, .bibtex")]
    raw: bool | None = None
    encoding: Annotated[Literal["base64"] | None, _WORD] = None
    extractedBy: str | None = None
    extractionQuality: Annotated[Literal["complete", "partial"] | None, _WORD] = None
    wordCount: int | None = None
    metadata: Annotated[PageTitle | None, _brief()] = None
    structuredData: Annotated[dict[str, Any] | None, _brief("jsonLd, openGraph, citation")] = None
    forumSignals: Annotated[ForumSignals | None, _brief()] = None
    sourceType: Annotated[SourceType, _WORD]
    authorityTier: Annotated[AuthorityTier, _WORD]
    domainCategory: Annotated[DomainCategory, _WORD]
    sourceReputation: Annotated[Reputation | None, _brief()] = None
    detectedDoi: str | None = None
    retractionStatus: Annotated[RetractionStatus | None, _brief()] = None
    notes: tuple[str, ...] | None = None
