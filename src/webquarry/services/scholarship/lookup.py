"""What the registries say about one DOI, or about one title."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import WebquarryError
from webquarry.models.works import Lookup, Work
from webquarry.providers.capabilities_works import LooksUpWorks, MatchesTitles, RegistersDois
from webquarry.services.provider_choice import ProviderDirectory

_PATIENCE = 15.0


async def by_doi(
    choices: ProviderDirectory, doi: str, names: tuple[str, ...] = ()
) -> tuple[Lookup, ...]:
    """Ask the registries of these names, or all, side by side; each answers for itself."""
    ready = choices.of(LooksUpWorks).ready
    asked = {n: p for n, p in ready.items() if n in names or not names}

    async def one(name: str, provider: LooksUpWorks) -> Lookup:
        found = await _answer(name, lambda: provider.work_by_doi(doi))
        if isinstance(found, Lookup):
            return found
        # a neighbour of the work is not the work
        if found is None or (found.doi and doi_key(found.doi) != doi_key(doi)):
            return Lookup(provider=name, status="not_found")
        return Lookup(provider=name, status="found", work=found)

    return tuple(await asyncio.gather(*(one(n, p) for n, p in asked.items())))


async def registration(choices: ProviderDirectory, doi: str) -> Lookup:
    """Say whether a DOI was ever registered, with whichever agency."""
    for name, provider in choices.of(RegistersDois).ready.items():
        found = await _answer(name, lambda asked=provider: asked.is_registered(doi))
        if isinstance(found, Lookup):
            return found
        return Lookup(provider=name, status="found" if found else "not_found")
    return Lookup(provider="doi", status="unchecked", reason="nobody to ask is configured")


async def by_title(
    choices: ProviderDirectory, title: str, names: tuple[str, ...] = ("crossref", "openalex")
) -> dict[str, tuple[Work, ...] | Lookup]:
    """Return the closest works by provider; a Lookup where one could not be asked."""
    ready = choices.of(MatchesTitles).ready
    asked = {n: p for n, p in ready.items() if n in names}
    found = await asyncio.gather(
        *(_answer(n, lambda asked=p: asked.works_by_title(title)) for n, p in asked.items())
    )
    return dict(zip(asked, found, strict=True))


async def _answer(name: str, ask: Callable[[], Awaitable[Any]]) -> Any:
    """Return the answer, or why there is none: which says nothing about the work."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await ask()
    except TimeoutError:
        reason = f"no answer within {_PATIENCE:g} seconds"
    except WebquarryError as error:
        reason = str(error)
    return Lookup(provider=name, status="unchecked", reason=reason)
