"""Local answers: search, read, and quote the pages."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from webquarry.content.ranking.packing import PackedPart, pack_passages
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.parsing.task import ParseTask
from webquarry.providers.provider import ProviderInfo
from webquarry.services.answering.llm_answers import answer_task, supported_statements
from webquarry.services.answering.passages import best_passages
from webquarry.services.answering.statements import (
    QuotedStatement,
    Statement,
    compose_answer,
    page_citation,
)
from webquarry.services.answering.stored_answers import StoredAnswers
from webquarry.services.llm.llm_port import JsonModel
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.research.evidence import Quotable
from webquarry.services.research.ranked_sources import ReadSource
from webquarry.services.research.research_service import (
    GatheredSources,
    ResearchRequest,
    ResearchService,
)
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

NAME = "local"
PAGES = 5
_SENTENCES = 5
_MAX_SOURCE_CHARS = 24_000  # of all sources together, for the model
_MODEL_SECONDS = 40.0  # then the answer consists of quotations
_SUBJECT = "Quoting the sources"
_INLINE_CHARS = 65_536  # longer texts are searched by a worker process
_CPU_SECONDS = 10.0
_QUOTED = "Sentences quoted from the sources"


@dataclass(frozen=True)
class AnswerSources:
    """The pages to answer from, or why there are none."""

    sources: Sequence[ReadSource] = ()
    note: str = ""


@dataclass(frozen=True)
class _QuestionSources:
    """The sources of one question."""

    question: AnswerQuery
    sources: Sequence[ReadSource]
    pages: list[Quotable]  # for each source

    @property
    def size(self) -> int:
        """The characters of all pages."""
        return sum(len(page.text) for page in self.pages)


class LocalAnswers:
    """Answers from pages it reads; written by a language model if one is configured."""

    about: ClassVar = ProviderInfo(name=NAME, docs="docs/answers.md", base_url="")

    def __init__(
        self, research: Callable[[], ResearchService], store: Store, model: JsonModel | None = None
    ) -> None:
        self._research = research
        self._stored = StoredAnswers(store)
        self._model = model

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        """Return an answer in which every sentence cites its sources."""
        if stored := await self._stored.get(question):
            return stored
        answer = await self._answer(question)
        if answer.text:
            await self._stored.store(question, answer)
        return answer

    async def _answer(self, question: AnswerQuery) -> WrittenAnswer:
        found = await self._find(question)
        if not found.sources:
            return WrittenAnswer(text="", cost=0.0, note=found.note)
        pages = [await self._quotable(source, question.asker) for source in found.sources]
        read = _QuestionSources(question, found.sources, pages)
        if self._model is None:
            return await self._quoted(read, f"{_QUOTED}; no language model is configured.")
        try:
            return await self._written(read, self._model)
        except WebquarryError as error:
            logger.warning("no answer from the language model: %s", error)
            kind = error.advice.kind
            return await self._quoted(read, f"{_QUOTED}; the language model failed ({kind}).")

    async def _find(self, question: AnswerQuery) -> AnswerSources:
        request = ResearchRequest(query=question.text, count=PAGES)
        gathered = await self._research().gather(
            request, question.asker, question.progress, RoutingTrace()
        )
        return AnswerSources(gathered.sources, "" if gathered.sources else _no_sources(gathered))

    async def _quotable(self, source: ReadSource, caller: Caller) -> Quotable:
        return await self._research().evidence.quotable(source.reading, caller)

    async def _quoted(
        self, read: _QuestionSources, note: str, cost: float | None = 0.0
    ) -> WrittenAnswer:
        task = ParseTask(quoted_statements, _SUBJECT, _INLINE_CHARS, _CPU_SECONDS)
        statements = await self._research().parsers.compute(
            task, read.size, sources=read.sources, pages=read.pages, question=read.question.text
        )
        if statements:
            return compose_answer(statements, read.sources, cost=cost, note=note)
        return WrittenAnswer(
            text="",
            citations=tuple(map(page_citation, read.sources)),
            cost=cost,
            note=f"None of the {len(read.sources)} pages that were read mentions the question.",
        )

    async def _written(self, read: _QuestionSources, model: JsonModel) -> WrittenAnswer:
        task = ParseTask(excerpts, _SUBJECT, _INLINE_CHARS, _CPU_SECONDS)
        parsers, question = self._research().parsers, read.question.text
        texts = await parsers.compute(task, read.size, pages=read.pages, question=question)
        titles = [source.title for source in read.sources]
        try:
            async with asyncio.timeout(_MODEL_SECONDS):
                prompt = answer_task(question, titles, texts)
                written = await model.answer(prompt, read.question.asker)
        except TimeoutError:
            return await self._quoted(read, f"{_QUOTED}; the language model took too long.", None)
        cost = written.usage.cost_usd
        checking = ParseTask(supported_statements, _SUBJECT, _INLINE_CHARS, _CPU_SECONDS)
        supported, dropped = await parsers.compute(
            checking, read.size, data=written.data, pages=read.pages
        )
        if not supported:
            reason = (
                "what the language model wrote is not in them" if dropped else "it wrote nothing"
            )
            return await self._quoted(read, f"{_QUOTED}; {reason}.", cost)
        total = len(supported) + dropped
        note = f"Left out {dropped} of {total} sentences that no source supports."
        return compose_answer(supported, read.sources, cost=cost, note=note if dropped else None)


def quoted_statements(
    _content: bytes, *, sources: Sequence[ReadSource], pages: Sequence[Quotable], question: str
) -> list[Statement]:
    """Return the best sentences that are quotable from their pages."""
    found: list[Statement] = []
    for passage in best_passages(sources, question, _SENTENCES):
        anchor = pages[passage.source].anchor(passage.text)
        if anchor:
            quoted = f"\u201c{anchor.quote}\u201d"
            found.append(Statement(quoted, (QuotedStatement(passage.source, anchor),)))
    return found


def excerpts(_content: bytes, *, pages: Sequence[Quotable], question: str) -> list[str]:
    """Return the passages of each page that are most relevant to the question."""
    max_chars = _MAX_SOURCE_CHARS // len(pages)
    terms = [QueryTerms(question)]
    return [pack_passages([_part(page)], terms, max_chars, len).text for page in pages]


def _part(page: Quotable) -> PackedPart:
    return PackedPart("", page.text.replace("\n", "\n\n"), 1.0)


def _no_sources(gathered: GatheredSources) -> str:
    if not gathered.search_results.items:
        return "The search found nothing; rephrase the question."
    kinds = Counter(failure.kind for failure in gathered.failures)
    reasons = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
    return (
        f"None of the {len(gathered.search_results.items)} pages found could be read ({reasons})."
    )
