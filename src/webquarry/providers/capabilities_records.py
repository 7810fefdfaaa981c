"""Protocols of providers of public records, one for each kind of record."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.records import (
    Case,
    CaseQuery,
    Filing,
    FilingQuery,
    RecordsFound,
    Trial,
    TrialQuery,
)
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.providers.provider import ProviderInfo


@dataclass(frozen=True)
class CachedCatalog:
    """A catalogue, with a note for the caller when it is out of date."""

    content: bytes
    notes: tuple[str, ...] = ()


class CatalogCache(Protocol):
    """Stores the catalogues of upstreams between calls."""

    async def fetch(self, name: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        """Return the catalogue, loading it when it is missing or old.

        A failed load is not stored: an old copy is returned with a note; without one, it is raised.
        """
        ...


@runtime_checkable
class SearchesFilings(Protocol):
    """Searches company filings."""

    about: ClassVar[ProviderInfo]

    async def search_filings(
        self, query: FilingQuery, catalogs: CatalogCache
    ) -> RecordsFound[Filing]:
        """Return filings, newest first, or headline facts from them."""
        ...


@runtime_checkable
class SearchesCases(Protocol):
    """Finds court opinions."""

    about: ClassVar[ProviderInfo]

    async def search_cases(self, query: CaseQuery) -> RecordsFound[Case]:
        """Return the most relevant cases first."""
        ...


@runtime_checkable
class SearchesSeries(Protocol):
    """Finds statistical series and their values."""

    about: ClassVar[ProviderInfo]
    default_country: ClassVar[str | None]  # used when the query names none

    async def search_series(
        self, query: SeriesQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        """Return the series whose names contain the words, best first."""
        ...

    async def observe(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        """Return the latest observations first, or the earliest if the query has a start."""
        ...


@runtime_checkable
class SearchesTrials(Protocol):
    """Finds clinical studies."""

    about: ClassVar[ProviderInfo]

    async def search_trials(self, query: TrialQuery) -> RecordsFound[Trial]:
        """Return the most relevant studies first."""
        ...
