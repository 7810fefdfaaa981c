"""Adds open-access copies and retraction notices to works."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import NotFoundError, ProviderError, WebquarryError
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import OpenCopy, ProviderFailure, Work
from webquarry.providers.capabilities_works import FindsOpenCopies, KnowsNotices
from webquarry.services.provider_choice import ProviderDirectory

logger = logging.getLogger(__name__)

_CONCURRENT_LOOKUPS = 10
_LOOKUP_SECONDS = 8.0  # the works are complete without


@dataclass(frozen=True)
class EnrichedWorks:
    """Works with their notices, and what could not be checked."""

    works: list[Work]
    unchecked: tuple[str, ...] = ()  # DOIs
    failure: ProviderFailure | None = None


async def with_open_copies(works: Sequence[Work], choices: ProviderDirectory) -> list[Work]:
    """Add PDFs where there are none. Nothing is overwritten, and failures are ignored."""
    works = [_from_arxiv(work) for work in works]
    finder = next(iter(choices.of(FindsOpenCopies).ready.values()), None)
    if finder is None:
        return works
    limit = asyncio.Semaphore(_CONCURRENT_LOOKUPS)

    async def one(work: Work) -> Work:
        if not work.doi or work.pdfUrl:
            return work
        try:
            async with limit, asyncio.timeout(_LOOKUP_SECONDS):
                copy = await finder.open_copy(work.doi)
        except (ProviderError, NotFoundError, TimeoutError) as error:
            logger.info("lookup of a free copy of %s failed: %s", work.doi, error)
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
        values = work.conflicts.get("openAccess", {}) | {provider: copy.open}
        update["conflicts"] = work.conflicts | {"openAccess": values}
    return work.model_copy(update=update | {"origins": origins})


async def with_notices(works: Sequence[Work], choices: ProviderDirectory) -> EnrichedWorks:
    """Attach retractions, concerns and corrections to all works with a DOI, in one pass."""
    unknown = (work.doi for work in works if work.doi and not work.noticesKnown)
    dois = list(dict.fromkeys(unknown))
    provider = next(iter(choices.of(KnowsNotices).ready.values()), None)
    if not dois or provider is None:
        return EnrichedWorks(list(works), tuple(dois))
    try:
        async with asyncio.timeout(_LOOKUP_SECONDS):
            found = await provider.notices(dois)
    except (ProviderError, NotFoundError, TimeoutError) as error:
        return EnrichedWorks(list(works), tuple(dois), _failure(provider.about.name, error))
    unchecked = tuple(doi for doi in dois if doi_key(doi) not in found)
    return EnrichedWorks([_with_notice(work, found) for work in works], unchecked)


def _failure(provider: str, error: WebquarryError | TimeoutError) -> ProviderFailure:
    kind = "network" if isinstance(error, TimeoutError) else error.advice.kind
    message = str(error) or f"no response within {_LOOKUP_SECONDS:g} seconds"
    return ProviderFailure(provider=provider, kind=kind, message=message)


def _with_notice(work: Work, notices: Mapping[str, RetractionStatus | None]) -> Work:
    key = doi_key(work.doi) if work.doi else ""
    if key not in notices:
        return work
    notice = notices[key] or work.retraction
    return work.model_copy(update={"retraction": notice, "noticesKnown": True})
