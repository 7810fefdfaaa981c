"""Protocols of patent registries."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.patents import Patent, PatentQuery
from webquarry.providers.provider import ProviderInfo


@runtime_checkable
class SearchesPatents(Protocol):
    """Finds patents by words, people, classes and years."""

    about: ClassVar[ProviderInfo]
    patent_offices: ClassVar[frozenset[str] | None]  # None: all offices
    # fields of the query that it applies; the others are applied to its results
    patent_filters: ClassVar[frozenset[str]]

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        """Return the best first, at most `query.count`."""
        ...


@runtime_checkable
class FindsPatents(Protocol):
    """Knows one patent by its number."""

    about: ClassVar[ProviderInfo]

    async def find_patent(self, number: str) -> Patent | None:
        """Return the patent, or None when there is no such number."""
        ...
