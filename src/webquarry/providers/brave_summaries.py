"""Brave summaries: a search returns a key, a second request the summary for it."""

from collections.abc import Mapping
from typing import Any, cast

from webquarry.content.text.snippets import plain_text
from webquarry.errors import ProviderError
from webquarry.models.model import Items, Text
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.api import UpstreamApi
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.providers.capabilities_synthesis import WRITING_LIMITS, check_length
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

_MAX_CHARS = 400  # characters
_RESULTS = 5


class BraveSummaries:
    """Answers questions; needs a Brave plan with summaries."""

    def __init__(self, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        self._headers = headers

    async def answer(self, question: AnswerQuery) -> WrittenAnswer:
        """Return the summary and its source pages."""
        text = check_length(question.text, _MAX_CHARS, "brave")
        params = {"q": text, "count": _RESULTS, "summary": 1, "text_decorations": False}
        response = await self._api.get("res/v1/web/search", params=params, headers=self._headers)
        found = self._api.decode(_SearchWithKey, response)
        key = found.summarizer.key if found.summarizer else None
        if not key:
            note = "brave offers no summary of this question, or not with this plan."
            return WrittenAnswer(text="", citations=found.pages, note=note)
        return await self._summary(key, found.pages)

    async def _summary(self, key: str, pages: tuple[AnswerCitation, ...]) -> WrittenAnswer:
        request = ApiRequest(
            url=f"{self._api.base_url}/res/v1/summarizer/search",
            params={"key": key, "entity_info": 0},
            headers=self._headers,
        )
        response = await self._api.send(request, limits=WRITING_LIMITS)
        summary = self._api.decode(_Summary, response)
        if summary.status == "failed":
            raise ProviderError(
                "Summary failed (brave). Retry, or try a different provider.", provider="brave"
            )
        text = summary.text
        sources = summary.enrichments.sources if summary.enrichments else ()
        note = None if text else "brave wrote no summary of this question."
        return WrittenAnswer(text=text, citations=sources or pages, note=note)


class _Key(Wire):
    key: str | None = None


class _Page(Wire):
    title: str | None = None
    url: Text = ""
    page_age: str | None = None

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(
            title=plain_text(self.title),
            url=self.url,
            publishedDate=self.page_age,
        )


class _Section(Wire):
    results: Items[_Page] = ()


class _SearchWithKey(SearchPayload):
    expected_keys = ("web", "query", "summarizer")
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
            # other text parts name the type of a list
            return self.data if self.type == "token" else ""
        if not isinstance(self.data, dict):
            return ""
        named = cast("dict[str, Any]", self.data)
        parts = (named.get("name"), named.get("text"))
        return "\n- " + ": ".join(part for part in parts if isinstance(part, str) and part)


class _Enrichments(Wire):
    raw: str | None = None
    context: Items[_Page] = ()

    @property
    def sources(self) -> tuple[AnswerCitation, ...]:
        return tuple(page.to_citation() for page in self.context if page.url)


class _Summary(SearchPayload):
    expected_keys = ("summary", "status")
    status: str | None = None
    summary: Items[_Part] = ()
    enrichments: _Enrichments | None = None

    @property
    def text(self) -> str:
        raw = (self.enrichments.raw if self.enrichments else None) or ""
        return raw.strip() or "".join(part.text for part in self.summary).strip()
