"""Exa, search by meaning (https://docs.exa.ai/reference/search)."""

import re
from typing import Any, ClassVar

from pydantic import Field

from webquarry.content.citations.doi_reader import doi_in_url
from webquarry.content.citations.identifiers import arxiv_id, pmc_id, preprint_id
from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.snippets import shorten_snippet
from webquarry.content.text.timestamps import SECONDS, to_rfc3339
from webquarry.models.model import Items, Text
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.models.synthesis import AnswerQuery, Structured, StructuredQuery, WrittenAnswer
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.exa_synthesis import ExaSynthesis
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload
from webquarry.providers.works_wire import is_pdf, present_ids, year_of
from webquarry.settings.variable import Variable

EXA_KEY = Variable("EXA_API_KEY", "API key for Exa.", secret=True)
_SUPPORT = SearchSupport(
    max_results=100,
    filters=frozenset(("time_range", "safe", "country", "sites")),
    max_sites=1000,
    query_operators=False,
)


_SITES = {
    "arxiv": "arxiv.org",
    "pubmed": "pubmed.ncbi.nlm.nih.gov",
    "ieee": "ieeexplore.ieee.org",
    "nature": "nature.com",
    "springer": "link.springer.com",
}


class Exa:
    """Semantic search; dates and sites are exact filters."""

    about: ClassVar = ProviderInfo(
        name="exa",
        docs="https://docs.exa.ai/reference/search",
        base_url="https://api.exa.ai",
        variables=(EXA_KEY,),
        requires=(EXA_KEY.name,),
    )
    web_support: ClassVar = _SUPPORT
    news_support: ClassVar = _SUPPORT
    work_support: ClassVar = WorkSearchSupport(
        max_results=100, filters=frozenset({"years"}), sources=frozenset(_SITES), general=False
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {"x-api-key": keys[EXA_KEY.name]}
        self._synthesis = ExaSynthesis(self._api, self._headers)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        pages = await self._find(query, {})
        return [page.to_web(self._now()) for page in pages if page.url]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        pages = await self._find(query, {"category": "news"})
        return [page.to_news(self._now()) for page in pages if page.url]

    async def search_works(self, query: WorkQuery) -> Works:
        body: dict[str, Any] = {
            "query": query.text,
            "type": "auto",
            "numResults": query.count,
            "category": "research paper",
            "contents": {"highlights": True},
        }
        if query.source:
            body["includeDomains"] = [_SITES[query.source]]
        if query.year_from:
            body["startPublishedDate"] = f"{query.year_from}-01-01T00:00:00Z"
        if query.year_to:
            body["endPublishedDate"] = f"{query.year_to}-12-31T23:59:59Z"
        response = await self._api.post("search", json=body, headers=self._headers)
        pages = self._api.decode(_Results, response).results
        return Works(items=tuple(page.to_work() for page in pages if page.url and page.title))

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        return await self._synthesis.answer(question)

    async def search_structured(self, query: StructuredQuery) -> Structured:
        return await self._synthesis.search(query)

    async def _find(self, query: WebQuery | NewsQuery, more: dict[str, Any]) -> tuple["_Page", ...]:
        body: dict[str, Any] = {
            "query": query.text,
            "type": "auto",
            "numResults": query.count,
            **more,
            "contents": {"highlights": True},
        }
        if query.sites:
            body["includeDomains"] = list(query.sites)
        if query.time_range:
            since = self._now() - SECONDS[query.time_range]
            body["startPublishedDate"] = to_rfc3339(since, since)
        if query.safe and query.safe != "off":
            body["moderation"] = True
        if query.country:
            body["userLocation"] = query.country.upper()
        response = await self._api.post("search", json=body, headers=self._headers)
        return self._api.decode(_Results, response).results


class _Page(Wire):
    title: str | None = None
    url: str = ""
    published: Text = Field(default="", alias="publishedDate")
    highlights: Items[str] = ()
    text: str | None = None
    summary: str | None = None
    author: Text = ""

    @property
    def snippet(self) -> str:
        return shorten_snippet(" … ".join(self.highlights) or self.summary or self.text)

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=self.title or self.url,
            url=self.url,
            snippet=self.snippet,
            published=to_rfc3339(self.published, now),
        )

    def to_news(self, now: float) -> NewsResult:
        return NewsResult(
            title=self.title or self.url,
            url=self.url,
            source=host_of(self.url),
            publishedAt=to_rfc3339(self.published, now),
            snippet=self.snippet,
        )

    def to_work(self) -> Work:
        doi = doi_in_url(self.url)
        date = (self.published)[:10] or None
        pmcid = pmc_id(self.url) if "/articles/PMC" in self.url else None
        return Work(
            title=self.title or self.url,
            url=self.url,
            source="exa",
            doi=doi,
            authors=tuple(name for name in re.split(r"[,;]\s+", self.author) if name),
            year=year_of(date),
            published=date,
            abstract=self.snippet,
            pdfUrl=self.url if is_pdf(self.url) else None,
            ids=present_ids(
                arxiv=arxiv_id(self.url), pmcid=pmcid, biorxiv=preprint_id(doi, self.url)
            ),
        )


class _Results(SearchPayload):
    expected_keys = ("results",)
    results: tuple[_Page, ...]
