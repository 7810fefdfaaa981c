"""A document as read: its content in Markdown and its metadata."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Model

DocumentKind = Literal[
    "pdf", "docx", "pptx", "xlsx", "xls", "xlsb", "ods", "epub", "odt", "rtf",
    "csv", "text", "markdown", "json", "xml", "feed", "eml", "msg", "ipynb", "subtitles",
    "legacy_office", "archive", "image",
]  # fmt: skip


class OutlineEntry(Model):
    """One line of a table of contents."""

    level: int = Field(description="1 for chapters, 2 for their sections")
    title: str
    page: int | None = Field(default=None, description="PDF: where it leads, the first is 1")


class PageStart(Model):
    """Where a page of a PDF begins in its Markdown."""

    page: int = Field(description="The first is 1; its anchor is #page=1")
    offset: int = Field(description="Characters before it")


class DocumentFigure(Model):
    """A figure by its caption."""

    page: int
    caption: str


class UncertainPart(Model):
    """Something on a page that may be read wrongly."""

    page: int
    reason: str


class FeedEntry(Model):
    """One entry of a feed."""

    key: str = Field(description="The id that the feed gives it, or its link")
    title: str = ""
    url: str = ""
    published: str = ""


class DocumentParts(Model):
    """The pages and parts of a document."""

    page_count: int | None = Field(default=None, description="Pages, slides, sheets or chapters")
    outline: tuple[OutlineEntry, ...] = ()
    page_starts: tuple[PageStart, ...] = ()
    figures: tuple[DocumentFigure, ...] = ()
    uncertain: tuple[UncertainPart, ...] = ()
    entries: tuple[FeedEntry, ...] = Field(default=(), description="Of a feed")


class Document(DocumentParts):
    """One document as read; metadata that it does not declare is empty."""

    kind: DocumentKind
    markdown: str
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = Field(default="", description="As precise as stated: 2024-05")
    modified: str = ""
    language: str = Field(default="", description="BCP 47 tag the document declares")
    word_count: int = 0
    warnings: tuple[str, ...] = Field(
        default=(), description="What a reader should know is missing"
    )
    truncated: bool = Field(default=False, description="The document exceeds the limits")
