"""What the readers of documents share: limits, the result they fill, and how they fail."""

# imported in the worker process: the standard library only, so that it starts quickly

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

MAX_MARKDOWN = 5_000_000  # characters: as much as any caller can ask for
MAX_OUTLINE = 300
MAX_ROWS = 5_000
MAX_COLUMNS = 200


# a verdict on the document, not a fault of ours
class Unreadable(Exception):  # noqa: N818
    """The document cannot be read; the text says why, as what follows "The document ..."."""


class Encrypted(Unreadable):
    """It opens only with a password or a licence."""


# a verdict on the argument, not a fault of ours
class BadPages(Exception):  # noqa: N818
    """The document has none of the pages that were asked for."""


@dataclass(slots=True)
class DocumentTask:
    """One document to read."""

    kind: str
    data: bytes
    content_type: str = ""
    url: str = ""
    pages: tuple[tuple[int, int | None], ...] = ()
    tesseract: str = ""
    seconds: float = 60.0
    started: float = field(default_factory=time.monotonic)

    def out_of_time(self, share: float = 0.7) -> bool:
        """Whether it is time to stop and return what has been read."""
        return time.monotonic() - self.started > self.seconds * share

    def remaining(self) -> float:
        """Return the seconds left before the process is killed."""
        return self.seconds - (time.monotonic() - self.started)


@dataclass(slots=True)
class Draft:
    """A document on its way out."""

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
    warnings: list[str] = field(default_factory=list[str])
    truncated: bool = False

    def cut(self, why: str) -> None:
        """Note that something was left out and why."""
        self.truncated = True
        if why not in self.warnings:
            self.warnings.append(why)

    def write(self, chunks: Iterable[str]) -> None:
        """Join the chunks with blank lines, up to the limit."""
        size, kept = 0, list[str]()
        for chunk in chunks:
            if not chunk.strip():
                continue
            room = MAX_MARKDOWN - size
            if len(chunk) > room:
                kept.append(chunk[:room])
                self.cut(f"only the first {MAX_MARKDOWN:,} characters were kept")
                break
            kept.append(chunk.rstrip() if len(kept) else chunk.strip("\n").rstrip())
            size += len(chunk) + 2
        self.markdown = "\n\n".join(kept)

    def as_reply(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return asdict(self) | {"outline": self.outline[:MAX_OUTLINE]}
