"""Local structured search: search, read, and extract data from the pages."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Concatenate, cast

from webquarry.content.claims.text_fragments import PageText
from webquarry.errors import BadInputError
from webquarry.models.extraction import ExtractedPage
from webquarry.models.reading import ReadMode
from webquarry.models.search import NewsQuery, WebQuery, WebResult
from webquarry.models.synthesis import Structured, StructuredItem, StructuredQuery
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import P, ParseTask
from webquarry.providers.provider import ProviderInfo
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.reading.service import ReadingService
from webquarry.services.answering.local_answers import NAME
from webquarry.services.answering.passages import best_passages
from webquarry.services.cinder.cinder_pages import ReadsFormats
from webquarry.services.extraction.service import (
    ExtractionRequest,
    ExtractionService,
    LlmUsageTotal,
    extraction_request,
)
from webquarry.services.research.ranked_sources import RankedSource, ReadSource
from webquarry.services.searching.service import SearchService

_SITES = {"github": ("github.com",)}
_CATEGORIES = ("news", *_SITES)
_SECONDS = 40.0  # for reading all pages
_MIN_QUOTE, _MAX_QUOTE = 8, 300  # characters
_QUOTES, _SENTENCES = 5, 3
_INLINE_CHARS = 65_536  # longer texts are searched by a worker process


@dataclass(frozen=True)
class StructuredDependencies:
    """The services of a structured search, each built when first used."""

    searching: Callable[[], SearchService]
    reading: Callable[[], ReadingService]
    extraction: Callable[[], ExtractionService]
    parsers: Callable[[], Parsers] = Parsers


class LocalStructured:
    """Finds pages and extracts the fields of a schema from each."""

    about: ClassVar = ProviderInfo(name=NAME, docs="docs/answers.md", base_url="")

    def __init__(self, dependencies: StructuredDependencies) -> None:
        self._dependencies = dependencies

    async def search_structured(self, query: StructuredQuery) -> Structured:
        """Return the pages found, with the extracted data of each."""
        if query.category and query.category not in _CATEGORIES:
            raise BadInputError(
                f"category: local has {', '.join(_CATEGORIES)}; got {query.category!r}.",
                provider=NAME,
            )
        # first, because the schema may be invalid
        request = extraction_request(query.text, query.fields) if query.fields is not None else None
        results = (await self._search(query))[: query.count]
        outcomes = await self._read([result.url for result in results], query)
        usage = LlmUsageTotal()
        items = [
            await self._item(result, outcomes[index], query, request, usage)
            for index, result in enumerate(results)
        ]
        return Structured(
            items=tuple(items),
            cost=usage.usage.cost_usd if usage.used else 0.0,
            note=_unread(outcomes.values()),
        )

    async def _read(self, urls: list[str], query: StructuredQuery) -> dict[int, ReadOutcome]:
        reader = ReadsFormats(self._dependencies.reading(), ReadMode(keep_source=True))
        outcomes: dict[int, ReadOutcome] = {}
        reading = read_many(reader, urls, query.asker, ReadOptions(seconds=_SECONDS))
        async with aclosing(reading) as finished:
            async for outcome in finished:
                outcomes[outcome.index] = outcome
                await query.progress(len(outcomes), len(urls), outcome.url)
        return outcomes

    async def _search(self, query: StructuredQuery) -> list[WebResult]:
        searching = self._dependencies.searching()
        if query.category == "news":
            news = NewsQuery(text=query.text, count=query.count, asker=query.asker)
            news_results = await searching.news.search(news)
            return [
                WebResult(title=item.title, url=item.url, published=item.publishedAt)
                for item in news_results.items
            ]
        web = WebQuery(
            text=query.text,
            count=query.count,
            asker=query.asker,
            sites=_SITES.get(query.category or "", ()),
        )
        return (await searching.web.search(web)).items

    async def _item(
        self,
        result: WebResult,
        outcome: ReadOutcome,
        query: StructuredQuery,
        request: ExtractionRequest | None,
        usage: LlmUsageTotal,
    ) -> StructuredItem:
        scraped = outcome.result
        if scraped is None or scraped.reading is None:
            return StructuredItem(
                title=result.title, url=result.url, publishedDate=result.published
            )
        reading = scraped.reading
        source = RankedSource(position=0, result=result, page=scraped.page, reading=reading)
        parsers, size = self._dependencies.parsers(), len(reading.markdown)
        passages = await parsers.compute(
            _task(passages_of, result.url), size, source=source, query=query.text
        )
        summary: Any = " ".join(passages) or reading.metadata.description or None
        if request:
            page = await self._dependencies.extraction().extract(
                result.url, reading, request, query.asker, usage
            )
            task = _task(quotes_of, result.url)
            passages = [*await parsers.compute(task, size, source=source, page=page), *passages]
            summary = page.data
        return StructuredItem(
            title=source.title,
            url=result.url,
            publishedDate=source.published,
            author=", ".join(reading.metadata.authors),
            summary=summary,
            highlights=tuple(dict.fromkeys(passages)),
        )


def _task(
    function: Callable[Concatenate[bytes, P], list[str]], url: str
) -> ParseTask[P, list[str]]:
    return ParseTask(function, f"The page {url}", inline_bytes=_INLINE_CHARS)


def passages_of(_content: bytes, *, source: ReadSource, query: str) -> list[str]:
    """Return the sentences that are most relevant to the query."""
    return [passage.text for passage in best_passages([source], query, _SENTENCES)]


def quotes_of(_content: bytes, *, source: ReadSource, page: ExtractedPage) -> list[str]:
    """Return the first passages that contain the extracted data."""
    return list(islice(_quotes(page, source), _QUOTES))


def _quotes(page: ExtractedPage, source: ReadSource) -> Iterator[str]:
    """Yield the passages of the visible text that contain the extracted data."""
    visible = PageText(source.text)
    quotes = [field.quote for field in (page.sources or {}).values()]
    yield from (quote for quote in quotes if _is_quotable(quote, source) and visible.span_of(quote))
    # data in the markup for programs is usually visible as well
    lines = [line for line in visible.text.splitlines() if _is_quotable(line, source)]
    for value in _values(page.data):
        pattern = re.compile(rf"(?<![\w.,]){value}(?![\w]|[.,]\d)", re.IGNORECASE)
        yield from [line for line in lines if pattern.search(line)][:1]


def _is_quotable(text: str, source: ReadSource) -> bool:
    return _MIN_QUOTE <= len(text) <= _MAX_QUOTE and text != source.title


def _values(data: Any) -> Iterator[str]:
    """Yield patterns for the texts and numbers in the data, in the notations of pages."""
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
    """Return a note on the pages that could not be read."""
    kinds = Counter(outcome.failure.kind for outcome in outcomes if outcome.failure)
    if not kinds:
        return None
    reasons = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
    return f"{kinds.total()} of {len(outcomes)} pages could not be read ({reasons})."
