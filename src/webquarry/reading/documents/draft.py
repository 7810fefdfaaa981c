"""What the document readers share: limits, the draft they fill, and their errors."""

# only the standard library: the worker process imports this module when it starts

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

MAX_MARKDOWN = 5_000_000  # characters, the most that a caller can request
MAX_OUTLINE = 300
MAX_TITLE = 500  # characters of a line of the outline
MAX_ROWS = 5_000
MAX_COLUMNS = 200
NEEDS_RECOGNITION = (
    "reading this needs text recognition: pip install 'webquarry[ocr]', or install tesseract"
)


# describes the document, not a program error
class UnreadableDocument(Exception):  # noqa: N818
    """The document cannot be read. The message completes "The document …"."""


class EncryptedDocument(UnreadableDocument):
    """The document opens only with a password or a licence."""


class ScannedDocument(UnreadableDocument):
    """All pages are images; nobody said how to recognize their text."""

    def __init__(self, message: str, language: str) -> None:
        super().__init__(message)
        self.language = language  # that the document declares


# describes the argument, not a program error
class NoSuchPages(Exception):  # noqa: N818
    """The document has none of the requested pages."""


@dataclass(slots=True)
class DocumentTask:
    """One document to read."""

    kind: str
    data: bytes
    content_type: str = ""
    url: str = ""
    pages: tuple[tuple[int, int | None], ...] = ()
    recognizer: str = ""  # of text in images: a name, or the path of a program; "": none
    language: str = ""  # of the text in images; "": that of the document
    marked: bool = False  # write where pages of a PDF start and its footnotes, without links
    seconds: float = 60.0
    depth: int = 0  # inside how many other documents
    started: float = field(default_factory=time.monotonic)

    def out_of_time(self, share: float = 0.7) -> bool:
        """Return whether to stop and return what has been read."""
        return time.monotonic() - self.started > self.seconds * share

    def remaining(self) -> float:
        """Return the seconds left before the process is killed."""
        return self.seconds - (time.monotonic() - self.started)


@dataclass(slots=True)
class DocumentDraft:
    """A document while it is being read."""

    kind: str
    markdown: str = ""
    title: str = ""
    authors: list[str] = field(default_factory=list[str])
    published: str = ""
    modified: str = ""
    language: str = ""
    page_count: int | None = None
    word_count: int = 0
    outline: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    outline_pages: list[int] = field(default_factory=list[int])  # of the outline; 0: unknown
    page_starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    figures: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    uncertain: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    entries: list[dict[str, str]] = field(default_factory=list[dict[str, str]])  # of a feed
    warnings: list[str] = field(default_factory=list[str])
    truncated: bool = False
    scans: int = 0  # pages and images whose text was not recognized

    def truncate(self, warning: str) -> None:
        """Mark the document as incomplete, with a warning that says what is missing."""
        self.truncated = True
        if warning not in self.warnings:
            self.warnings.append(warning)

    def warn_of_hidden(self, places: Mapping[str, int]) -> None:
        """Say which hidden text was left out, and in how many places."""
        for reason, count in places.items():
            self.warnings.append(f"{reason} was left out in {count} place{'s'[: count > 1]}")

    def set_markdown(self, chunks: Iterable[str], pages: Iterable[int] = ()) -> None:
        """Join the chunks with blank lines, up to the limit; `pages`: on which each begins."""
        size, parts = 0, list[str]()
        offset = 0
        numbers = iter(pages)
        for chunk in chunks:
            page = next(numbers, 0)
            if not chunk.strip():
                continue
            room = MAX_MARKDOWN - size
            if len(chunk) > room:
                parts.append(chunk[:room])
                self.truncate(f"only the first {MAX_MARKDOWN:,} characters were kept")
                break
            if page and (not self.page_starts or self.page_starts[-1][0] < page):
                self.page_starts.append((page, offset))
            parts.append(chunk.rstrip() if parts else chunk.strip("\n").rstrip())
            size += len(chunk) + 2
            offset += len(parts[-1]) + 2
        self.markdown = "\n\n".join(parts)

    def as_reply(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self) | {
            "outline": self.outline[:MAX_OUTLINE],
            "figures": self.figures[:MAX_OUTLINE],
            "uncertain": self.uncertain[:MAX_OUTLINE],
        }
