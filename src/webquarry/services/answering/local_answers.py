"""Answers with our own means: search, read, and quote what the pages say."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from webquarry.content.ranking.packing import PackedPart, combine
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.providers.provider import ProviderInfo
from webquarry.services.answering.llm_answers import grounded, task
from webquarry.services.answering.passages import passages
from webquarry.services.answering.statements import QuotedStatement, Statement, cited_page, composed
from webquarry.services.answering.stored_answers import StoredAnswers
from webquarry.services.llm.llm_port import JsonModel
from webquarry.services.research.evidence import Quotable
from webquarry.services.research.ranked_sources import RankedSource
from webquarry.services.research.research_service import (
    GatheredSources,
    ResearchRequest,
    ResearchService,
)
from webquarry.services.searching.service import RoutingTrace
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

NAME = "local"
_PAGES = 5
_SENTENCES = 5
_ROOM = 24_000  # characters of the sources that a model reads
_PATIENCE = 40.0  # seconds for the model, after which quotations must do
_QUOTED = "Sentences quoted from the sources"


@dataclass(frozen=True)
class _Read:
    """What was found for one question."""

    question: AnswerQuery
    sources: list[RankedSource]
    pages: list[Quotable]  # of each source


class LocalAnswers:
    """Answers from pages that it reads itself; a language model, where there is one, writes."""

    about: ClassVar = ProviderInfo(name=NAME, docs="docs/answers.md", base_url="")

    def __init__(
        self, research: Callable[[], ResearchService], store: Store, model: JsonModel | None = None
    ) -> None:
        self._research = research
        self._kept = StoredAnswers(store)
        self._model = model

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        """Return an answer of which every sentence names what it rests on."""
        if kept := await self._kept.find(question):
            return kept
        answered = await self._answer(question)
        if answered.text:
            await self._kept.keep(question, answered)
        return answered

    async def _answer(self, question: AnswerQuery) -> WrittenAnswer:
        research = self._research()
        ask = ResearchRequest(query=question.text, count=_PAGES)
        gathered = await research.gather(ask, question.asker, question.tell, RoutingTrace())
        if not gathered.sources:
            return WrittenAnswer(text="", cost=0.0, note=_nothing(gathered))
        pages = [await self._quotable(source, question.asker) for source in gathered.sources]
        read = _Read(question, gathered.sources, pages)
        if self._model is None:
            return await self._quoted(read, f"{_QUOTED}; no language model is configured.")
        try:
            return await self._written(read, self._model)
        except WebquarryError as error:
            logger.warning("no answer from the language model: %s", error)
            kind = error.advice.kind
            return await self._quoted(read, f"{_QUOTED}; the language model failed ({kind}).")

    async def _quotable(self, source: RankedSource, caller: Caller) -> Quotable:
        return await self._research().evidence.quotable(source.reading, caller)

    async def _quoted(self, read: _Read, note: str, cost: float | None = 0.0) -> WrittenAnswer:
        statements = await asyncio.to_thread(_statements, read)
        if statements:
            return composed(statements, read.sources, cost=cost, note=note)
        return WrittenAnswer(
            text="",
            citations=tuple(map(cited_page, read.sources)),
            cost=cost,
            note=f"None of the {len(read.sources)} pages that were read speaks of the question.",
        )

    async def _written(self, read: _Read, model: JsonModel) -> WrittenAnswer:
        texts = await asyncio.to_thread(_excerpts, read)
        titles = [source.title for source in read.sources]
        asked = task(read.question.text, titles, texts)
        try:
            async with asyncio.timeout(_PATIENCE):
                written = await model.answer(asked, read.question.asker)
        except TimeoutError:
            return await self._quoted(read, f"{_QUOTED}; the language model took too long.", None)
        cost = written.usage.cost_usd
        kept, dropped = await asyncio.to_thread(grounded, written.data, read.pages)
        if not kept:
            why = "what the language model wrote is not in them" if dropped else "it wrote nothing"
            return await self._quoted(read, f"{_QUOTED}; {why}.", cost)
        total = len(kept) + dropped
        note = f"Left out, as no source says them: {dropped} of {total} sentences."
        return composed(kept, read.sources, cost=cost, note=note if dropped else None)


def _statements(read: _Read) -> list[Statement]:
    """Return the best sentences that can be found again on their pages."""
    found: list[Statement] = []
    for passage in passages(read.sources, read.question.text, _SENTENCES):
        anchor = read.pages[passage.source].anchor(passage.text)
        if anchor:
            quoted = f"\u201c{anchor.quote}\u201d"
            found.append(Statement(quoted, (QuotedStatement(passage.source, anchor),)))
    return found


def _excerpts(read: _Read) -> list[str]:
    """Return of each page what says most about the question."""
    room = _ROOM // len(read.pages)
    asked = [QueryTerms(read.question.text)]
    return [
        combine([PackedPart("", page.text.text.replace("\n", "\n\n"), 1.0)], asked, room, len).text
        for page in read.pages
    ]


def _nothing(gathered: GatheredSources) -> str:
    if not gathered.found.items:
        return "The search found nothing; rephrase the question."
    kinds = Counter(failure.kind for failure in gathered.failures)
    told = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
    return f"None of the {len(gathered.found.items)} pages found could be read ({told})."
