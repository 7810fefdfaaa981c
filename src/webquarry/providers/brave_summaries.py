"""Brave's summaries: a search offers a key, a second call trades it for the text."""

from collections.abc import Mapping
from typing import Any, cast

from webquarry.content.text.snippets import plain
from webquarry.errors import ProviderError
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.api import UpstreamApi
from webquarry.net.upstream.http_port import Request
from webquarry.providers.capabilities_synthesis import WRITING, fitting
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

_MOST = 400  # characters
_COUNT = 5


class BraveSummaries:
    """Answers questions; the key it uses needs a plan with summaries."""

    def __init__(self, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        self._headers = headers

    async def answer(self, question: AnswerQuery) -> WrittenAnswer:
        """Return the summary, and the pages it was made of."""
        text = fitting(question.text, _MOST, "brave")
        params = {"q": text, "count": _COUNT, "summary": 1, "text_decorations": False}
        response = await self._api.get("res/v1/web/search", params=params, headers=self._headers)
        found = self._api.decode(_Offered, response)
        key = found.summarizer.key if found.summarizer else None
        if not key:
            note = "brave offers no summary of this question, or not with this plan."
            return WrittenAnswer(text="", citations=found.pages, note=note)
        return await self._summary(key, found.pages)

    async def _summary(self, key: str, pages: tuple[AnswerCitation, ...]) -> WrittenAnswer:
        request = Request(
            url=f"{self._api.base_url}/res/v1/summarizer/search",
            params={"key": key, "entity_info": 0},
            headers=self._headers,
        )
        response = await self._api.send(request, limits=WRITING)
        told = self._api.decode(_Summary, response)
        if told.status == "failed":
            raise ProviderError(
                "Summary failed (brave). Retry, or try a different provider.", provider="brave"
            )
        text = told.text
        sources = told.enrichments.sources if told.enrichments else ()
        note = None if text else "brave wrote no summary of this question."
        return WrittenAnswer(text=text, citations=sources or pages, note=note)


class _Key(Wire):
    key: str | None = None


class _Page(Wire):
    title: str | None = None
    url: str | None = None
    page_age: str | None = None

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(
            title=plain(self.title) or None, url=self.url or "", publishedDate=self.page_age or None
        )


class _Section(Wire):
    results: tuple[_Page, ...] | None = None


class _Offered(SearchPayload):
    marks = ("web", "query", "summarizer")
    summarizer: _Key | None = None
    web: _Section | None = None

    @property
    def pages(self) -> tuple[AnswerCitation, ...]:
        listed = (self.web.results if self.web else None) or ()
        return tuple(page.to_citation() for page in listed if page.url)


class _Part(Wire):
    type: str | None = None
    data: Any = None

    @property
    def text(self) -> str:
        if isinstance(self.data, str):
            # the value of the other texts is the kind of a list
            return self.data if self.type == "token" else ""
        if not isinstance(self.data, dict):
            return ""
        named = cast("dict[str, Any]", self.data)
        told = (named.get("name"), named.get("text"))
        return "\n- " + ": ".join(part for part in told if isinstance(part, str) and part)


class _Enrichments(Wire):
    raw: str | None = None
    context: tuple[_Page, ...] | None = None

    @property
    def sources(self) -> tuple[AnswerCitation, ...]:
        return tuple(page.to_citation() for page in self.context or () if page.url)


class _Summary(SearchPayload):
    marks = ("summary", "status")
    status: str | None = None
    summary: tuple[_Part, ...] | None = None
    enrichments: _Enrichments | None = None

    @property
    def text(self) -> str:
        whole = (self.enrichments.raw if self.enrichments else None) or ""
        return whole.strip() or "".join(part.text for part in self.summary or ()).strip()
