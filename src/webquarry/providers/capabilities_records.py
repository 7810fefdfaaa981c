"""What a provider of public records can be asked: one protocol per kind of record."""

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
    """A catalogue, and what to tell the caller when it is not the newest."""

    content: bytes
    notes: tuple[str, ...] = ()


class CatalogCache(Protocol):
    """Keeps the catalogues of upstreams between calls."""

    async def fetch(self, name: str, load: Callable[[], Awaitable[bytes]]) -> CachedCatalog:
        """Return the catalogue, loading it when it is missing or old.

        A failed load is never remembered: an old copy serves and says so, without one it is raised.
        """
        ...


@runtime_checkable
class SearchesFilings(Protocol):
    """Finds what companies filed with their regulator."""

    about: ClassVar[ProviderInfo]

    async def search_filings(self, query: FilingQuery, shelf: CatalogCache) -> RecordsFound[Filing]:
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
    usual_country: ClassVar[str | None]  # whose values come when no country is named

    async def search_series(
        self, query: SeriesQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        """Return the series whose names have the words, best first."""
        ...

    async def observe(
        self, query: ObservationQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        """Return the latest observations first, or the earliest when a start was asked for."""
        ...


@runtime_checkable
class SearchesTrials(Protocol):
    """Finds clinical studies."""

    about: ClassVar[ProviderInfo]

    async def search_trials(self, query: TrialQuery) -> RecordsFound[Trial]:
        """Return the most relevant studies first."""
        ...
