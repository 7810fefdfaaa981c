"""A document as read: its content in Markdown and its metadata."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Model

DocumentKind = Literal[
    "pdf", "docx", "pptx", "xlsx", "xls", "xlsb", "ods", "epub", "odt", "rtf",
    "csv", "text", "markdown", "json", "xml", "feed",
    "legacy_office", "archive",
]  # fmt: skip


class OutlineEntry(Model):
    """One line of a table of contents."""

    level: int = Field(description="1 for chapters, 2 for their sections")
    title: str


class Document(Model):
    """One document as read; metadata that it does not declare is empty."""

    kind: DocumentKind
    markdown: str
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = Field(default="", description="As precise as stated: 2024-05")
    modified: str = ""
    language: str = Field(default="", description="BCP 47 tag the document declares")
    page_count: int | None = Field(default=None, description="Pages, slides, sheets or chapters")
    word_count: int = 0
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[str, ...] = Field(
        default=(), description="What a reader should know is missing"
    )
    truncated: bool = Field(default=False, description="The document exceeds the limits")
