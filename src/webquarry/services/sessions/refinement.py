"""Runs the suggested queries of a research session."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.ranking.result_urls import is_on_site
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
from webquarry.observe.call_context import collect_provider_calls
from webquarry.services.searching.service import SearchService

MAX_QUERIES = 3
_RESULTS = 5
_EXCLUDED_SITE = "-site:"


@dataclass(frozen=True)
class _Run:
    """One query: its results or its error, and the provider calls."""

    query: str
    calls: list[ProviderCall]
    results: list[WebResult]
    error: WebquarryError | None = None

    def refined(self) -> Refined:
        if self.error:
            return Refined(query=self.query, error=str(self.error))
        listed = [{"title": r.title, "url": r.url, "snippet": r.snippet} for r in self.results]
        return Refined(query=self.query, resultCount=len(listed), results=listed)


async def refine(
    searching: SearchService, queries: Sequence[str], caller: Caller, *, step: int, at: str
) -> tuple[list[Refined], ToolFindings]:
    """Return the results of the first queries, for the caller and for the session."""
    runs = await asyncio.gather(*(_run(searching, q, caller) for q in queries[:MAX_QUERIES]))
    findings = ToolFindings(
        at=at,
        tool="sequential_search",
        sources=tuple(_source(result, step) for run in runs for result in run.results),
        asks=tuple(call for run in runs for call in run.calls),
        mishaps=tuple(
            ToolFailure(kind=run.error.advice.kind, provider=run.error.provider)
            for run in runs
            if run.error
        ),
        searched=True,
    )
    return [run.refined() for run in runs], findings


async def _run(searching: SearchService, query: str, caller: Caller) -> _Run:
    calls: list[ProviderCall] = []
    with collect_provider_calls(calls):
        try:
            found = await searching.web.search(WebQuery(text=query, count=_RESULTS, asker=caller))
        except WebquarryError as error:
            return _Run(query, calls, [], error)
    # not every engine supports the operator
    excluded = [
        w.removeprefix(_EXCLUDED_SITE) for w in query.split() if w.startswith(_EXCLUDED_SITE)
    ]
    kept = [item for item in found.items if not is_on_site(item.url, excluded)]
    return _Run(query, _with_removed(calls, len(found.items) - len(kept)), kept)


def _with_removed(calls: list[ProviderCall], removed: int) -> list[ProviderCall]:
    """Return the calls; the last one with the results removed from it."""
    if not removed:
        return calls
    *earlier, last = calls
    update = {"kept": last.kept - removed, "removedBy": (*last.removedBy, "site")}
    return [*earlier, last.model_copy(update=update)]


def _source(result: WebResult, step: int) -> ResearchSource:
    return ResearchSource(
        url=result.url,
        title=result.title,
        foundInStep=step,
        published=result.published,
        sourceType=classify(result.url).sourceType,
    )
