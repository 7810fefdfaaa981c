"""A page or document as read, and the output of `scrape_page` made from it."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from webquarry.models.document_content import DocumentParts
from webquarry.models.model import Filled, Model
from webquarry.models.page import (
    AuthorityTier,
    Citation,
    Classification,
    DomainCategory,
    PageMetadata,
    Removal,
    Reputation,
    SizeCategory,
    SourceType,
    StructuredData,
    Wall,
)
from webquarry.models.page_steps import StepOutcome
from webquarry.models.retraction import RetractionStatus
from webquarry.models.zero_results import TRUST

Mode = Literal["full", "preview", "raw"]
# smart: whatever works; static: without a browser; dynamic: with one
ReadStrategy = Literal["smart", "static", "dynamic"]


class ForumSignals(Model):
    """How a forum received a post."""

    platform: str
    upvotes: int
    comments: int
    datePublished: Filled[str] = None
    authorName: Filled[str] = None
    credibilityNote: str | None = None


class ReadAttempt(Model):
    """A tier or site reader that was tried, and its outcome."""

    tier: str
    outcome: str


class Reading(Model):
    """One page or document as read. Cached for an hour: a renamed field empties the cache."""

    url: str = Field(description="As requested")
    final_url: str = Field(description="After redirects")
    markdown: str
    kind: str = Field(description="html, markdown, youtube, hn, pdf …")
    tier: str = Field(default="", description="Which tier read it; empty for sites and documents")
    complete: bool = Field(default=True, description="False: the best of several rejected readings")
    metadata: PageMetadata = PageMetadata()
    structured: StructuredData = StructuredData()
    classification: Classification | None = Field(default=None, description="None: not classified")
    removed: tuple[Removal, ...] = Field(default=(), description="Hidden text that was taken out")
    word_count: int | None = Field(default=None, description="None: not counted")
    forum: ForumSignals | None = None
    wall: Wall | None = Field(default=None, description="What is shown instead of the page")
    refresh: str = Field(default="", description="URL of a meta refresh")
    frames: tuple[str, ...] = Field(
        default=(), description="URLs of frames that hold the content when the page has none"
    )
    truncated: bool = Field(default=False, description="The source exceeded our size limits")
    cut_off: bool = Field(default=False, description="The transfer broke off: never cached")
    notes: tuple[str, ...] = Field(default=(), description="What a reader should know is missing")
    declared: bool = Field(
        default=False, description="The content is data embedded in the page, not text seen on it"
    )
    attempts: tuple[ReadAttempt, ...] = Field(default=(), description="What was tried before")
    doi: str = ""
    retraction: RetractionStatus | None = None
    retraction_unchecked: bool = Field(
        default=False, description="The DOI's status could not be looked up"
    )
    document: DocumentParts | None = Field(default=None, description="Of documents only")
    status: int = Field(default=200, description="HTTP status of the response")
    html: str = Field(default="", description="The main content as HTML, if requested")
    source: str = Field(default="", description="The HTML of the entire page, if requested")


class PageValidators(Model):
    """What is known of a response, to ask whether the page has changed since."""

    etag: str = ""
    last_modified: str = ""
    sha256: str = Field(default="", description="Of the body; empty: the page is more than that.")

    def request_headers(self) -> dict[str, str]:
        """Return the headers of a conditional request."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in named.items() if value}


class ConditionalReading(Model):
    """A page that was read only if it has changed."""

    reading: Reading | None = Field(default=None, description="None: it has not changed.")
    validators: PageValidators = PageValidators()


class ReadMode(Model):
    """How a page is read, and which HTML is returned besides Markdown."""

    strategy: ReadStrategy = "smart"
    keep_html: bool = False  # the main content
    keep_source: bool = False  # the entire page
    fresh: bool = False  # neither a cached page nor a cached failure is used


class RawResponse(Model):
    """The body of a response, as text where it is text."""

    url: str
    final_url: str
    content: str
    content_type: str
    truncated: bool = False
    cut_off: bool = False
    is_base64: bool = Field(default=False, description="The content is binary, in base64")


def _brief(fields: str = "") -> WithJsonSchema:
    """Return a short schema: every client pays for the tokens of the full one."""
    return WithJsonSchema({"type": "object", **({"description": fields} if fields else {})})


_WORD = WithJsonSchema({"type": "string"})  # an enumeration whose values explain themselves


# declared: the content is data embedded in the page, not text seen on it
ExtractionQuality = Literal["complete", "partial", "declared"]


class PageTitle(Model):
    """Title and authors of the page."""

    title: str
    author: str


class ScrapePageOut(Model):
    """Result of `scrape_page`: a reading cut to the requested length, and its description."""

    nextCursor: str | None = None
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
    extractionQuality: Annotated[ExtractionQuality | None, _WORD] = None
    wordCount: int | None = None
    metadata: Annotated[PageTitle | None, _brief()] = None
    structuredData: Annotated[
        dict[str, Any] | None, _brief("jsonLd, openGraph, citation: declared, not seen")
    ] = None
    forumSignals: Annotated[ForumSignals | None, _brief()] = None
    sourceType: Annotated[SourceType, _WORD]
    authorityTier: Annotated[AuthorityTier, _WORD]
    domainCategory: Annotated[DomainCategory, _WORD]
    sourceReputation: Annotated[Reputation | None, _brief()] = None
    detectedDoi: str | None = None
    retractionStatus: Annotated[RetractionStatus | None, _brief()] = None
    notes: tuple[str, ...] | None = None
    steps: Annotated[tuple[StepOutcome, ...] | None, _brief()] = None
