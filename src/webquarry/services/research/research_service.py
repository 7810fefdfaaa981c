"""Searching and reading in one step: the sources of a question, best first."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from webquarry.content.claims.claim_sentences import Claim, stems
from webquarry.content.markdown.parse import MarkdownBlock, blocks_of, visible_text
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.source_quality import RELEVANT
from webquarry.models.caller import Caller
from webquarry.models.research import Anchor, SourceFailure
from webquarry.models.search import WebQuery, WebResult
from webquarry.reading.read_many import ReadOptions, ReadOutcome, ScrapesPages, read_many
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.ranked_sources import (
    RankedSource,
    judged,
    merged,
    ranked,
    without_repetition,
)
from webquarry.services.searching.search_sources import ProviderResults
from webquarry.services.searching.service import RoutingTrace

_NEARLY = 0.5  # of the best sentence: the share of a claim that makes one worth showing
_QUOTED = 3  # passages quoted of a source when there is no claim
# a list of others' works says nothing itself
_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references|bibliography|works cited|literature cited)\s*:?$", re.I
)

Tells = Callable[[float, float, str], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class ResearchOptions:
    """What the operator chose."""

    recommend: bool = True
    components: bool = False
    seconds: float = 50.0  # for one call, below the deadline of its tool
    least_seconds: float = 5.0  # for reading, however long the search took


@dataclass(frozen=True, kw_only=True)
class ResearchRequest:
    """What to find out."""

    query: str
    count: int = 3
    provider: str | None = None
    length: int = 50_000  # bytes of each source
    claim: str = ""
    once: bool = True  # every text and paragraph only once
    only_relevant: bool = False
    anchors: bool = False

    @property
    def questions(self) -> list[QueryTerms]:
        """What passages are chosen by."""
        return [QueryTerms(text) for text in (self.claim, self.query) if text]


@dataclass(frozen=True, kw_only=True)
class ResearchProgress:
    """What a source has to say about the claim, or the query when there is none."""

    signal: str = ""
    sentences: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GatheredSources:
    """What was found, read and kept."""

    found: ProviderResults[WebResult]
    sources: list[RankedSource]
    told: list[ResearchProgress]  # of each source
    failures: list[SourceFailure]
    read: int
    copies: int = 0
    filtered: tuple[str, ...] = ()


class ResearchService:
    """Finds pages and reads them for callers."""

    def __init__(
        self,
        finding: CachedSearch,
        reading: ScrapesPages,
        evidence: Evidence,
        *,
        rules: ResearchOptions | None = None,
        today: Callable[[], float] = time.time,
    ) -> None:
        self.rules = rules or ResearchOptions()
        self.evidence = evidence
        self._finding = finding
        self._reading = reading
        self._today = today

    async def gather(
        self, ask: ResearchRequest, caller: Caller, tell: Tells, trace: RoutingTrace
    ) -> GatheredSources:
        """Search, read what was found a few pages at a time, and judge it."""
        began = time.monotonic()
        query = WebQuery(text=ask.query, count=ask.count, asker=caller)
        found = await self._finding.web(query, caller, only=ask.provider, trace=trace)
        left = self.rules.seconds - (time.monotonic() - began)
        wish = ReadOptions(length=ask.length, seconds=max(left, self.rules.least_seconds))
        outcomes = await self._read(found, caller, wish, tell)
        failures = [outcome.failure for outcome in outcomes if outcome.failure]
        sources = list(_sources(outcomes, found.items))
        # judging long pages takes a while, in which others should be served
        kept, filtered = await asyncio.to_thread(_chosen, sources, ask, self._today())
        told = await asyncio.to_thread(_told, kept, ask)
        if ask.anchors:
            told = [
                await self._anchored(s, t, ask, caller) for s, t in zip(kept, told, strict=True)
            ]
        return GatheredSources(
            found=found,
            sources=kept,
            told=told,
            failures=failures,
            read=len(sources),
            copies=sum(len(source.copies) for source in kept),
            filtered=tuple(filtered),
        )

    async def _read(
        self, found: ProviderResults[WebResult], caller: Caller, wish: ReadOptions, tell: Tells
    ) -> list[ReadOutcome]:
        urls = [item.url for item in found.items]
        outcomes: list[ReadOutcome] = []
        await tell(0, len(urls), f"{found.provider} found {len(urls)} pages")
        async with aclosing(read_many(self._reading, urls, caller, wish)) as finished:
            async for outcome in finished:
                outcomes.append(outcome)
                did = f"not read ({outcome.failure.kind})" if outcome.failure else "read"
                await tell(len(outcomes), len(urls), f"{did}: {outcome.url}")
        return sorted(outcomes, key=lambda outcome: outcome.place)

    async def _anchored(
        self, source: RankedSource, told: ResearchProgress, ask: ResearchRequest, caller: Caller
    ) -> ResearchProgress:
        quotable = await self.evidence.quotable(source.reading, caller)
        passages = told.sentences or tuple(_evidence(ask.query, prose_of(source), _QUOTED))
        anchors = await asyncio.to_thread(quotable.anchors, passages)
        return replace(told, anchors=tuple(anchors))


def _sources(
    outcomes: Iterable[ReadOutcome], results: Sequence[WebResult]
) -> Iterable[RankedSource]:
    for outcome in outcomes:
        scraped = outcome.scraped
        if scraped and scraped.reading:
            yield RankedSource(
                place=outcome.place,
                result=results[outcome.place],
                page=scraped.page,
                reading=scraped.reading,
                content=scraped.page.content,
            )


def _chosen(
    sources: list[RankedSource], ask: ResearchRequest, now: float
) -> tuple[list[RankedSource], list[str]]:
    """Return the sources to hand out, best first, and the addresses of those off the topic."""
    question = QueryTerms(ask.query)
    known = [judged(source, question, now) for source in sources]
    kept = ranked(merged(known) if ask.once else known)
    filtered: list[str] = []
    if ask.only_relevant:
        filtered = [source.url for source in kept if not _is_relevant(source)]
        kept = [source for source in kept if _is_relevant(source)]
    return (without_repetition(kept) if ask.once else kept), filtered


def _is_relevant(source: RankedSource) -> bool:
    return source.scores is not None and source.scores.relevance >= RELEVANT


def _told(sources: Iterable[RankedSource], ask: ResearchRequest) -> list[ResearchProgress]:
    if not ask.claim:
        return [ResearchProgress() for _ in sources]
    claim = Claim(ask.claim)
    found = [_evidence(ask.claim, prose_of(source), 5) for source in sources]
    # the strongest sentence is among the strong ones: no need to look at the whole page again
    return [
        ResearchProgress(signal=claim.signal("\n".join(best)), sentences=tuple(best))
        for best in found
    ]


def _evidence(claim: str, text: str, most: int) -> list[str]:
    """Return the sentences about a claim, each once; those that only share a word with it go."""
    question = QueryTerms(claim)
    found = {sentence: question.share(stems(sentence)) for sentence in
             Claim(claim).evidence(text, most)}  # fmt: skip
    least = _NEARLY * max(found.values(), default=0.0)
    return [sentence for sentence, share in found.items() if share >= least]


def prose_of(source: RankedSource) -> str:
    """Return what the source itself says: neither headings nor code nor its references."""
    text = "\n\n".join(
        block.text
        for block in _before_references(blocks_of(source.reading.markdown))
        if not (block.is_heading or block.is_code)
    )
    return visible_text(text)


def _before_references(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    for place, block in enumerate(blocks):
        if place > len(blocks) // 3 and _REFERENCES.match(visible_text(block.text)):
            return blocks[:place]
    return blocks
