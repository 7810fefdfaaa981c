"""The full text of a scholarly work by section, and what a source of full texts returns."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Filled, Model
from webquarry.models.retraction import RetractionStatus

PaperFormat = Literal["jats", "latexml", "html", "pdf"]


class PaperIds(Model):
    """What names a work. At least one is set."""

    doi: str | None = None
    arxiv: str | None = None  # without the version
    arxiv_version: str | None = None  # v2
    pmid: str | None = None
    pmcid: str | None = None
    url: str | None = None  # a page or file that is not known to be of a registry
    title: str | None = None


class FullTextFile(Model):
    """The text of a work as a source sent it."""

    content: bytes
    format: Literal["jats", "latexml"]
    url: str  # where a person reads it
    licence: str | None = None
    version: str | None = None


class PaperSection(Model):
    """A section without its subsections. Citations are links to references: [3](#B3)."""

    title: str
    level: int = 1
    text: str = ""
    anchor: str = ""  # id of the element in the source
    page: int | None = None  # of a PDF


class PaperFigure(Model):
    """A figure or a table by its caption; a table also with its cells, as Markdown."""

    label: str = ""
    caption: str = ""
    section: str = ""
    page: int | None = None
    table: Filled[str] = None


class PaperReference(Model):
    """An entry of the reference list, and the sections that cite it."""

    id: str
    label: str = ""
    text: str
    title: Filled[str] = None
    year: Filled[str] = None
    doi: Filled[str] = None
    url: Filled[str] = None
    citedIn: tuple[str, ...] = Field(default=(), description="Titles of sections")


class PaperText(Model):
    """A work, read."""

    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    doi: str = ""
    licence: str = ""
    version: str = ""
    language: str = ""
    sections: tuple[PaperSection, ...] = ()
    figures: tuple[PaperFigure, ...] = ()
    tables: tuple[PaperFigure, ...] = ()
    references: tuple[PaperReference, ...] = ()
    markers: int = 0  # citations in the text
    unlinked: int = 0  # of these, without an entry of the reference list
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """The words of all sections, roughly."""
        return sum(section.text.count(" ") + 1 for section in self.sections if section.text)


class OpenPlace(Model):
    """Where a work can be found, and what is there."""

    url: str
    what: str


class PaperFullText(Model):
    """A work with the best text that is openly available, or where it is instead."""

    paper: PaperText
    ids: PaperIds
    available: bool
    source: str = ""  # europepmc, pubmed, biorxiv, arxiv_html, publisher, repository
    format: PaperFormat | None = None
    url: str = ""
    abstract: str = ""
    where: tuple[OpenPlace, ...] = ()
    retraction: RetractionStatus | None = None
