"""Protocols of providers of scholarly works."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import CitationLinks, OpenCopy, Work, WorkQuery, Works
from webquarry.providers.provider import ProviderInfo


@dataclass(frozen=True, kw_only=True)
class WorkSearchSupport:
    """The filters that a search for works supports. The others are applied to its results."""

    max_results: int  # of one request
    filters: frozenset[str] = frozenset()  # of years, open_access, pdf_only, newest
    sources: frozenset[str] = frozenset()  # sources it can restrict the search to
    recognised_sources: frozenset[str] = frozenset()  # sources its records identify
    general: bool = True  # false: queried only by its name


@runtime_checkable
class SearchesWorks(Protocol):
    """Finds scholarly works."""

    about: ClassVar[ProviderInfo]
    work_support: ClassVar[WorkSearchSupport]

    async def search_works(self, query: WorkQuery) -> Works:
        """Return the best works first, at most `query.count`."""
        ...


@runtime_checkable
class LooksUpWorks(Protocol):
    """Looks up works by DOI."""

    about: ClassVar[ProviderInfo]

    async def work_by_doi(self, doi: str) -> Work | None:
        """Return exactly that work, None when it is not there; raise when the lookup failed."""
        ...


@runtime_checkable
class LooksUpManyWorks(Protocol):
    """Looks up many works by DOI with one request."""

    about: ClassVar[ProviderInfo]
    batch_size: ClassVar[int]  # DOIs of one request

    async def works_by_dois(self, dois: Sequence[str]) -> Mapping[str, Work]:
        """Return the works by `doi_key`; those that are not there are missing."""
        ...


@runtime_checkable
class LooksUpIdentifiers(Protocol):
    """Looks up works by an identifier of its own, such as an arXiv number."""

    about: ClassVar[ProviderInfo]
    identifiers: ClassVar[frozenset[str]]  # of arxiv, pmid, pmcid, isbn

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        """Return exactly that work, None when it is not there; raise when the lookup failed."""
        ...


@runtime_checkable
class FindsBooks(Protocol):
    """Finds books by title."""

    about: ClassVar[ProviderInfo]

    async def books_by_title(self, title: str, author: str = "") -> tuple[Work, ...]:
        """Return the books whose titles are closest, best first."""
        ...


@runtime_checkable
class MatchesTitles(Protocol):
    """Looks up works by title."""

    about: ClassVar[ProviderInfo]

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        """Return the works whose titles are closest, best first."""
        ...


@runtime_checkable
class RegistersDois(Protocol):
    """Knows whether a DOI was ever registered, with whichever agency."""

    about: ClassVar[ProviderInfo]

    async def is_registered(self, doi: str) -> bool:
        """Return whether the DOI exists; raise when the lookup failed."""
        ...


@runtime_checkable
class KnowsNotices(Protocol):
    """Knows retractions, expressions of concern and corrections."""

    about: ClassVar[ProviderInfo]

    async def notices(self, dois: Sequence[str]) -> Mapping[str, RetractionStatus | None]:
        """Return the gravest notice by `doi_key`; a DOI that is missing was not checked."""
        ...


@runtime_checkable
class FindsOpenCopies(Protocol):
    """Knows where a work can be read for free."""

    about: ClassVar[ProviderInfo]

    async def open_copy(self, doi: str) -> OpenCopy | None:
        """Return what is known, None when the work is unknown."""
        ...


@runtime_checkable
class HoldsFullTexts(Protocol):
    """Has the texts of works by section, under licences that allow reading them."""

    about: ClassVar[ProviderInfo]
    full_text_ids: ClassVar[frozenset[str]]  # of `PaperIds`: those it needs one of

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        """Return the text, None when there is none; raise when that cannot be said."""
        ...


@runtime_checkable
class LinksWorks(Protocol):
    """Knows which works cite which."""

    about: ClassVar[ProviderInfo]
    shows_influence: ClassVar[bool]  # whether it marks influential citations

    async def seed(self, paper: str) -> Work | None:
        """Return the work with that DOI or identifier, or with the title closest to the text."""
        ...

    async def citing(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        """Return works that cite the seed."""
        ...

    async def cited(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        """Return works that the seed cites."""
        ...
