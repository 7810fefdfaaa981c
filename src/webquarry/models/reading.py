"""What came of reading one address, before it is cut to what a caller asked for."""

from typing import Literal

from pydantic import Field

from webquarry.models.base import Model
from webquarry.models.page import PageMetadata, Removal, SourceType, StructuredData

Mode = Literal["full", "preview", "raw"]
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


class Attempt(Model):
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
    forum: ForumSignals | None = None
    declared: SourceType = Field(default="unknown", description="The source type the page declares")
    cut: bool = Field(default=False, description="There was more than our limits allow")
    notes: tuple[str, ...] = Field(default=(), description="What a reader should know is missing")
    attempts: tuple[Attempt, ...] = Field(default=(), description="What was tried before")
    doi: str = ""
    retraction: RetractionStatus | None = None
    unchecked: bool = Field(default=False, description="The DOI's status could not be looked up")


class RawAnswer(Model):
    """The bytes of an address, as text where they are text."""

    url: str
    address: str
    content: str
    content_type: str
    truncated: bool = False
    encoded: bool = Field(default=False, description="The content is base64: it is not text")
