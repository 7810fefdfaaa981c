"""How a document is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """What a caller wants of a document."""

    pages: str | None = None  # "1-3,7"; all by default
    marked: bool = False  # a PDF says where pages start and what is a footnote, without links
    language: str = ""  # of the text in scans and images; "": that of the document
