"""Crossref, works registered with a DOI, and notices about them (https://api.crossref.org)."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import NetworkError
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.crossref_wire import CrossrefRecord, WorkNotices, gravest_notice
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import DOI_PREFIXES, DOI_SOURCES, contact_variable, works_of

CROSSREF_EMAIL = contact_variable(
    "CROSSREF_EMAIL", "Contact e-mail address; gives access to Crossref's faster pool."
)
_FIELDS = (
    "DOI,title,subtitle,author,container-title,issued,published,abstract,is-referenced-by-count,link,"
    "license,updated-by,type,publisher,volume,issue,page"
)
_BATCH = 25  # DOIs that fit into one URL
_MAX_RESULTS = 100
_NOTICE_SECONDS = 8.0  # a page waits no longer for the notices about it


class Crossref:
    """Finds works and notices about them. Needs no key; a contact address is recommended."""

    about: ClassVar = ProviderInfo(
        name="crossref",
        docs="https://api.crossref.org/swagger-ui/index.html",
        base_url="https://api.crossref.org",
        variables=(CROSSREF_EMAIL,),
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=_MAX_RESULTS,
        filters=frozenset({"years", "newest"}),
        sources=DOI_SOURCES,
        recognised_sources=DOI_SOURCES,
    )

    batch_size: ClassVar = _BATCH

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=10, deadline=15, tries=2, per_second=5, burst=3)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._identity = {"mailto": keys.get(CROSSREF_EMAIL.name)}

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "query": query.text,
            "filter": ",".join(_filters(query)) or None,
            "sort": "published" if query.newest else None,
            "order": "desc" if query.newest else None,
        }
        found = await self._list(params, query.count)
        return Works(items=works_of(found.items), total=found.total)

    async def work_by_doi(self, doi: str) -> Work | None:
        response = await self._api.get(
            f"works/{path_segment(doi)}", params=self._identity, expect=(404,)
        )
        if response.status == 404:
            return None
        return self._api.decode(_One, response).message.to_work()

    async def works_by_dois(self, dois: Sequence[str]) -> Mapping[str, Work]:
        # a comma would end the DOI and start another filter
        plain = [doi for doi in dois if "," not in doi]
        single = await asyncio.gather(*(self.work_by_doi(doi) for doi in dois if "," in doi))
        works = [work for work in single if work]
        if plain:
            found = await self._list(
                {"filter": ",".join(f"doi:{doi}" for doi in plain)}, len(plain)
            )
            works += works_of(found.items)
        return {doi_key(work.doi): work for work in works if work.doi}

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        found = await self._list({"query.title": title}, count)
        return works_of(found.items)

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice about one work; raise when the lookup failed."""
        try:
            async with asyncio.timeout(_NOTICE_SECONDS):
                response = await self._api.get(f"works/{path_segment(doi)}", params=self._identity)
        except TimeoutError as error:
            raise NetworkError(
                f"Network error (crossref): no response within {_NOTICE_SECONDS:g} seconds.",
                provider=self.about.name,
            ) from error
        return gravest_notice(self._api.decode(_OneNotice, response).message.notices or ())

    async def notices(self, dois: Sequence[str]) -> Mapping[str, RetractionStatus | None]:
        keys = list(dict.fromkeys(doi_key(doi) for doi in dois))
        # a comma would end the DOI and start another filter
        plain = [doi for doi in keys if "," not in doi]
        batches = [plain[at : at + _BATCH] for at in range(0, len(plain), _BATCH)]
        batches += [[doi] for doi in keys if "," in doi]
        found: dict[str, RetractionStatus | None] = {}
        for page in await asyncio.gather(*map(self._notices, batches)):
            found |= {doi_key(each.doi): gravest_notice(each.notices or ()) for each in page}
        return {doi: found[doi] for doi in keys if doi in found}

    async def _notices(self, dois: list[str]) -> tuple[WorkNotices, ...]:
        if len(dois) == 1:
            path, params = f"works/{path_segment(dois[0])}", self._identity
            response = await self._api.get(path, params=params, expect=(404,))
            if response.status == 404:
                return ()
            return (self._api.decode(_OneNotice, response).message,)
        params = {
            "filter": ",".join(f"doi:{doi}" for doi in dois),
            "rows": len(dois),
            "select": "DOI,updated-by",
            **self._identity,
        }
        response = await self._api.get("works", params=params)
        return self._api.decode(_ManyNotices, response).message.items

    async def _list(self, query: dict[str, str | None], count: int) -> "_Page":
        params = {**query, "rows": min(count, _MAX_RESULTS), "select": _FIELDS, **self._identity}
        return self._api.decode(_Many, await self._api.get("works", params=params)).message


def _filters(query: WorkQuery) -> list[str]:
    filters: list[str] = []
    if query.year_from:
        filters.append(f"from-pub-date:{query.year_from}")
    if query.year_to:
        filters.append(f"until-pub-date:{query.year_to}")
    # a work needs one of the prefixes
    filters += [f"prefix:{prefix}" for prefix in DOI_PREFIXES.get(query.source or "", ())]
    return filters


class _One(Wire):
    message: CrossrefRecord


class _Page(Wire):
    total: int | None = Field(default=None, alias="total-results")
    items: tuple[CrossrefRecord | None, ...]


class _Many(Wire):
    message: _Page


class _OneNotice(Wire):
    message: WorkNotices


class _NoticePage(Wire):
    items: tuple[WorkNotices, ...]


class _ManyNotices(Wire):
    message: _NoticePage
