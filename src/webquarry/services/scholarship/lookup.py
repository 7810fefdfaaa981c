"""Looks up a DOI or a title in the registries."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import WebquarryError
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Lookup, Work
from webquarry.providers.capabilities_works import (
    KnowsNotices,
    LooksUpWorks,
    MatchesTitles,
    RegistersDois,
)
from webquarry.services.provider_choice import ProviderDirectory

_LOOKUP_SECONDS = 15.0
# the registries that describe most works, with the fewest requests, first
_DOI_ORDER = ("crossref", "openalex", "semanticscholar", "datacite", "doi")
_TITLE_ORDER = ("crossref", "openalex", "semanticscholar")
TitleLookups = dict[str, tuple[Work, ...] | Lookup]


class LooksUpReferences(Protocol):
    """Queries the registries for one reference at a time."""

    def doi_registries(self) -> Sequence[str]:
        """Return the registries to ask for a DOI, one after the other."""
        ...

    def title_registries(self) -> Sequence[Sequence[str]]:
        """Return the registries to ask for a title; those of a group side by side."""
        ...

    async def doi(self, name: str, doi: str) -> Lookup:
        """Look up a DOI in a registry."""
        ...

    async def title(self, name: str, title: str) -> tuple[Work, ...] | Lookup:
        """Return the works with the closest titles; a `Lookup` with the reason if it failed."""
        ...

    async def registration(self, doi: str) -> Lookup:
        """Tell whether a DOI is registered with any agency."""
        ...

    async def notice(self, doi: str) -> tuple[RetractionStatus | None, tuple[str, ...]]:
        """Return the gravest notice about a work, and what could not be checked."""
        ...


class DirectLookup:
    """Sends a request for each query."""

    def __init__(self, choices: ProviderDirectory) -> None:
        self._choices = choices

    def doi_registries(self) -> Sequence[str]:
        ready = self._choices.of(LooksUpWorks).ready
        return sorted(ready, key=lambda name: _position(name, _DOI_ORDER))

    def title_registries(self) -> Sequence[Sequence[str]]:
        ready = self._choices.of(MatchesTitles).ready
        names = [name for name in _TITLE_ORDER if name in ready]
        return [group for group in (names[:2], names[2:]) if group]

    async def doi(self, name: str, doi: str) -> Lookup:
        provider = self._choices.of(LooksUpWorks).ready[name]
        found = await query(name, lambda: provider.work_by_doi(doi))
        return found if isinstance(found, Lookup) else doi_lookup(name, doi, found)

    async def title(self, name: str, title: str) -> tuple[Work, ...] | Lookup:
        provider = self._choices.of(MatchesTitles).ready[name]
        return await query(name, lambda: provider.works_by_title(title))

    async def registration(self, doi: str) -> Lookup:
        for name, provider in self._choices.of(RegistersDois).ready.items():
            found = await query(name, lambda registry=provider: registry.is_registered(doi))
            if isinstance(found, Lookup):
                return found
            return Lookup(provider=name, status="found" if found else "not_found")
        return Lookup(provider="doi", status="unchecked", reason="no provider is configured")

    async def notice(self, doi: str) -> tuple[RetractionStatus | None, tuple[str, ...]]:
        notes: list[str] = []
        for name, provider in self._choices.of(KnowsNotices).ready.items():
            try:
                found = await provider.notices((doi,))
            except WebquarryError as error:
                notes.append(f"{name}: retractions could not be checked ({error})")
                continue
            if doi_key(doi) in found:
                return found[doi_key(doi)], tuple(notes)
            notes.append(f"{name}: retractions could not be checked")
        return None, tuple(notes)


def doi_lookup(name: str, doi: str, found: Work | None) -> Lookup:
    """Return the result of a registry that responded; a similar work is not the work."""
    if found is None or (found.doi and doi_key(found.doi) != doi_key(doi)):
        return Lookup(provider=name, status="not_found")
    return Lookup(provider=name, status="found", work=found)


async def query(name: str, request: Callable[[], Awaitable[Any]]) -> Any:
    """Return the response, or an unchecked `Lookup` with the reason."""
    try:
        async with asyncio.timeout(_LOOKUP_SECONDS):
            return await request()
    except TimeoutError:
        reason = f"no response within {_LOOKUP_SECONDS:g} seconds"
    except WebquarryError as error:
        reason = str(error)
    return Lookup(provider=name, status="unchecked", reason=reason)


def _position(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)
