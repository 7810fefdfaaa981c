"""Semantic Scholar, works and who cites them why (https://api.semanticscholar.org/api-docs)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import (
    arxiv_id,
    clean_doi,
    doi_url,
    is_identifier,
    pmc_id,
    preprint_id,
)
from webquarry.models.works import CitationLinks, Work, WorkQuery, Works
from webquarry.net.upstream.rate_limiter import LimitsRate
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import segment
from webquarry.providers.capabilities_works import WorkReach
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SearchPayload
from webquarry.providers.works_wire import (
    OTHER_SOURCES,
    WORK_LIMITS,
    in_path,
    known,
    prose,
    year_of,
)
from webquarry.settings.variable import Variable

S2_KEY = Variable(
    "SEMANTIC_SCHOLAR_API_KEY", "Key of Semantic Scholar; without it many share one.", secret=True
)
PER_SECOND = 1 / 1.05  # it allows one request a second, and counts a little differently than we do
_FIELDS = (
    "title,abstract,year,venue,journal,citationCount,influentialCitationCount,isOpenAccess,"
    "openAccessPdf,externalIds,publicationDate,publicationTypes,authors,url"
)
_LEAN = "title,year,venue,citationCount,isOpenAccess,openAccessPdf,externalIds,authors,url"
_EDGE = "intents,isInfluential,"
_MOST = 100
_MOST_EDGES = 500  # looked through for the influential ones


class SemanticScholar:
    """Finds works with one-sentence summaries, and why they cite each other."""

    about: ClassVar = ProviderInfo(
        name="semanticscholar",
        setting="semantic_scholar",
        docs="https://api.semanticscholar.org/api-docs/graph",
        base_url="https://api.semanticscholar.org/graph/v1",
        variables=(S2_KEY,),
    )
    work_reach: ClassVar = WorkReach(
        most=_MOST,
        honours=frozenset({"years", "open_access", "pdf_only"}),
        tells=frozenset({"arxiv", "pubmed", *OTHER_SOURCES}),
    )
    shows_influence: ClassVar = True

    def __init__(self, upstreams: Upstreams, keys: Keys, *, pace: LimitsRate | None = None) -> None:
        """Keep to `pace`, which servers share, or to one request a second of this process."""
        about, limits = self.about, replace(WORK_LIMITS, per_second=PER_SECOND)
        self._api = upstreams.api(
            about.name, about.base_url, limits, setting=about.setting, pace=pace
        )
        key = keys.get(S2_KEY.name)
        self._headers = {"x-api-key": key} if key else {}

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            # it finds nothing for words with a hyphen
            "query": " ".join(query.text.replace("-", " ").split()),
            "limit": min(query.count, _MOST),
            "fields": f"{_FIELDS},tldr",
            "year": _years(query.year_from, query.year_to),
            "openAccessPdf": "" if query.open_access or query.pdf_only else None,
        }
        found = self._api.decode(_Page, await self._get("paper/search", params))
        works = (each.to_work() for each in found.data or () if each)
        return Works(items=tuple(work for work in works if work), total=found.total)

    async def work_by_doi(self, doi: str) -> Work | None:
        return await self._one(f"DOI:{doi}")

    async def works_by_dois(self, dois: Sequence[str]) -> tuple[Work | None, ...]:
        """Return the works in the order of their DOIs, None for those that are unknown."""
        response = await self._api.post(
            "paper/batch",
            json={"ids": [f"DOI:{doi}" for doi in dois]},
            params={"fields": _FIELDS},
            headers=self._headers,
        )
        found = self._api.decode(tuple[_Paper | None, ...], response)
        return tuple(each.to_work() if each else None for each in found)

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        params = {"query": title, "fields": _FIELDS}
        response = await self._get("paper/search/match", params, expect=(404,))
        if response.status == 404:  # no title is close enough
            return ()
        found = self._api.decode(_Matches, response).data or ()
        works = (each.to_work() for each in found[:count])
        return tuple(work for work in works if work)

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
        most = _MOST_EDGES if influential else count
        params = {"fields": _EDGE + (_LEAN if influential else _FIELDS), "limit": most}
        path = f"paper/{segment(seed.ids['s2'])}/{kind}"
        found = self._api.decode(_Edges, await self._get(path, params))
        works = [work for each in found.data or () if (work := each.to_work())]
        notes = () if found.data is not None else (f"The publisher withholds the {kind}.",)
        if influential:
            works = [work for work in works if work.isInfluential]
            if found.next is not None:
                notes = (*notes, f"Only the first {_MOST_EDGES} {kind} were looked through.")
        return CitationLinks(items=tuple(works[:count]), notes=notes)

    async def _one(self, name: str) -> Work | None:
        response = await self._get(
            f"paper/{in_path(name)}", {"fields": f"{_FIELDS},tldr"}, expect=(404,)
        )
        return None if response.status == 404 else self._api.decode(_Paper, response).to_work()

    async def _get(self, path: str, params: dict[str, Any], expect: tuple[int, ...] = ()) -> Any:
        return await self._api.get(path, params=params, headers=self._headers, expect=expect)


def _years(first: int | None, last: int | None) -> str | None:
    if first is None and last is None:
        return None
    return f"{first or ''}-{last or ''}"


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
    types: tuple[str, ...] | None = Field(default=None, alias="publicationTypes")
    authors: tuple[_Author, ...] | None = None
    url: str | None = None
    tldr: _Text | None = None

    def to_work(self) -> Work | None:
        if not self.title:
            return None
        ids = self._ids()
        doi = clean_doi(str((self.others or {}).get("DOI") or ""))
        journal = self.journal or _Journal()
        page = f"https://www.semanticscholar.org/paper/{self.id}" if self.id else ""
        return Work(
            title=self.title,
            url=doi_url(doi) if doi else self.url or page,
            source="semanticscholar",
            doi=doi,
            authors=tuple(each.name for each in self.authors or () if each.name),
            journal=self.venue or journal.name or None,
            year=self.year or year_of(self.date),
            published=self.date,
            abstract=prose(self.abstract),
            citationCount=self.cited,
            openAccess=self.open,
            pdfUrl=(self.pdf.url if self.pdf else None) or None,
            tldr=(self.tldr.text if self.tldr else None) or None,
            ids=ids,
            type=next(iter(self.types or ()), None),
            volume=(journal.volume or "").strip() or None,
            pages=" ".join((journal.pages or "").split()) or None,
            isInfluential=None if self.influential is None else self.influential > 0,
        )

    def _ids(self) -> dict[str, str]:
        told = {name: str(value) for name, value in (self.others or {}).items() if value}
        return known(
            s2=self.id,
            arxiv=told.get("ArXiv"),
            pmid=told.get("PubMed"),
            pmcid=pmc_id(told.get("PubMedCentral")),
            biorxiv=preprint_id(told.get("DOI"), self.venue),
        )


class _Page(SearchPayload):
    marks = ("total", "data")
    total: int | None = None
    data: tuple[_Paper | None, ...] | None = None  # left out when nothing matched


class _Matches(SearchPayload):
    marks = ("data",)
    data: tuple[_Paper, ...] | None = None


class _Edge(Wire):
    intents: tuple[str, ...] | None = None
    influential: bool | None = Field(default=None, alias="isInfluential")
    citing: _Paper | None = Field(default=None, alias="citingPaper")
    cited: _Paper | None = Field(default=None, alias="citedPaper")

    def to_work(self) -> Work | None:
        paper = self.citing or self.cited
        work = paper.to_work() if paper else None
        edge = {"isInfluential": self.influential, "citationIntents": self.intents or ()}
        return work.model_copy(update=edge) if work else None


class _Edges(SearchPayload):
    marks = ("data", "offset")
    data: tuple[_Edge, ...] | None = None
    next: int | None = None
