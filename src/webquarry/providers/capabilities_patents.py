"""What a registry of patents can be asked."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.patents import Patent, PatentQuery
from webquarry.providers.provider import ProviderInfo


@runtime_checkable
class SearchesPatents(Protocol):
    """Finds patents by words, people, classes and years."""

    about: ClassVar[ProviderInfo]
    patent_offices: ClassVar[frozenset[str] | None]  # None: those of all the world
    # fields of the query it applies by itself; the rest is applied to what it returns
    patent_honours: ClassVar[frozenset[str]]

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
