"""Perplexity and compatible services (https://docs.perplexity.ai/docs/sonar)."""

import re
from typing import Any, ClassVar, cast

from webquarry.models.model import Items
from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_synthesis import WRITING_LIMITS
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SearchPayload
from webquarry.settings.variable import Variable

_KEY = "PERPLEXITY_API_KEY"
_MODEL = "PERPLEXITY_MODEL"
_DEFAULT_MODEL = "sonar"
_REASONING = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)  # some models include it


class Perplexity:
    """Answers questions with a chat model that searches the web."""

    about: ClassVar = ProviderInfo(
        name="perplexity",
        docs="https://docs.perplexity.ai/docs/sonar/openai-compatibility",
        base_url="https://api.perplexity.ai",
        variables=(
            Variable(_KEY, "API key for Perplexity or a compatible service.", secret=True),
            Variable(_MODEL, "Model that writes the answers.", default_text=_DEFAULT_MODEL),
        ),
        requires=(_KEY,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WRITING_LIMITS)
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}
        self._model = keys.get(_MODEL) or _DEFAULT_MODEL

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        request = ApiRequest(
            method="POST",
            url=f"{self._api.base_url}/chat/completions",
            headers=self._headers,
            json={
                "model": self._model,
                "messages": [{"role": "user", "content": question.text}],
                "stream": False,
            },
        )
        written = self._api.decode(_Completion, await self._api.send(request))
        return WrittenAnswer(
            text=written.text, citations=written.sources, cost=written.cost, note=written.note
        )


class _Page(Wire):
    title: str | None = None
    url: str | None = None
    date: str | None = None

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(title=self.title, url=self.url or "", publishedDate=self.date)


class _Annotation(Wire):
    url_citation: _Page | None = None


class _Message(Wire):
    content: str | None
    annotations: Items[_Annotation] = ()


class _Choice(Wire):
    message: _Message


class _Usage(Wire):
    cost: Any = None  # a number, or an object with the total in it


class _Completion(SearchPayload):
    expected_keys = ("choices",)
    choices: tuple[_Choice, ...]
    citations: Items[str] = ()
    search_results: Items[_Page] = ()
    usage: _Usage | None = None

    @property
    def text(self) -> str:
        content = (self.choices[0].message.content or "") if self.choices else ""
        return _REASONING.sub("", content).strip()

    @property
    def sources(self) -> tuple[AnswerCitation, ...]:
        """The pages in the order of the numbers in the text."""
        known = {page.url: page for page in self._pages if page.url}
        listed = self.citations or tuple(known)
        return tuple(known.get(url, _Page(url=url)).to_citation() for url in listed if url)

    @property
    def _pages(self) -> tuple[_Page, ...]:
        if self.search_results:
            return self.search_results
        annotations = (self.choices[0].message.annotations) if self.choices else ()
        return tuple(each.url_citation for each in annotations if each.url_citation)

    @property
    def cost(self) -> float | None:
        cost: Any = self.usage.cost if self.usage else None
        if isinstance(cost, dict):
            cost = cast("dict[str, Any]", cost).get("total_cost")
        return float(cost) if isinstance(cost, int | float) else None

    @property
    def note(self) -> str | None:
        if not self.text:
            return "perplexity wrote no answer to this question."
        return None if self.sources else "perplexity names no sources for this answer."
