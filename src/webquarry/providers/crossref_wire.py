"""Crossref payloads: works, and notices published about them later."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from webquarry.content.citations.identifiers import clean_doi, doi_url, preprint_id
from webquarry.content.text.snippets import plain_text
from webquarry.models.model import Items, Text
from webquarry.models.retraction import NoticeKind, RetractionStatus
from webquarry.models.works import Work
from webquarry.providers.provider import Wire
from webquarry.providers.works_wire import abstract_text, present_ids, year_of

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
_OPEN_LICENSE = "creativecommons.org/"
_MACHINE_URLS = ("https://api.", "http://api.", "https://syndication.", "http://syndication.")


class CrossrefDate(Wire):
    """A date with day, month or year precision, or none."""

    parts: Items[tuple[int | None, ...]] = Field(default=(), alias="date-parts")

    def iso(self) -> str | None:
        """Return the date in its own precision."""
        parts = self.parts[0] if self.parts else ()
        return "-".join(f"{part:02d}" for part in parts if part is not None) or None


class CrossrefNotice(Wire):
    """A notice about a work: retraction, correction and the like."""

    doi: str | None = Field(default=None, alias="DOI")
    type: str | None = None
    source: str | None = None
    updated: CrossrefDate | None = None

    @property
    def kind(self) -> NoticeKind | None:
        """The kind of notice; None for a type that does not concern the content."""
        return _KINDS.get((self.type or "").lower().replace("-", "_").replace(" ", "_"))


def gravest_notice(notices: Sequence[CrossrefNotice]) -> RetractionStatus | None:
    """Return the gravest notice. An expression of concern is not a retraction."""
    # the curated record of a notice is more precise
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
    literal: Text = ""  # or this, in CSL-JSON

    def full(self) -> str:
        person = " ".join(part for part in (self.given, self.family) if part)
        return person or self.name or self.literal


class _Link(Wire):
    url: str = Field(default="", alias="URL")
    content_type: str | None = Field(default=None, alias="content-type")


class _License(Wire):
    url: str | None = Field(default=None, alias="URL")


class _Named(Wire):
    name: str | None = None


class CrossrefRecord(Wire):
    """A Crossref work, or CSL-JSON, where titles are strings instead of lists."""

    doi: str = Field(alias="DOI")
    titles: tuple[str, ...] | str | None = Field(default=None, alias="title")
    subtitles: tuple[str, ...] | str | None = Field(default=None, alias="subtitle")
    authors: Items[_Author] = Field(default=(), alias="author")
    containers: tuple[str, ...] | str | None = Field(default=None, alias="container-title")
    issued: CrossrefDate | None = None
    printed: CrossrefDate | None = Field(default=None, alias="published")
    abstract: str | None = None
    cited: int | None = Field(default=None, alias="is-referenced-by-count")
    links: Items[_Link] = Field(default=(), alias="link")
    licenses: Items[_License] = Field(default=(), alias="license")
    institutions: tuple[_Named, ...] | _Named | None = Field(default=None, alias="institution")
    notices: Items[CrossrefNotice] = Field(default=(), alias="updated-by")
    type: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    page: str | None = None

    def to_work(self, source: str = "crossref", *, notices_known: bool = True) -> Work | None:
        """Return the work; None for a record without a title."""
        title = plain_text(_first(self.titles))
        doi = clean_doi(self.doi)
        if not title or not doi:
            return None
        dates = (each.iso() for each in (self.printed, self.issued) if each)
        published = next((date for date in dates if date), None)
        server = self._server()
        return Work(
            title=title,
            subtitle=plain_text(_first(self.subtitles)) or None,
            url=doi_url(doi),
            source=source,
            doi=doi,
            authors=tuple(name for each in self.authors if (name := each.full())),
            journal=plain_text(_first(self.containers)) or server,
            year=year_of(published),
            published=published,
            abstract=abstract_text(self.abstract),
            citationCount=self.cited,
            openAccess=self._is_free() or None,
            pdfUrl=self._pdf(),
            # the DOI prefix identifies the server even where it is not named
            ids=present_ids(
                biorxiv=preprint_id(doi, server, "bioRxiv" if self.type == _PREPRINT else None)
            ),
            type=self.type,
            publisher=self.publisher,
            volume=self.volume,
            issue=self.issue,
            pages=self.page,
            retraction=gravest_notice(self.notices),
            noticesKnown=notices_known,
        )

    def _server(self) -> str | None:
        given = self.institutions
        named = (given,) if isinstance(given, _Named) else given or ()
        return next((each.name for each in named if each.name), None)

    def _is_free(self) -> bool:
        return any(_OPEN_LICENSE in (each.url or "") for each in self.licenses)

    def _pdf(self) -> str | None:
        """Return the link to a public PDF, not one for text mining."""
        pdfs = (each.url for each in self.links if each.content_type == "application/pdf")
        return next((url for url in pdfs if not url.startswith(_MACHINE_URLS)), None)


class WorkNotices(Wire):
    """The notices about a work."""

    doi: str = Field(default="", alias="DOI")
    notices: Items[CrossrefNotice] = Field(default=(), alias="updated-by")


def _first(value: Any) -> str | None:
    return value if isinstance(value, str) else next(iter(value or ()), None)
