"""Looks up a DOI or a title in the registries."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import WebquarryError
from webquarry.models.works import Lookup, Work
from webquarry.providers.capabilities_works import LooksUpWorks, MatchesTitles, RegistersDois
from webquarry.services.provider_choice import ProviderDirectory

_LOOKUP_SECONDS = 15.0


async def lookup_doi(
    choices: ProviderDirectory, doi: str, names: tuple[str, ...] = ()
) -> tuple[Lookup, ...]:
    """Return the result of each registry of these names, or of all, queried side by side."""
    ready = choices.of(LooksUpWorks).ready
    queried = {n: p for n, p in ready.items() if n in names or not names}

    async def one(name: str, provider: LooksUpWorks) -> Lookup:
        found = await _query(name, lambda: provider.work_by_doi(doi))
        if isinstance(found, Lookup):
            return found
        # a similar work is not the work
        if found is None or (found.doi and doi_key(found.doi) != doi_key(doi)):
            return Lookup(provider=name, status="not_found")
        return Lookup(provider=name, status="found", work=found)

    return tuple(await asyncio.gather(*(one(n, p) for n, p in queried.items())))


async def lookup_registration(choices: ProviderDirectory, doi: str) -> Lookup:
    """Tell whether a DOI is registered with any agency."""
    for name, provider in choices.of(RegistersDois).ready.items():
        found = await _query(name, lambda registry=provider: registry.is_registered(doi))
        if isinstance(found, Lookup):
            return found
        return Lookup(provider=name, status="found" if found else "not_found")
    return Lookup(provider="doi", status="unchecked", reason="no provider is configured")


async def lookup_title(
    choices: ProviderDirectory, title: str, names: tuple[str, ...] = ("crossref", "openalex")
) -> dict[str, tuple[Work, ...] | Lookup]:
    """Return the closest works by provider; a `Lookup` with the reason where one failed."""
    ready = choices.of(MatchesTitles).ready
    queried = {n: p for n, p in ready.items() if n in names}
    found = await asyncio.gather(
        *(_query(n, lambda provider=p: provider.works_by_title(title)) for n, p in queried.items())
    )
    return dict(zip(queried, found, strict=True))


async def _query(name: str, request: Callable[[], Awaitable[Any]]) -> Any:
    """Return the response, or an unchecked `Lookup` with the reason."""
    try:
        async with asyncio.timeout(_LOOKUP_SECONDS):
            return await request()
    except TimeoutError:
        reason = f"no response within {_LOOKUP_SECONDS:g} seconds"
    except WebquarryError as error:
        reason = str(error)
    return Lookup(provider=name, status="unchecked", reason=reason)
