"""Structured search with our own means: search, read, and take data out of what was read."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from webquarry.content.claims.text_fragments import PageText
from webquarry.errors import BadInputError
from webquarry.models.extraction import ExtractedPage
from webquarry.models.reading import ReadMode
from webquarry.models.search import NewsQuery, WebQuery, WebResult
from webquarry.models.synthesis import Structured, StructuredItem, StructuredQuery
from webquarry.providers.provider import ProviderInfo
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.reading.service import ReadingService
from webquarry.services.answering.local_answers import NAME
from webquarry.services.answering.passages import passages
from webquarry.services.cinder.cinder_pages import ReadsFormats
from webquarry.services.extraction.service import (
    ExtractionRequest,
    ExtractionService,
    LlmUsageTotal,
    wish_of,
)
from webquarry.services.research.ranked_sources import RankedSource
from webquarry.services.searching.service import RoutingTrace, SearchService

_SITES = {"github": ("github.com",)}
_CATEGORIES = ("news", *_SITES)
_SECONDS = 40.0  # for reading all pages
_SHORTEST, _LONGEST = 8, 300  # characters of a quotation worth showing
_QUOTES, _SENTENCES = 5, 3


@dataclass(frozen=True)
class StructuredDependencies:
    """What a structured search is made of, each made when it is first needed."""

    searching: Callable[[], SearchService]
    reading: Callable[[], ReadingService]
    extraction: Callable[[], ExtractionService]


class LocalStructured:
    """Finds pages and reads the fields of a schema from each."""

    about: ClassVar = ProviderInfo(name=NAME, docs="docs/answers.md", base_url="")

    def __init__(self, parts: StructuredDependencies) -> None:
        self._parts = parts

    async def search_structured(self, query: StructuredQuery) -> Structured:
        """Return the pages found, with the data each of them states."""
        if query.category and query.category not in _CATEGORIES:
            raise BadInputError(
                f"category: local has {', '.join(_CATEGORIES)}; got {query.category!r}.",
                provider=NAME,
            )
        # before anything is searched: a schema may be none that can be filled
        wish = wish_of(query.text, query.fields) if query.fields is not None else None
        found = (await self._found(query))[: query.count]
        reader = ReadsFormats(self._parts.reading(), ReadMode(source=True))
        urls = [result.url for result in found]
        outcomes: dict[int, ReadOutcome] = {}
        several = read_many(reader, urls, query.asker, ReadOptions(seconds=_SECONDS))
        async with aclosing(several) as finished:
            async for outcome in finished:
                outcomes[outcome.place] = outcome
                await query.tell(len(outcomes), len(urls), outcome.url)
        tally = LlmUsageTotal()
        items = [
            await self._item(result, outcomes[place], (query, wish), tally)
            for place, result in enumerate(found)
        ]
        return Structured(
            items=tuple(items),
            cost=tally.usage.cost_usd if tally.asked else 0.0,
            note=_unread(outcomes.values()),
        )

    async def _found(self, query: StructuredQuery) -> list[WebResult]:
        searching, trace = self._parts.searching(), RoutingTrace()
        if query.category == "news":
            news = NewsQuery(text=query.text, count=query.count, asker=query.asker)
            told = await searching.news.answer(news, only=None, trace=trace)
            return [
                WebResult(title=item.title, url=item.url, published=item.publishedAt)
                for item in told.items
            ]
        web = WebQuery(
            text=query.text,
            count=query.count,
            asker=query.asker,
            sites=_SITES.get(query.category or "", ()),
        )
        return (await searching.web.answer(web, only=None, trace=trace)).items

    async def _item(
        self,
        result: WebResult,
        outcome: ReadOutcome,
        wanted: tuple[StructuredQuery, ExtractionRequest | None],
        tally: LlmUsageTotal,
    ) -> StructuredItem:
        scraped, (query, wish) = outcome.scraped, wanted
        if scraped is None or scraped.reading is None:
            return StructuredItem(
                title=result.title or None, url=result.url, publishedDate=result.published
            )
        page, reading = scraped.page, scraped.reading
        source = RankedSource(place=0, result=result, page=page, reading=reading)
        told = [p.text for p in await asyncio.to_thread(passages, [source], query.text, _SENTENCES)]
        data = None
        if wish:
            data = await self._parts.extraction().extract(
                result.url, reading, wish, query.asker, tally
            )
        quotes = list(_quotes(data, source)) if data else []
        return StructuredItem(
            title=source.title or None,
            url=result.url,
            publishedDate=source.published,
            author=", ".join(reading.metadata.authors) or None,
            summary=data.data if data else " ".join(told) or reading.metadata.description or None,
            highlights=tuple(dict.fromkeys([*quotes[:_QUOTES], *told])) or None,
        )


def _quotes(page: ExtractedPage, source: RankedSource) -> Iterator[str]:
    """Yield what a reader of the page can see of its data, word for word."""
    shown = PageText(source.text)
    for field in (page.sources or {}).values():
        if _fits(field.quote) and field.quote != source.title and shown.span_of(field.quote):
            yield field.quote
    # what a page states for programs it mostly shows to people as well
    lines = [line for line in shown.text.splitlines() if _fits(line) and line != source.title]
    for value in _values(page.data):
        told = re.compile(rf"(?<![\w.,]){value}(?![\w]|[.,]\d)", re.IGNORECASE)
        yield from [line for line in lines if told.search(line)][:1]


def _fits(quote: str) -> bool:
    return _SHORTEST <= len(quote) <= _LONGEST


def _values(data: Any) -> Iterator[str]:
    """Yield patterns for the texts and numbers in the data, as a page may write them."""
    if isinstance(data, dict):
        for value in cast("dict[str, Any]", data).values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in cast("list[Any]", data)[:_QUOTES]:
            yield from _values(value)
    elif isinstance(data, str) and data:
        yield re.escape(data)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield re.escape(f"{data:g}").replace(r"\.", "[.,]") + (
            r"0?" if data % 1 else r"(?:[.,]0+)?"
        )


def _unread(outcomes: Collection[ReadOutcome]) -> str | None:
    """Say how many pages are listed without data because nobody could read them."""
    kinds = Counter(outcome.failure.kind for outcome in outcomes if outcome.failure)
    if not kinds:
        return None
    told = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
    return f"{kinds.total()} of {len(outcomes)} pages could not be read ({told})."
