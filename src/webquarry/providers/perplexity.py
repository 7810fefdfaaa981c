"""Perplexity, and whoever answers in its way (https://docs.perplexity.ai/docs/sonar)."""

import re
from typing import Any, ClassVar, cast

from webquarry.models.synthesis import AnswerCitation, AnswerQuery, WrittenAnswer
from webquarry.net.upstream.http_port import Request
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_synthesis import WRITING
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SearchPayload
from webquarry.settings.variable import Variable

_KEY = "PERPLEXITY_API_KEY"
_MODEL = "PERPLEXITY_MODEL"
_USUAL = "sonar"
_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)  # of models that reason aloud


class Perplexity:
    """Answers questions over chat completions that search the web by themselves."""

    about: ClassVar = ProviderInfo(
        name="perplexity",
        docs="https://docs.perplexity.ai/docs/sonar/openai-compatibility",
        base_url="https://api.perplexity.ai",
        variables=(
            Variable(_KEY, "Key of Perplexity, or of a service like it.", secret=True),
            Variable(_MODEL, "Model that answers.", default_text=_USUAL),
        ),
        requires=(_KEY,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WRITING)
        self._headers = {"Authorization": f"Bearer {keys[_KEY]}"}
        self._model = keys.get(_MODEL) or _USUAL

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        request = Request(
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
        return AnswerCitation(
            title=self.title or None, url=self.url or "", publishedDate=self.date or None
        )


class _Annotation(Wire):
    url_citation: _Page | None = None


class _Message(Wire):
    content: str | None
    annotations: tuple[_Annotation, ...] | None = None


class _Choice(Wire):
    message: _Message


class _Usage(Wire):
    cost: Any = None  # a number, or an object with the total in it


class _Completion(SearchPayload):
    marks = ("choices",)
    choices: tuple[_Choice, ...]
    citations: tuple[str, ...] | None = None
    search_results: tuple[_Page, ...] | None = None
    usage: _Usage | None = None

    @property
    def text(self) -> str:
        said = (self.choices[0].message.content or "") if self.choices else ""
        return _THOUGHTS.sub("", said).strip()

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
        marks = (self.choices[0].message.annotations or ()) if self.choices else ()
        return tuple(mark.url_citation for mark in marks if mark.url_citation)

    @property
    def cost(self) -> float | None:
        told: Any = self.usage.cost if self.usage else None
        if isinstance(told, dict):
            told = cast("dict[str, Any]", told).get("total_cost")
        return float(told) if isinstance(told, int | float) else None

    @property
    def note(self) -> str | None:
        if not self.text:
            return "perplexity wrote no answer to this question."
        return None if self.sources else "perplexity names no sources for this answer."
