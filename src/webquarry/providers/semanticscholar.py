"""Semantic Scholar, works and who cites them why (https://api.semanticscholar.org/api-docs)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import (
    arxiv_id,
    clean_doi,
    doi_key,
    is_identifier,
    pmc_id,
    preprint_id,
)
from webquarry.models.model import Items
from webquarry.models.works import CitationLinks, Work, WorkQuery, Works
from webquarry.net.upstream.rate_limiter import LimitsRate
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SearchPayload
from webquarry.providers.works_wire import (
    DOI_SOURCES,
    WORK_LIMITS,
    abstract_text,
    identifier_path,
    names_of,
    present_ids,
    work_url,
    works_of,
    year_of,
)
from webquarry.settings.variable import Variable

S2_KEY = Variable(
    "SEMANTIC_SCHOLAR_API_KEY",
    "API key for Semantic Scholar; without it, all users share one limit.",
    secret=True,
)
PER_SECOND = 1 / 1.05  # one request a second, with a margin
_FIELDS = (
    "title,abstract,year,venue,journal,citationCount,influentialCitationCount,isOpenAccess,"
    "openAccessPdf,externalIds,publicationDate,publicationTypes,authors,url"
)
_SHORT_FIELDS = "title,year,venue,citationCount,isOpenAccess,openAccessPdf,externalIds,authors,url"
_EDGE = "intents,isInfluential,"
_MAX_RESULTS = 100
_MAX_EDGES = 500  # searched for influential ones


class SemanticScholar:
    """Finds works with one-sentence summaries, and why they cite each other."""

    about: ClassVar = ProviderInfo(
        name="semanticscholar",
        setting="semantic_scholar",
        docs="https://api.semanticscholar.org/api-docs/graph",
        base_url="https://api.semanticscholar.org/graph/v1",
        variables=(S2_KEY,),
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=_MAX_RESULTS,
        filters=frozenset({"years", "open_access", "pdf_only"}),
        recognised_sources=frozenset({"arxiv", "pubmed", *DOI_SOURCES}),
    )
    shows_influence: ClassVar = True
    batch_size: ClassVar = 500

    def __init__(
        self, upstreams: Upstreams, keys: Keys, *, rate_limiter: LimitsRate | None = None
    ) -> None:
        """Use the rate limiter that processes share, or one request a second in this process."""
        about, limits = self.about, replace(WORK_LIMITS, per_second=PER_SECOND)
        self._api = upstreams.api(
            about.name, about.base_url, limits, setting=about.setting, rate_limiter=rate_limiter
        )
        key = keys.get(S2_KEY.name)
        self._headers = {"x-api-key": key} if key else {}

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            # words with a hyphen match nothing
            "query": " ".join(query.text.replace("-", " ").split()),
            "limit": min(query.count, _MAX_RESULTS),
            "fields": f"{_FIELDS},tldr",
            "year": _years(query.year_from, query.year_to),
            "openAccessPdf": "" if query.open_access or query.pdf_only else None,
        }
        found = self._api.decode(_Page, await self._get("paper/search", params))
        return Works(items=works_of(found.data), total=found.total)

    async def work_by_doi(self, doi: str) -> Work | None:
        return await self._one(f"DOI:{doi}")

    async def works_by_dois(self, dois: Sequence[str]) -> Mapping[str, Work]:
        response = await self._api.post(
            "paper/batch",
            json={"ids": [f"DOI:{doi}" for doi in dois]},
            params={"fields": _FIELDS},
            headers=self._headers,
        )
        # in the order of the DOIs, null for those that are unknown
        papers = self._api.decode(tuple[_Paper | None, ...], response)
        works = (paper.to_work() if paper else None for paper in papers)
        return {doi_key(doi): work for doi, work in zip(dois, works, strict=False) if work}

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        params = {"query": title, "fields": _FIELDS}
        response = await self._get("paper/search/match", params, expect=(404,))
        if response.status == 404:  # no title is close enough
            return ()
        found = self._api.decode(_Matches, response).data or ()
        return works_of(found[:count])

    async def seed(self, paper: str) -> Work | None:
        if doi := clean_doi(paper):
            return await self.work_by_doi(doi)
        if number := arxiv_id(paper):
            return await self._one(f"ARXIV:{number}")
        if is_identifier(paper):
            return await self._one(paper.replace(" ", ""))
        return next(iter(await self.works_by_title(paper, 1)), None)

    async def citing(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        return await self._edges(seed, "citations", count, influential=influential)

    async def cited(self, seed: Work, count: int, *, influential: bool = False) -> CitationLinks:
        return await self._edges(seed, "references", count, influential=influential)

    async def _edges(
        self, seed: Work, kind: str, count: int, *, influential: bool
    ) -> CitationLinks:
        limit = _MAX_EDGES if influential else count
        params = {"fields": _EDGE + (_SHORT_FIELDS if influential else _FIELDS), "limit": limit}
        path = f"paper/{path_segment(seed.ids['s2'])}/{kind}"
        found = self._api.decode(_Edges, await self._get(path, params))
        works = [work for each in found.data or () if (work := each.to_work())]
        notes = () if found.data is not None else (f"The publisher withholds the {kind}.",)
        if influential:
            works = [work for work in works if work.isInfluential]
            if found.next is not None:
                notes = (*notes, f"Only the first {_MAX_EDGES} {kind} were searched.")
        return CitationLinks(items=tuple(works[:count]), notes=notes)

    async def _one(self, name: str) -> Work | None:
        response = await self._get(
            f"paper/{identifier_path(name)}", {"fields": f"{_FIELDS},tldr"}, expect=(404,)
        )
        return None if response.status == 404 else self._api.decode(_Paper, response).to_work()

    async def _get(self, path: str, params: dict[str, Any], expect: tuple[int, ...] = ()) -> Any:
        return await self._api.get(path, params=params, headers=self._headers, expect=expect)


def _years(first: int | None, last: int | None) -> str | None:
    if first is None and last is None:
        return None
    return f"{first or ''}-{last or ''}"


def _trimmed(text: str | None) -> str | None:
    return " ".join((text or "").split()) or None


class _Author(Wire):
    name: str | None = None


class _Journal(Wire):
    name: str | None = None
    volume: str | None = None
    pages: str | None = None


class _Url(Wire):
    url: str | None = None


class _Text(Wire):
    text: str | None = None


class _Paper(Wire):
    id: str | None = Field(default=None, alias="paperId")
    title: str | None = None
    abstract: str | None = None
    year: int | None = None
    venue: str | None = None
    journal: _Journal | None = None
    cited: int | None = Field(default=None, alias="citationCount")
    influential: int | None = Field(default=None, alias="influentialCitationCount")
    open: bool | None = Field(default=None, alias="isOpenAccess")
    pdf: _Url | None = Field(default=None, alias="openAccessPdf")
    others: dict[str, Any] | None = Field(default=None, alias="externalIds")
    date: str | None = Field(default=None, alias="publicationDate")
    types: Items[str] = Field(default=(), alias="publicationTypes")
    authors: Items[_Author] = ()
    url: str | None = None
    tldr: _Text | None = None

    def to_work(self) -> Work | None:
        if not self.title:
            return None
        doi = clean_doi(str((self.others or {}).get("DOI") or ""))
        journal = self.journal or _Journal()
        return Work(
            title=self.title,
            url=work_url(doi, self._page()),
            source="semanticscholar",
            doi=doi,
            authors=names_of(self.authors),
            journal=self.venue or journal.name,
            year=self.year or year_of(self.date),
            published=self.date,
            abstract=abstract_text(self.abstract),
            citationCount=self.cited,
            openAccess=self.open,
            pdfUrl=(self.pdf or _Url()).url,
            tldr=(self.tldr or _Text()).text,
            ids=self._ids(),
            type=next(iter(self.types), None),
            volume=_trimmed(journal.volume),
            pages=_trimmed(journal.pages),
            isInfluential=None if self.influential is None else self.influential > 0,
        )

    def _page(self) -> str:
        page = f"https://www.semanticscholar.org/paper/{self.id}" if self.id else ""
        return self.url or page

    def _ids(self) -> dict[str, str]:
        given = {name: str(value) for name, value in (self.others or {}).items() if value}
        return present_ids(
            s2=self.id,
            arxiv=given.get("ArXiv"),
            pmid=given.get("PubMed"),
            pmcid=pmc_id(given.get("PubMedCentral")),
            biorxiv=preprint_id(given.get("DOI"), self.venue),
        )


class _Page(SearchPayload):
    expected_keys = ("total", "data")
    total: int | None = None
    data: tuple[_Paper | None, ...] | None = None  # absent when nothing matched


class _Matches(SearchPayload):
    expected_keys = ("data",)
    data: tuple[_Paper, ...] | None = None


class _Edge(Wire):
    intents: Items[str] = ()
    influential: bool | None = Field(default=None, alias="isInfluential")
    citing: _Paper | None = Field(default=None, alias="citingPaper")
    cited: _Paper | None = Field(default=None, alias="citedPaper")

    def to_work(self) -> Work | None:
        paper = self.citing or self.cited
        work = paper.to_work() if paper else None
        edge = {"isInfluential": self.influential, "citationIntents": self.intents}
        return work.model_copy(update=edge) if work else None


class _Edges(SearchPayload):
    expected_keys = ("data", "offset")
    data: tuple[_Edge, ...] | None = None
    next: int | None = None
