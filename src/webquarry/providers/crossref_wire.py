"""Crossref's records: works, and the notices that later changed what they are worth."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from webquarry.content.citations.identifiers import clean_doi, doi_url, preprint_id
from webquarry.content.text.snippets import plain
from webquarry.models.reading import NoticeKind, RetractionStatus
from webquarry.models.works import Work
from webquarry.providers.provider import Wire
from webquarry.providers.works_wire import known, prose, year_of

_KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "withdrawal": "retraction",
    "removal": "retraction",
    "expression_of_concern": "expression_of_concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "partial_retraction": "correction",
    "addendum": "correction",
    "clarification": "correction",
}
_GRAVITY: tuple[NoticeKind, ...] = ("retraction", "expression_of_concern", "correction")
_PREPRINT = "posted-content"
_FREE = "creativecommons.org/"
_GUARDED = ("https://api.", "http://api.", "https://syndication.", "http://syndication.")


class Date(Wire):
    """A day, a month, a year, or nothing: as much as was deposited."""

    parts: tuple[tuple[int | None, ...], ...] | None = Field(default=None, alias="date-parts")

    def iso(self) -> str | None:
        """Return it in the precision it has."""
        found = self.parts[0] if self.parts else ()
        given = [part for part in found if part is not None]
        return "-".join(f"{part:02d}" for part in given) or None


class Notice(Wire):
    """Something published about a work after it."""

    doi: str | None = Field(default=None, alias="DOI")
    type: str | None = None
    source: str | None = None
    updated: Date | None = None

    @property
    def kind(self) -> NoticeKind | None:
        """Return how grave it is; None for a kind that says nothing about the work."""
        return _KINDS.get((self.type or "").lower().replace("-", "_").replace(" ", "_"))


def gravest(notices: Sequence[Notice]) -> RetractionStatus | None:
    """Return the gravest notice. An expression of concern is no retraction."""
    # of two reports of one notice the curated one is more precise
    ranked = sorted(notices, key=lambda notice: notice.source != "retraction-watch")
    for kind in _GRAVITY:
        if notice := next((each for each in ranked if each.kind == kind), None):
            return RetractionStatus(
                retracted=kind == "retraction",
                kind=kind,
                date=notice.updated.iso() if notice.updated else None,
                noticeDoi=notice.doi,
                source=notice.source,
            )
    return None


class _Author(Wire):
    given: str | None = None
    family: str | None = None
    name: str | None = None  # organisations have only this
    literal: str | None = None  # or this, in CSL-JSON

    def full(self) -> str:
        person = " ".join(part for part in (self.given, self.family) if part)
        return person or self.name or self.literal or ""


class _Link(Wire):
    url: str = Field(default="", alias="URL")
    content_type: str | None = Field(default=None, alias="content-type")


class _License(Wire):
    url: str | None = Field(default=None, alias="URL")


class _Named(Wire):
    name: str | None = None


class Record(Wire):
    """A work as Crossref keeps it; as CSL-JSON its titles are texts instead of lists."""

    doi: str = Field(alias="DOI")
    titles: tuple[str, ...] | str | None = Field(default=None, alias="title")
    authors: tuple[_Author, ...] | None = Field(default=None, alias="author")
    containers: tuple[str, ...] | str | None = Field(default=None, alias="container-title")
    issued: Date | None = None
    printed: Date | None = Field(default=None, alias="published")
    abstract: str | None = None
    cited: int | None = Field(default=None, alias="is-referenced-by-count")
    links: tuple[_Link, ...] | None = Field(default=None, alias="link")
    licenses: tuple[_License, ...] | None = Field(default=None, alias="license")
    institutions: tuple[_Named, ...] | _Named | None = Field(default=None, alias="institution")
    notices: tuple[Notice, ...] | None = Field(default=None, alias="updated-by")
    type: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    page: str | None = None

    def to_work(self, source: str = "crossref", *, notices_known: bool = True) -> Work | None:
        """Return the work; None for a record without a title."""
        title = plain(_first(self.titles))
        doi = clean_doi(self.doi)
        if not title or not doi:
            return None
        dates = (each.iso() for each in (self.printed, self.issued) if each)
        published = next((date for date in dates if date), None)
        server = self._server()
        return Work(
            title=title,
            url=doi_url(doi),
            source=source,
            doi=doi,
            authors=tuple(name for each in self.authors or () if (name := each.full())),
            journal=plain(_first(self.containers)) or server,
            year=year_of(published),
            published=published,
            abstract=prose(self.abstract),
            citationCount=self.cited,
            openAccess=self._is_free() or None,
            pdfUrl=self._pdf(),
            # every preprint with such a DOI is theirs, even where the server is not named
            ids=known(
                biorxiv=preprint_id(doi, server, "bioRxiv" if self.type == _PREPRINT else None)
            ),
            type=self.type,
            publisher=self.publisher,
            volume=self.volume,
            issue=self.issue,
            pages=self.page,
            retraction=gravest(self.notices or ()),
            noticesKnown=notices_known,
        )

    def _server(self) -> str | None:
        given = self.institutions
        named = (given,) if isinstance(given, _Named) else given or ()
        return next((each.name for each in named if each.name), None)

    def _is_free(self) -> bool:
        return any(_FREE in (each.url or "") for each in self.licenses or ())

    def _pdf(self) -> str | None:
        """Return the link to a PDF that anyone may follow, as opposed to those for machines."""
        pdfs = (each.url for each in self.links or () if each.content_type == "application/pdf")
        return next((url for url in pdfs if not url.startswith(_GUARDED)), None)


class NoticesOf(Wire):
    """A work with nothing but its notices."""

    doi: str = Field(default="", alias="DOI")
    notices: tuple[Notice, ...] | None = Field(default=None, alias="updated-by")


def _first(given: Any) -> str | None:
    return given if isinstance(given, str) else next(iter(given or ()), None)
