"""Runs the queries that would fill the gaps of a research, and tells what each brought."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.ranking.result_urls import within
from webquarry.content.ranking.source_type import classify
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.session import (
    ProviderCall,
    Refined,
    ResearchSource,
    ToolFailure,
    ToolFindings,
)
from webquarry.observe.provider_log import collecting
from webquarry.services.searching.service import SearchService

MOST_RUNS = 3
_RESULTS = 5
_WITHOUT = "-site:"


@dataclass(frozen=True)
class _Run:
    """One query: its results or its error, and who was asked."""

    query: str
    asks: list[ProviderCall]
    results: list[WebResult]
    error: WebquarryError | None = None

    def told(self) -> Refined:
        if self.error:
            return Refined(query=self.query, error=str(self.error))
        listed = [{"title": r.title, "url": r.url, "snippet": r.snippet} for r in self.results]
        return Refined(query=self.query, resultCount=len(listed), results=listed)


async def refine(
    searching: SearchService, queries: Sequence[str], caller: Caller, *, step: int, at: str
) -> tuple[list[Refined], ToolFindings]:
    """Return what the first queries brought, for the caller and for the session."""
    runs = await asyncio.gather(*(_run(searching, q, caller) for q in queries[:MOST_RUNS]))
    findings = ToolFindings(
        at=at,
        tool="sequential_search",
        sources=tuple(_source(result, step) for run in runs for result in run.results),
        asks=tuple(ask for run in runs for ask in run.asks),
        mishaps=tuple(
            ToolFailure(kind=run.error.advice.kind, provider=run.error.provider)
            for run in runs
            if run.error
        ),
        searched=True,
    )
    return [run.told() for run in runs], findings


async def _run(searching: SearchService, query: str, caller: Caller) -> _Run:
    asks: list[ProviderCall] = []
    with collecting(asks):
        try:
            found = await searching.web.answer(WebQuery(text=query, count=_RESULTS, asker=caller))
        except WebquarryError as error:
            return _Run(query, asks, [], error)
    # not every engine knows the operator
    unwanted = [w.removeprefix(_WITHOUT) for w in query.split() if w.startswith(_WITHOUT)]
    kept = [item for item in found.items if not within(item.url, unwanted)]
    return _Run(query, _less(asks, len(found.items) - len(kept)), kept)


def _less(asks: list[ProviderCall], removed: int) -> list[ProviderCall]:
    """Return the questions with as much less kept as was removed from the last answer."""
    if not removed:
        return asks
    *earlier, last = asks
    fewer = {"kept": last.kept - removed, "removedBy": (*last.removedBy, "site")}
    return [*earlier, last.model_copy(update=fewer)]


def _source(result: WebResult, step: int) -> ResearchSource:
    return ResearchSource(
        url=result.url,
        title=result.title or None,
        foundInStep=step,
        published=result.published,
        sourceType=classify(result.url).sourceType,
    )
