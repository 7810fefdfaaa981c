"""Payloads of OpenAlex."""

from typing import Any

from pydantic import Field

from webquarry.content.citations.identifiers import (
    arxiv_id,
    clean_doi,
    pmc_id,
    preprint_id,
    pubmed_id,
)
from webquarry.models.model import Items
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Work
from webquarry.providers.provider import Wire
from webquarry.providers.works_wire import (
    abstract_text,
    is_pdf,
    names_of,
    present_ids,
    work_url,
)


def short_id(name: str) -> str:
    """Return an OpenAlex id without the host."""
    return name.rpartition("/")[2]


class _Person(Wire):
    display_name: str | None = None


class _Authorship(Wire):
    author: _Person | None = None
    raw_author_name: str | None = None

    @property
    def name(self) -> str | None:
        return (self.author.display_name if self.author else None) or self.raw_author_name


class _Source(Wire):
    display_name: str | None = None
    host_organization_name: str | None = None


class _Location(Wire):
    landing_page_url: str | None = None
    pdf_url: str | None = None
    source: _Source | None = None


class _Access(Wire):
    is_oa: bool | None = None
    oa_url: str | None = None


class _Biblio(Wire):
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None

    @property
    def pages(self) -> str | None:
        return "-".join(dict.fromkeys(filter(None, (self.first_page, self.last_page)))) or None


class OpenAlexWork(Wire):
    """A work of OpenAlex."""

    id: str
    doi: str | None = None
    title: str | None = Field(default=None, alias="display_name")
    year: int | None = Field(default=None, alias="publication_year")
    date: str | None = Field(default=None, alias="publication_date")
    ids: dict[str, Any] | None = None
    primary: _Location | None = Field(default=None, alias="primary_location")
    best: _Location | None = Field(default=None, alias="best_oa_location")
    access: _Access | None = Field(default=None, alias="open_access")
    authorships: Items[_Authorship] = ()
    cited: int | None = Field(default=None, alias="cited_by_count")
    type: str | None = None
    retracted: bool | None = Field(default=None, alias="is_retracted")
    biblio: _Biblio | None = None
    index: dict[str, tuple[int, ...]] | None = Field(default=None, alias="abstract_inverted_index")

    def to_work(self) -> Work | None:
        """Return the work; None for a record without a title."""
        if not self.title:  # front matter and broken imports
            return None
        doi = clean_doi(self.doi)
        primary, biblio = self.primary or _Location(), self.biblio or _Biblio()
        venue = primary.source or _Source()
        return Work(
            title=self.title,
            url=work_url(doi, primary.landing_page_url or self.id),
            source="openalex",
            doi=doi,
            authors=names_of(self.authorships),
            journal=venue.display_name,
            year=self.year,
            published=self.date,
            abstract=abstract_text(_text_of(self.index)),
            citationCount=self.cited,
            openAccess=self.access.is_oa if self.access else None,
            pdfUrl=self._pdf(),
            ids=self._ids(doi, venue.display_name),
            type=self.type,
            publisher=venue.host_organization_name,
            volume=biblio.volume,
            issue=biblio.issue,
            pages=biblio.pages,
            retraction=_RETRACTED if self.retracted else None,
        )

    def _pdf(self) -> str | None:
        locations = [each for each in (self.best, self.primary) if each]
        open_url = self.access.oa_url if self.access else None
        pdf = next((each.pdf_url for each in locations if each.pdf_url), None)
        return pdf or (open_url if is_pdf(open_url) else None)

    def _ids(self, doi: str | None, venue: str | None) -> dict[str, str]:
        given = {name: str(value) for name, value in (self.ids or {}).items() if value}
        landing = self.primary.landing_page_url if self.primary else None
        return present_ids(
            openalex=short_id(self.id),
            pmid=pubmed_id(given.get("pmid")),
            pmcid=pmc_id(given.get("pmcid")),
            arxiv=arxiv_id(doi) or arxiv_id(landing),
            biorxiv=preprint_id(doi, venue, landing),
        )


_RETRACTED = RetractionStatus(retracted=True, kind="retraction", source="openalex")


def _text_of(index: dict[str, tuple[int, ...]] | None) -> str:
    """Return the text of an inverted index, which lists the positions of each word."""
    words = sorted((at, word) for word, found in (index or {}).items() for at in found)
    return " ".join(word for _, word in words)


class _Meta(Wire):
    count: int | None = None


class OpenAlexPage(Wire):
    """A list of works."""

    meta: _Meta = _Meta()
    results: tuple[OpenAlexWork | None, ...]


class OpenAlexReferences(Wire):
    """The works that a work cites."""

    works: Items[str] = Field(default=(), alias="referenced_works")
