"""Crossref, works registered with a DOI, and notices about them (https://api.crossref.org)."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import doi_key
from webquarry.errors import NetworkError
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import segment
from webquarry.providers.capabilities_works import WorkReach
from webquarry.providers.crossref_wire import NoticesOf, Record, gravest
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import OTHER_SOURCES, PREFIXES, contact

CROSSREF_EMAIL = contact("CROSSREF_EMAIL", "Contact address that gets Crossref's faster pool.")
_FIELDS = (
    "DOI,title,author,container-title,issued,published,abstract,is-referenced-by-count,link,"
    "license,updated-by,type,publisher,volume,issue,page"
)
_BATCH = 25  # DOIs that fit into one address
_MOST = 100
_PATIENCE = 8.0  # seconds a page may wait for the notices about it


class Crossref:
    """Finds works, and tells which were retracted. Needs no key; an address is polite."""

    about: ClassVar = ProviderInfo(
        name="crossref",
        docs="https://api.crossref.org/swagger-ui/index.html",
        base_url="https://api.crossref.org",
        variables=(CROSSREF_EMAIL,),
    )
    work_reach: ClassVar = WorkReach(
        most=_MOST,
        honours=frozenset({"years", "newest"}),
        sources=OTHER_SOURCES,
        tells=OTHER_SOURCES,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=10, deadline=15, tries=2, per_second=5, burst=3)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._who = {"mailto": keys.get(CROSSREF_EMAIL.name)}

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "query": query.text,
            "filter": ",".join(_filters(query)) or None,
            "sort": "published" if query.newest else None,
            "order": "desc" if query.newest else None,
        }
        found = await self._list(params, query.count)
        return Works(items=_works(found), total=found.total)

    async def work_by_doi(self, doi: str) -> Work | None:
        response = await self._api.get(
            f"works/{segment(doi)}", params=self._who, expect=(404,)
        )  # which says so in plain text
        if response.status == 404:
            return None
        return self._api.decode(_One, response).message.to_work()

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        return _works(await self._list({"query.title": title}, count))

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice about one work; raise when nobody could tell."""
        try:
            async with asyncio.timeout(_PATIENCE):
                response = await self._api.get(f"works/{segment(doi)}", params=self._who)
        except TimeoutError as error:
            raise NetworkError(
                f"Network error (crossref): no answer within {_PATIENCE:g} seconds.",
                provider=self.about.name,
            ) from error
        return gravest(self._api.decode(_OneNotice, response).message.notices or ())

    async def notices(self, dois: Sequence[str]) -> Mapping[str, RetractionStatus | None]:
        wanted = list(dict.fromkeys(doi_key(doi) for doi in dois))
        # a comma would end the DOI and start another filter
        plain = [doi for doi in wanted if "," not in doi]
        batches = [plain[at : at + _BATCH] for at in range(0, len(plain), _BATCH)]
        batches += [[doi] for doi in wanted if "," in doi]
        found: dict[str, RetractionStatus | None] = {}
        for answer in await asyncio.gather(*map(self._notices, batches)):
            found |= {doi_key(each.doi): gravest(each.notices or ()) for each in answer}
        return {doi: found[doi] for doi in wanted if doi in found}

    async def _notices(self, dois: list[str]) -> tuple[NoticesOf, ...]:
        if len(dois) == 1:
            path, params = f"works/{segment(dois[0])}", self._who
            response = await self._api.get(path, params=params, expect=(404,))
            if response.status == 404:
                return ()
            return (self._api.decode(_OneNotice, response).message,)
        params = {
            "filter": ",".join(f"doi:{doi}" for doi in dois),
            "rows": len(dois),
            "select": "DOI,updated-by",
            **self._who,
        }
        response = await self._api.get("works", params=params)
        return self._api.decode(_ManyNotices, response).message.items

    async def _list(self, asked: dict[str, str | None], count: int) -> "_Page":
        params = {**asked, "rows": min(count, _MOST), "select": _FIELDS, **self._who}
        return self._api.decode(_Many, await self._api.get("works", params=params)).message


def _filters(query: WorkQuery) -> list[str]:
    filters: list[str] = []
    if query.year_from:
        filters.append(f"from-pub-date:{query.year_from}")
    if query.year_to:
        filters.append(f"until-pub-date:{query.year_to}")
    # of several prefixes any will do
    filters += [f"prefix:{prefix}" for prefix in PREFIXES.get(query.source or "", ())]
    return filters


def _works(page: "_Page") -> tuple[Work, ...]:
    found = (each.to_work() for each in page.items if each)
    return tuple(work for work in found if work)


class _One(Wire):
    message: Record


class _Page(Wire):
    total: int | None = Field(default=None, alias="total-results")
    items: tuple[Record | None, ...]


class _Many(Wire):
    message: _Page


class _OneNotice(Wire):
    message: NoticesOf


class _NoticePage(Wire):
    items: tuple[NoticesOf, ...]


class _ManyNotices(Wire):
    message: _NoticePage
