"""OpenAlex, an open catalogue of scholarly works (https://developers.openalex.org)."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from webquarry.content.citations.identifiers import (
    arxiv_id,
    clean_doi,
    doi_key,
    is_identifier,
)
from webquarry.content.citations.title_match import title_key
from webquarry.models.works import CitationLinks, Work, WorkQuery, Works
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.openalex_wire import (
    OpenAlexPage,
    OpenAlexReferences,
    OpenAlexWork,
    short_id,
)
from webquarry.providers.provider import OPENALEX_EMAIL, Keys, ProviderInfo
from webquarry.providers.works_wire import (
    DOI_PREFIXES,
    DOI_SOURCES,
    identifier_path,
    works_of,
)
from webquarry.settings.variable import Variable

OPENALEX_KEY = Variable("OPENALEX_API_KEY", "Raises OpenAlex's daily limit.", secret=True)
_FIELDS = (
    "id,doi,display_name,publication_year,publication_date,ids,primary_location,"
    "best_oa_location,open_access,authorships,cited_by_count,type,is_retracted,biblio,"
    "abstract_inverted_index"
)
_ARXIV = "S4306400194"  # OpenAlex's id of arXiv as a source
_MAX_REFERENCES = 1000  # of a paper; more would take too many requests
_MAX_RESULTS = 100
_SEPARATORS = re.compile(r"[,|]")
_SYNTAX = re.compile(r"[,|:!\"()*~]+")  # syntax characters of filters


class OpenAlex:
    """Finds works, abstracts and citations. A contact address enables it."""

    about: ClassVar = ProviderInfo(
        name="openalex",
        docs="https://developers.openalex.org",
        base_url="https://api.openalex.org",
        variables=(OPENALEX_EMAIL, OPENALEX_KEY),
        requires=(OPENALEX_EMAIL.name,),
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=_MAX_RESULTS,
        filters=frozenset({"years", "open_access", "newest"}),
        sources=frozenset({"arxiv", "pubmed", *DOI_SOURCES}),
        recognised_sources=DOI_SOURCES,
    )
    shows_influence: ClassVar = False
    batch_size: ClassVar = 50

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=10, deadline=15, tries=2, per_second=10, burst=10)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._identity = {
            "mailto": keys.get(OPENALEX_EMAIL.name),
            "api_key": keys.get(OPENALEX_KEY.name),
        }

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "search": query.text,
            "filter": ",".join(_filters(query)) or None,
            "sort": "publication_date:desc" if query.newest else None,
        }
        found = await self._list(params, query.count)
        return Works(items=works_of(found.results), total=found.meta.count)

    async def work_by_doi(self, doi: str) -> Work | None:
        found = await self._one(f"doi:{doi}")
        return found.to_work() if found else None

    async def works_by_dois(self, dois: Sequence[str]) -> Mapping[str, Work]:
        # these characters separate the values and filters of a request
        plain = [doi for doi in dois if not _SEPARATORS.search(doi)]
        others = (self.work_by_doi(doi) for doi in dois if _SEPARATORS.search(doi))
        works = [work for work in await asyncio.gather(*others) if work]
        if plain:
            found = await self._list({"filter": f"doi:{'|'.join(plain)}"}, len(plain))
            works += works_of(found.results)
        return {doi_key(work.doi): work for work in works if work.doi}

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        words = " ".join(_SYNTAX.sub(" ", title).split())
        found = await self._list({"filter": f"title.search:{words}"}, count)
        return works_of(found.results)

    async def seed(self, paper: str) -> Work | None:
        if doi := _doi_of(paper):
            return await self.work_by_doi(doi)
        if is_identifier(paper):  # an OpenAlex id or another one
            record = await self._one(paper.lower().replace(" ", ""))
            return record.to_work() if record else None
        found = await self.works_by_title(paper, 10)
        key = title_key(paper)
        exact = [work for work in found if title_key(work.title) == key]
        return max(exact or found[:1], key=lambda work: work.citationCount or 0, default=None)

    async def citing(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        params = {"filter": f"cites:{seed.ids['openalex']}", "sort": "cited_by_count:desc"}
        found = await self._list(params, count)
        return CitationLinks(items=works_of(found.results), total=found.meta.count)

    async def cited(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        path = f"works/{path_segment(seed.ids['openalex'])}"
        response = await self._api.get(
            path, params={"select": "id,referenced_works"} | self._identity
        )
        names = [short_id(each) for each in self._api.decode(OpenAlexReferences, response).works]
        if not names:
            return CitationLinks(total=0)
        # a filter takes 100 ids; the most cited may be in any part of the list
        found: list[Work] = []
        for start in range(0, min(len(names), _MAX_REFERENCES), _MAX_RESULTS):
            part = names[start : start + _MAX_RESULTS]
            params = {"filter": f"openalex:{'|'.join(part)}", "sort": "cited_by_count:desc"}
            found += works_of((await self._list(params, count)).results)
        found.sort(key=lambda work: -(work.citationCount or 0))
        return CitationLinks(items=tuple(found[:count]), total=len(names))

    async def _list(self, query: Mapping[str, str | None], count: int) -> OpenAlexPage:
        params = {
            **query,
            "per_page": min(count, _MAX_RESULTS),
            "select": _FIELDS,
            **self._identity,
        }
        return self._api.decode(OpenAlexPage, await self._api.get("works", params=params))

    async def _one(self, name: str) -> OpenAlexWork | None:
        params = {"select": _FIELDS} | self._identity
        # the 404 response is a web page
        response = await self._api.get(
            f"works/{identifier_path(name)}", params=params, expect=(404,)
        )
        return None if response.status == 404 else self._api.decode(OpenAlexWork, response)


def _doi_of(paper: str) -> str | None:
    if doi := clean_doi(paper):
        return doi
    number = arxiv_id(paper)
    return f"10.48550/arxiv.{number}" if number else None


def _filters(query: WorkQuery) -> list[str]:
    filters: list[str] = []
    if query.year_from:
        filters.append(f"from_publication_date:{query.year_from}-01-01")
    if query.year_to:
        filters.append(f"to_publication_date:{query.year_to}-12-31")
    if query.open_access:
        filters.append("open_access.is_oa:true")
    if query.source == "arxiv":
        filters.append(f"locations.source.id:{_ARXIV}")
    elif query.source == "pubmed":
        filters.append("has_pmid:true")
    elif query.source:
        filters.append(f"doi_starts_with:{DOI_PREFIXES[query.source][0]}")
    return filters
