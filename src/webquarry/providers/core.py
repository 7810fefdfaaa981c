"""CORE, open-access works from repositories (https://api.core.ac.uk/docs/v3)."""

from typing import Any, ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import arxiv_id, clean_doi, pubmed_id
from webquarry.content.text.snippets import plain_text
from webquarry.models.model import Items
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import (
    DOI_SOURCES,
    WORK_LIMITS,
    abstract_text,
    names_of,
    present_ids,
    work_url,
    works_of,
    year_of,
)
from webquarry.settings.variable import Variable

CORE_KEY = Variable(
    "CORE_API_KEY", "API key for CORE, which refuses most requests without one.", secret=True
)


class Core:
    """Finds open-access works in repositories. Without a key its limit is often exceeded."""

    about: ClassVar = ProviderInfo(
        name="core",
        docs="https://api.core.ac.uk/docs/v3",
        base_url="https://api.core.ac.uk/v3",
        variables=(CORE_KEY,),
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=100,
        filters=frozenset({"years", "open_access", "newest"}),
        recognised_sources=frozenset({"arxiv", "pubmed", *DOI_SOURCES}),
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
        # without the final slash it redirects
        response = await self._api.get("search/works/", params=params, headers=self._headers)
        found = self._api.decode(_Page, response)
        return Works(items=works_of(found.results), total=found.total)


def _terms(query: WorkQuery) -> str:
    terms = [f"({query.text})"]
    if query.year_from:
        terms.append(f"yearPublished>={query.year_from}")
    if query.year_to:
        terms.append(f"yearPublished<={query.year_to}")
    return " AND ".join(terms) if len(terms) > 1 else query.text


class _Author(Wire):
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
    authors: Items[_Author] = ()
    year: int | str | None = Field(default=None, alias="yearPublished")
    date: str | None = Field(default=None, alias="publishedDate")
    download: str | None = Field(default=None, alias="downloadUrl")
    links: Items[_Link] = ()
    journals: Items[_Journal] = ()
    publisher: str | None = None
    cited: int | None = Field(default=None, alias="citationCount")
    arxiv: str | None = Field(default=None, alias="arxivId")
    pubmed: str | int | None = Field(default=None, alias="pubmedId")
    kind: Any = Field(default=None, alias="documentType")

    def to_work(self) -> Work | None:
        title, doi = plain_text(self.title), clean_doi(self.doi)
        if not title:
            return None
        return Work(
            title=title,
            url=work_url(doi, self._page()),
            source="core",
            doi=doi,
            authors=names_of(self.authors),
            journal=self._journal(),
            year=year_of(self.year) or year_of(self.date),
            published=(self.date or "")[:10],
            abstract=abstract_text(self.abstract),
            citationCount=self.cited,
            openAccess=True,  # CORE lists open-access works only
            pdfUrl=self.download,
            ids=present_ids(
                core=self.id,
                arxiv=arxiv_id(self.arxiv) or arxiv_id(doi),
                pmid=pubmed_id(str(self.pubmed or "")),
            ),
            type=self.kind if isinstance(self.kind, str) else None,
            publisher=self.publisher,
        )

    def _page(self) -> str:
        links = {each.type: each.url for each in self.links if each.url}
        return links.get("display") or (f"https://core.ac.uk/works/{self.id}" if self.id else "")

    def _journal(self) -> str | None:
        return next((each.title for each in self.journals if each.title), None)


class _Page(Wire):
    total: int | None = Field(default=None, alias="totalHits")
    results: tuple[_Result | None, ...]
