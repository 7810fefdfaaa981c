"""Tavily, search for language models (https://docs.tavily.com/documentation/api-reference)."""

from typing import Any, ClassVar

from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.snippets import shorten_snippet
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.model import Text
from webquarry.models.search import NewsQuery, NewsResult, WebQuery, WebResult
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.capabilities_synthesis import WRITING_LIMITS, check_length
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload
from webquarry.settings.variable import Variable

_KEY = "TAVILY_API_KEY"
_MAX_CHARS = 400
_CREDIT = 0.008  # US dollars, the pay-as-you-go price
_ANSWER_SOURCES = 5  # pages for one answer
_SUPPORT = SearchSupport(
    max_results=20,
    filters=frozenset(("time_range", "sites")),
    approximated=frozenset({"time_range=hour"}),
    max_sites=300,
    max_chars=_MAX_CHARS,
    query_operators=False,
)


class Tavily:
    """Searches the web; snippets are passages of the pages."""

    about: ClassVar = ProviderInfo(
        name="tavily",
        docs="https://docs.tavily.com/documentation/api-reference/endpoint/search",
        base_url="https://api.tavily.com",
        variables=(Variable(_KEY, "API key for Tavily.", secret=True),),
        requires=(_KEY,),
    )
    web_support: ClassVar = _SUPPORT
    news_support: ClassVar = _SUPPORT

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        pages = await self._find("general", query)
        return [page.to_web(self._now()) for page in pages if page.url]

    async def search_news(self, query: NewsQuery) -> list[NewsResult]:
        pages = await self._find("news", query)
        return [page.to_news(self._now()) for page in pages if page.url]

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        body = {
            "query": check_length(question.text, _MAX_CHARS, self.about.name),
            "topic": "general",
            "search_depth": "basic",
            "max_results": _ANSWER_SOURCES,
            "include_answer": True,
            "include_usage": True,
        }
        url = f"{self._api.base_url}/search"
        request = ApiRequest(method="POST", url=url, headers=self._headers, json=body)
        response = await self._api.send(request, limits=WRITING_LIMITS)
        return self._api.decode(_Results, response).to_answer()

    async def _find(self, topic: str, query: WebQuery | NewsQuery) -> tuple["_Page", ...]:
        body: dict[str, Any] = {
            "query": query.text,
            "topic": topic,
            "search_depth": "basic",
            "max_results": query.count,
        }
        if query.time_range:
            body["time_range"] = "day" if query.time_range == "hour" else query.time_range
        if query.sites:
            body["include_domains"] = list(query.sites)
        response = await self._api.post("search", json=body, headers=self._headers)
        return self._api.decode(_Results, response).results


class _Page(Wire):
    title: str | None = None
    url: str = ""
    content: str | None = None
    published_date: str | None = None

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(title=self.title, url=self.url, publishedDate=self.published_date)

    def to_web(self, now: float) -> WebResult:
        return WebResult(
            title=self.title or self.url,
            url=self.url,
            snippet=shorten_snippet(self.content),
            published=to_rfc3339(self.published_date, now),
        )

    def to_news(self, now: float) -> NewsResult:
        return NewsResult(
            title=self.title or self.url,
            url=self.url,
            source=host_of(self.url),
            publishedAt=to_rfc3339(self.published_date, now),
            snippet=shorten_snippet(self.content),
        )


class _Usage(Wire):
    credits: float | None = None


class _Results(SearchPayload):
    expected_keys = ("results",)
    results: tuple[_Page, ...]
    answer: Text = ""
    usage: _Usage | None = None

    def to_answer(self) -> WrittenAnswer:
        text = (self.answer).strip()
        credit = self.usage.credits if self.usage else None
        return WrittenAnswer(
            text=text,
            citations=tuple(page.to_citation() for page in self.results if page.url),
            cost=None if credit is None else round(credit * _CREDIT, 6),
            note=None if text else "tavily wrote no answer to this question.",
        )
