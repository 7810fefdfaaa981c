"""Answers from the local index: pages that the caller has read or crawled; no network."""

from collections.abc import Callable
from typing import ClassVar

from webquarry.errors import SettingsError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.models.search import WebResult
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.providers.local import own_pages
from webquarry.providers.provider import ProviderInfo
from webquarry.services.answering.local_answers import PAGES, AnswerSources, LocalAnswers
from webquarry.services.llm.llm_port import JsonModel
from webquarry.services.research.ranked_sources import ReadSource
from webquarry.services.research.research_service import ResearchService
from webquarry.storage.indexed_page import IndexedPage, IndexQuery
from webquarry.storage.page_index import PageIndex
from webquarry.storage.store import Store

NAME = "index"


class IndexAnswers(LocalAnswers):
    """Answers from the caller's own pages only."""

    about: ClassVar = ProviderInfo(name=NAME, docs="docs/answers.md", base_url="")

    def __init__(
        self,
        research: Callable[[], ResearchService],
        store: Store,
        model: JsonModel | None = None,
        *,
        index: PageIndex | None = None,
    ) -> None:
        super().__init__(research, store, model)
        self._index = index

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        """Return an answer; it is not cached, as a page may be added at any time."""
        return await self._answer(question)

    async def _find(self, question: AnswerQuery) -> AnswerSources:
        if self._index is None:
            raise SettingsError("provider: 'index' needs the local index (LOCAL_INDEX=on)")
        query = IndexQuery(words=question.text, max_results=PAGES)
        pages = await own_pages(self._index, query, question.asker)
        if not pages:
            return AnswerSources(
                note="None of the pages that you have read or crawled has these words."
            )
        return AnswerSources([_source(number, match.page) for number, match in enumerate(pages)])


def _source(position: int, page: IndexedPage) -> ReadSource:
    title, published = page.title or page.url, page.published
    return ReadSource(
        position=position,
        result=WebResult(title=title, url=page.url, snippet="", published=published),
        reading=Reading(
            url=page.url,
            final_url=page.url,
            markdown=page.text,
            kind="html",
            metadata=PageMetadata(title=title, published=published or ""),
        ),
    )
