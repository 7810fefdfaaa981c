"""Search and read in one step: the sources of a query, best first."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from webquarry.models.caller import Caller
from webquarry.models.research import SourceFailure
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.synthesis import ProgressCallback
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.read_many import ReadOptions, ReadOutcome, ScrapesPages, read_many
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.ranked_sources import RankedSource
from webquarry.services.research.source_selection import (
    ResearchRequest,
    SelectedSource,
    SourceEvidence,
    select_sources,
)
from webquarry.services.searching.search_sources import ProviderResults

# 64 KiB take about 40 ms; ten pages of 400,000 characters about 5 s
_SELECTION = ParseTask(select_sources, "Ranking the sources", inline_bytes=65_536, seconds=10.0)


@dataclass(frozen=True, kw_only=True)
class ResearchOptions:
    """Settings of the operator."""

    recommend: bool = True
    components: bool = False
    seconds: float = 50.0  # for one call; less than the deadline of the tool
    min_reading_seconds: float = 5.0  # for reading, even after a slow search


@dataclass(frozen=True, kw_only=True)
class GatheredSources:
    """The sources of a query."""

    search_results: ProviderResults[WebResult]
    sources: list[RankedSource]
    evidence: list[SourceEvidence]  # for each source
    failures: list[SourceFailure]
    pages_read: int
    copies: int = 0
    off_topic: tuple[str, ...] = ()


class ResearchService:
    """Searches pages and reads them."""

    def __init__(
        self,
        searching: CachedSearch,
        reading: ScrapesPages,
        evidence: Evidence,
        *,
        options: ResearchOptions | None = None,
        parsers: Parsers | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.options = options or ResearchOptions()
        self.evidence = evidence
        self._searching = searching
        self._reading = reading
        self.parsers = parsers or Parsers()
        self._now = now

    async def gather(
        self,
        request: ResearchRequest,
        caller: Caller,
        progress: ProgressCallback,
        trace: RoutingTrace,
    ) -> GatheredSources:
        """Search, read a few pages at a time, and score them."""
        started = time.monotonic()
        query = WebQuery(text=request.query, count=request.count, asker=caller)
        found = await self._searching.web(query, caller, only=request.provider, trace=trace)
        remaining = self.options.seconds - (time.monotonic() - started)
        options = ReadOptions(
            max_bytes=request.max_bytes, seconds=max(remaining, self.options.min_reading_seconds)
        )
        outcomes = await self._read(found, caller, options, progress)
        failures = [outcome.failure for outcome in outcomes if outcome.failure]
        sources = list(_sources(outcomes, found.items))
        selection = await self.parsers.compute(
            _SELECTION,
            sum(len(source.reading.markdown) for source in sources),
            sources=sources,
            request=request,
            now=self._now(),
        )
        kept = [_ranked(sources, selected) for selected in selection.sources]
        evidence = [selected.evidence for selected in selection.sources]
        if request.anchors:
            evidence = [
                await self._with_anchors(s, t, caller) for s, t in zip(kept, evidence, strict=True)
            ]
        return GatheredSources(
            search_results=found,
            sources=kept,
            evidence=evidence,
            failures=failures,
            pages_read=len(sources),
            copies=sum(len(source.copies) for source in kept),
            off_topic=selection.off_topic,
        )

    async def _read(
        self,
        found: ProviderResults[WebResult],
        caller: Caller,
        options: ReadOptions,
        progress: ProgressCallback,
    ) -> list[ReadOutcome]:
        urls = [item.url for item in found.items]
        outcomes: list[ReadOutcome] = []
        await progress(0, len(urls), f"{found.provider} found {len(urls)} pages")
        async with aclosing(read_many(self._reading, urls, caller, options)) as finished:
            async for outcome in finished:
                outcomes.append(outcome)
                status = f"not read ({outcome.failure.kind})" if outcome.failure else "read"
                await progress(len(outcomes), len(urls), f"{status}: {outcome.url}")
        return sorted(outcomes, key=lambda outcome: outcome.index)

    async def _with_anchors(
        self, source: RankedSource, evidence: SourceEvidence, caller: Caller
    ) -> SourceEvidence:
        quotable = await self.evidence.quotable(source.reading, caller)
        anchors = await self.evidence.anchors(quotable, evidence.to_quote)
        return replace(evidence, anchors=tuple(anchors))


def _ranked(sources: Sequence[RankedSource], selected: SelectedSource) -> RankedSource:
    """Return the source with the results of ranking."""
    source = next(each for each in sources if each.position == selected.position)
    return replace(
        source,
        score=selected.score,
        scores=selected.scores,
        copies=selected.copies,
        content=source.content if selected.content is None else selected.content,
        repeated_paragraphs=selected.repeated_paragraphs,
    )


def _sources(
    outcomes: Iterable[ReadOutcome], results: Sequence[WebResult]
) -> Iterable[RankedSource]:
    for outcome in outcomes:
        scraped = outcome.result
        if scraped and scraped.reading:
            yield RankedSource(
                position=outcome.index,
                result=results[outcome.index],
                page=scraped.page,
                reading=scraped.reading,
                content=scraped.page.content,
            )
