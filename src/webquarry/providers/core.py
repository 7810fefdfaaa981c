"""CORE, open-access works from repositories (https://api.core.ac.uk/docs/v3)."""

from typing import Any, ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import arxiv_id, clean_doi, doi_url, pubmed_id
from webquarry.content.text.snippets import plain
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_works import WorkReach
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import OTHER_SOURCES, WORK_LIMITS, known, prose, year_of
from webquarry.settings.variable import Variable

CORE_KEY = Variable("CORE_API_KEY", "Key of CORE, which refuses most who have none.", secret=True)


class Core:
    """Finds open-access works in repositories. Without a key it is often over its limit."""

    about: ClassVar = ProviderInfo(
        name="core",
        docs="https://api.core.ac.uk/docs/v3",
        base_url="https://api.core.ac.uk/v3",
        variables=(CORE_KEY,),
    )
    work_reach: ClassVar = WorkReach(
        most=100,
        honours=frozenset({"years", "open_access", "newest"}),
        tells=frozenset({"arxiv", "pubmed", *OTHER_SOURCES}),
        general=False,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WORK_LIMITS)
        key = keys.get(CORE_KEY.name)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "q": _terms(query),
            "limit": query.count,
            "sort": "recency" if query.newest else None,
            "exclude": "fullText",
        }
        # without the last slash it redirects
        response = await self._api.get("search/works/", params=params, headers=self._headers)
        found = self._api.decode(_Page, response)
        works = (each.to_work() for each in found.results if each)
        return Works(items=tuple(work for work in works if work), total=found.total)


def _terms(query: WorkQuery) -> str:
    terms = [f"({query.text})"]
    if query.year_from:
        terms.append(f"yearPublished>={query.year_from}")
    if query.year_to:
        terms.append(f"yearPublished<={query.year_to}")
    return " AND ".join(terms) if len(terms) > 1 else query.text


class _Name(Wire):
    name: str | None = None


class _Journal(Wire):
    title: str | None = None


class _Link(Wire):
    type: str | None = None
    url: str | None = None


class _Result(Wire):
    id: int | str | None = None
    title: str | None = None
    abstract: str | None = None
    doi: str | None = None
    authors: tuple[_Name, ...] | None = None
    year: int | str | None = Field(default=None, alias="yearPublished")
    date: str | None = Field(default=None, alias="publishedDate")
    download: str | None = Field(default=None, alias="downloadUrl")
    links: tuple[_Link, ...] | None = None
    journals: tuple[_Journal, ...] | None = None
    publisher: str | None = None
    cited: int | None = Field(default=None, alias="citationCount")
    arxiv: str | None = Field(default=None, alias="arxivId")
    pubmed: str | int | None = Field(default=None, alias="pubmedId")
    kind: Any = Field(default=None, alias="documentType")

    def to_work(self) -> Work | None:
        title, doi = plain(self.title), clean_doi(self.doi)
        if not title:
            return None
        links = {each.type: each.url for each in self.links or () if each.url}
        page = links.get("display") or (f"https://core.ac.uk/works/{self.id}" if self.id else "")
        journal = next((each.title for each in self.journals or () if each.title), None)
        return Work(
            title=title,
            url=doi_url(doi) if doi else page,
            source="core",
            doi=doi,
            authors=tuple(each.name for each in self.authors or () if each.name),
            journal=journal,
            year=year_of(self.year) or year_of(self.date),
            published=(self.date or "")[:10] or None,
            abstract=prose(self.abstract),
            citationCount=self.cited,
            openAccess=True,  # it collects nothing else
            pdfUrl=self.download or None,
            ids=known(
                core=self.id,
                arxiv=arxiv_id(self.arxiv) or arxiv_id(doi),
                pmid=pubmed_id(str(self.pubmed or "")),
            ),
            type=self.kind if isinstance(self.kind, str) else None,
            publisher=self.publisher or None,
        )


class _Page(Wire):
    total: int | None = Field(default=None, alias="totalHits")
    results: tuple[_Result | None, ...]
