"""Europe PMC, life-science literature and preprints (https://europepmc.org/RestfulWebService)."""

from typing import ClassVar

from pydantic import AliasPath, Field

from webquarry.content.citations.identifiers import clean_doi, doi_key, pmc_id, preprint_id
from webquarry.content.text.snippets import plain_text
from webquarry.models.model import Items, Text
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import (
    DOI_SOURCES,
    WORK_LIMITS,
    abstract_text,
    present_ids,
    work_url,
    works_of,
    year_of,
)

_RETRACTED = RetractionStatus(retracted=True, kind="retraction", source="europepmc")
PMC_PAGE = "https://pmc.ncbi.nlm.nih.gov/articles"
_PREPRINT = "https://europepmc.org/article/PPR"
_FREE_CODES = frozenset({"OA", "F"})  # open access, and free to read


class EuropePmc:
    """Finds articles and preprints of the life sciences. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="europepmc",
        docs="https://europepmc.org/RestfulWebService",
        base_url="https://www.ebi.ac.uk/europepmc/webservices/rest",
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=100,
        filters=frozenset({"years", "open_access", "pdf_only", "newest"}),
        sources=frozenset({"pubmed"}),
        recognised_sources=DOI_SOURCES,
    )

    identifiers: ClassVar = frozenset({"pmcid"})
    full_text_ids: ClassVar = frozenset({"pmcid", "doi", "pmid"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WORK_LIMITS)

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "query": _terms(query),
            "format": "json",
            "resultType": "core",
            "pageSize": query.count,
            "sort": "P_PDATE_D desc" if query.newest else None,
        }
        found = self._api.decode(_Page, await self._api.get("search", params=params))
        return Works(items=works_of(found.results), total=found.total)

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        found = await self.search_works(WorkQuery(text=f"PMCID:{value}", count=1))
        return next((work for work in found.items if work.ids.get(kind) == value), None)

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        number = ids.pmcid or await self._own_number(ids)
        if not number:
            return None
        # 404: not in the open access subset
        response = await self._api.get(f"{path_segment(number)}/fullTextXML", expect=(404,))
        if response.status != 200:
            return None
        return FullTextFile(
            content=response.content,
            format="jats",
            version="preprint" if number.startswith("PPR") else None,
            url=f"{_PREPRINT if number.startswith('PPR') else PMC_PAGE}/{number}",
        )

    async def _own_number(self, ids: PaperIds) -> str | None:
        """Return the number under which the text of an article or a preprint is filed."""
        term = f'DOI:"{ids.doi}"' if ids.doi else f"EXT_ID:{ids.pmid} AND SRC:MED"
        found = await self.search_works(WorkQuery(text=term, count=5))
        same = [work for work in found.items if _is_work(work, ids)]
        known = (work.ids.get("pmcid") or work.ids.get("europepmc", "")[4:] for work in same)
        return next(filter(None, known), None)


def _is_work(work: Work, ids: PaperIds) -> bool:
    if ids.doi:
        return bool(work.doi) and doi_key(work.doi or "") == doi_key(ids.doi)
    return work.ids.get("pmid") == ids.pmid


def _terms(query: WorkQuery) -> str:
    terms: list[str] = []
    if query.year_from or query.year_to:
        first, last = query.year_from or 1500, query.year_to or 3000
        terms.append(f"FIRST_PDATE:[{first}-01-01 TO {last}-12-31]")
    if query.open_access:
        terms.append("OPEN_ACCESS:y")
    if query.pdf_only:
        terms.append("HAS_PDF:y")
    if query.source == "pubmed":
        terms.append("SRC:MED")
    return " AND ".join([f"({query.text})", *terms]) if terms else query.text


class _Author(Wire):
    full: str | None = Field(default=None, alias="fullName")
    first: str | None = Field(default=None, alias="firstName")
    last: str | None = Field(default=None, alias="lastName")
    group: str | None = Field(default=None, alias="collectiveName")

    @property
    def name(self) -> str | None:
        person = " ".join(part for part in (self.first, self.last) if part)
        return person if self.first and self.last else self.full or self.group or person or None


class _FullTextUrl(Wire):
    style: str | None = Field(default=None, alias="documentStyle")
    code: str | None = Field(default=None, alias="availabilityCode")
    url: str | None = None


class _Result(Wire):
    id: str | None = None
    database: str | None = Field(default=None, alias="source")
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    title: str | None = None
    names: Text = Field(default="", alias="authorString")
    authors: Items[_Author] = Field(default=(), validation_alias=AliasPath("authorList", "author"))
    journal: str | None = Field(
        default=None, validation_alias=AliasPath("journalInfo", "journal", "title")
    )
    volume: str | None = Field(default=None, validation_alias=AliasPath("journalInfo", "volume"))
    issue: str | None = Field(default=None, validation_alias=AliasPath("journalInfo", "issue"))
    server: str | None = Field(
        default=None, validation_alias=AliasPath("bookOrReportDetails", "publisher")
    )
    year: str | int | None = Field(default=None, alias="pubYear")
    date: str | None = Field(default=None, alias="firstPublicationDate")
    pages: str | None = Field(default=None, alias="pageInfo")
    abstract: str | None = Field(default=None, alias="abstractText")
    open: str | None = Field(default=None, alias="isOpenAccess")
    cited: int | None = Field(default=None, alias="citedByCount")
    full_texts: Items[_FullTextUrl] = Field(
        default=(), validation_alias=AliasPath("fullTextUrlList", "fullTextUrl")
    )
    types: Items[str] = Field(default=(), validation_alias=AliasPath("pubTypeList", "pubType"))

    def to_work(self) -> Work | None:
        title, doi = plain_text(self.title), clean_doi(self.doi)
        if not title:
            return None
        types = [each.lower() for each in self.types]
        return Work(
            title=title,
            url=work_url(doi, self._page()),
            source="europepmc",
            doi=doi,
            authors=self._names(),
            journal=self.journal or self.server,
            year=year_of(self.year) or year_of(self.date),
            published=self.date,
            abstract=abstract_text(self.abstract),
            citationCount=self.cited,
            openAccess=None if self.open is None else self.open == "Y",
            pdfUrl=self._pdf(),
            ids=present_ids(
                pmid=self.pmid,
                pmcid=pmc_id(self.pmcid),
                biorxiv=preprint_id(doi, self.server),
                europepmc=f"{self.database}:{self.id}" if self.database == "PPR" else None,
            ),
            type=next(iter(self.types), None),
            volume=self.volume,
            issue=self.issue,
            pages=self.pages,
            retraction=_RETRACTED if "retracted publication" in types else None,
        )

    def _page(self) -> str:
        return (
            f"https://europepmc.org/article/{self.database or 'MED'}/{self.id}" if self.id else ""
        )

    def _names(self) -> tuple[str, ...]:
        if self.authors:
            return tuple(each.name for each in self.authors if each.name)
        return tuple(name for name in (self.names).rstrip(".").split(", ") if name)

    def _pdf(self) -> str | None:
        pdfs = (each for each in self.full_texts if each.style == "pdf" and each.url)
        return next((each.url for each in pdfs if each.code in _FREE_CODES), None)


class _Page(Wire):
    total: int | None = Field(default=None, alias="hitCount")
    results: tuple[_Result | None, ...] = Field(validation_alias=AliasPath("resultList", "result"))
