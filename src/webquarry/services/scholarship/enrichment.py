"""What is added to works that were found: free copies, and notices about them."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.works import OpenCopy, ProviderFailure, Work
from webquarry.providers.capabilities_works import FindsOpenCopies, KnowsNotices
from webquarry.services.provider_choice import ProviderDirectory

logger = logging.getLogger(__name__)

_AT_ONCE = 10
_PATIENCE = 8.0  # seconds for all of an extra: the works are here already


@dataclass(frozen=True)
class EnrichedWorks:
    """Works with the notices about them, and what could not be checked."""

    works: list[Work]
    unchecked: tuple[str, ...] = ()  # DOIs nobody could say anything about
    failure: ProviderFailure | None = None


async def with_open_copies(works: Sequence[Work], choices: ProviderDirectory) -> list[Work]:
    """Add PDFs where there are none. Nothing is overwritten, and no failure spoils the works."""
    works = [_from_arxiv(work) for work in works]
    finder = next(iter(choices.of(FindsOpenCopies).ready.values()), None)
    if finder is None:
        return works
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(work: Work) -> Work:
        if not work.doi or work.pdfUrl:
            return work
        try:
            async with gate, asyncio.timeout(_PATIENCE):
                copy = await finder.open_copy(work.doi)
        except (ProviderError, NotFoundError, TimeoutError) as error:
            logger.info("no free copy of %s could be looked up: %s", work.doi, error)
            return work
        return _opened(work, copy, finder.about.name) if copy else work

    return await asyncio.gather(*map(one, works))


def _from_arxiv(work: Work) -> Work:
    number = work.ids.get("arxiv")
    if work.pdfUrl or not number:
        return work
    pdf = {"pdfUrl": f"https://arxiv.org/pdf/{number}"}
    return work.model_copy(update=pdf | {"origins": work.origins | {"pdfUrl": "arxiv"}})


def _opened(work: Work, copy: OpenCopy, provider: str) -> Work:
    update: dict[str, object] = {}
    origins = dict(work.origins)
    if copy.pdfUrl:
        update["pdfUrl"] = copy.pdfUrl
        origins["pdfUrl"] = provider
    if work.openAccess is None:
        update["openAccess"] = copy.open
        origins["openAccess"] = provider
    elif work.openAccess != copy.open:
        told = work.conflicts.get("openAccess", {}) | {provider: copy.open}
        update["conflicts"] = work.conflicts | {"openAccess": told}
    return work.model_copy(update=update | {"origins": origins})


async def with_notices(works: Sequence[Work], choices: ProviderDirectory) -> EnrichedWorks:
    """Attach retractions, concerns and corrections to all works with a DOI, in one pass."""
    wanted = (work.doi for work in works if work.doi and not work.noticesKnown)
    dois = list(dict.fromkeys(wanted))
    keeper = next(iter(choices.of(KnowsNotices).ready.values()), None)
    if not dois or keeper is None:
        return EnrichedWorks(list(works), tuple(dois))
    try:
        async with asyncio.timeout(_PATIENCE):
            found = await keeper.notices(dois)
    except (ProviderError, NotFoundError, TimeoutError) as error:
        kind = "network" if isinstance(error, TimeoutError) else error.advice.kind
        said = str(error) or f"no answer within {_PATIENCE:g} seconds"
        return EnrichedWorks(
            list(works),
            tuple(dois),
            ProviderFailure(provider=keeper.about.name, kind=kind, message=said),
        )
    unchecked = tuple(doi for doi in dois if doi_key(doi) not in found)
    checked: list[Work] = []
    for work in works:
        if work.doi and doi_key(work.doi) in found:
            notice = found[doi_key(work.doi)] or work.retraction
            checked.append(work.model_copy(update={"retraction": notice, "noticesKnown": True}))
        else:
            checked.append(work)
    return EnrichedWorks(checked, unchecked)
