"""A document to check: sections, sentences, citation markers and the reference list."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from webquarry.content.citations.bib_entry import BibEntry, WorkKind

MarkerKind = Literal[
    "numbered", "author-year", "footnote", "superscript", "link", "latex", "url", "legal"
]
ManuscriptFormat = Literal["markdown", "html", "pdf", "docx", "odt", "latex", "text"]
EntryKind = WorkKind | Literal["note"]  # a note: a footnote that names no work
# of a reference, unknown ones are None
PART_NAMES = (
    "title", "container", "year", "volume", "issue", "pages", "publisher", "doi", "url", "arxiv",
    "pmid", "isbn",
)  # fmt: skip
# these markers name their source themselves; a reference list need not have it
_COMPLETE_MARKERS = frozenset({"link", "url", "legal"})


@dataclass(frozen=True, slots=True)
class ManuscriptSource:
    """A document as it was given."""

    data: bytes | str
    name: str = ""  # file name or URL
    media_type: str | None = None
    bibliography: str | None = None  # the .bib file of a LaTeX document


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters in `Manuscript.text`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ManuscriptSection:
    """A section: from its heading to the next heading."""

    title: str
    level: int
    span: Span


@dataclass(frozen=True, slots=True)
class CitationMarker:
    """A citation in the text, and the entries of the reference list that it names."""

    id: str
    kind: MarkerKind
    text: str
    span: Span
    entries: tuple[str, ...] = ()  # ids of `ReferenceEntry`; empty: none was found
    url: str | None = None
    missing: tuple[str, ...] = ()  # the numbers, keys or works that have no entry

    @property
    def needs_entry(self) -> bool:
        """Whether the marker means nothing without an entry of the reference list."""
        return self.kind not in _COMPLETE_MARKERS


@dataclass(frozen=True, slots=True)
class ManuscriptSentence:
    """A sentence of the running text."""

    text: str
    claim: str  # the text without markers and markup
    span: Span
    section: str
    page: int | None = None
    markers: tuple[str, ...] = ()  # ids of `CitationMarker`


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An entry of the reference list, or a footnote, taken apart; unknown parts are None."""

    id: str
    label: str  # what markers call it: "3", "Smith2020"; empty in an unnumbered list
    text: str
    span: Span
    authors: tuple[str, ...] = ()
    title: str | None = None
    container: str | None = None  # journal, proceedings, book or site
    year: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    doi: str | None = None
    url: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
    isbn: str | None = None
    kind: EntryKind = ""
    authors_cut: bool = False  # the list of authors ends with "et al."

    def bib_entry(self, line: int) -> BibEntry:
        """Return the entry as the audit of a bibliography takes it."""
        names = ("title", "pages", "doi", "url", "volume", "arxiv", "pmid", "isbn")
        parts: dict[str, str | None] = {name: getattr(self, name) for name in names}
        known = {"date": self.year, "venue": self.container} | parts
        return BibEntry(
            line=line,
            authors=(*self.authors, "et al.") if self.authors_cut else self.authors,
            kind="" if self.kind == "note" else self.kind,
            **{name: value or "" for name, value in known.items()},
        )


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A document, read."""

    title: str
    format: ManuscriptFormat
    text: str
    sections: tuple[ManuscriptSection, ...] = ()
    sentences: tuple[ManuscriptSentence, ...] = ()
    markers: tuple[CitationMarker, ...] = ()
    references: tuple[ReferenceEntry, ...] = ()
    warnings: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()  # where they start in the text; empty: it has none

    def page_of(self, place: int) -> int | None:
        """Return the number of the page with this place of the text."""
        return bisect_right(self.pages, place) or None

    @property
    def uncited(self) -> tuple[ReferenceEntry, ...]:
        """The entries that no marker names."""
        cited = {entry for marker in self.markers for entry in marker.entries}
        return tuple(entry for entry in self.references if entry.id not in cited)

    @property
    def unresolved(self) -> tuple[CitationMarker, ...]:
        """The markers that name works without an entry of the reference list."""
        return tuple(
            marker
            for marker in self.markers
            if marker.needs_entry and (marker.missing or not marker.entries)
        )
