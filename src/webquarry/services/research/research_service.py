"""Search and read in one step: the sources of a query, best first."""

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from webquarry.content.claims.claim_sentences import Claim, stems
from webquarry.content.markdown.parse import MarkdownBlock, markdown_blocks, visible_text
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.source_quality import RELEVANT
from webquarry.models.caller import Caller
from webquarry.models.research import Anchor, SourceFailure
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.synthesis import ProgressCallback
from webquarry.reading.read_many import ReadOptions, ReadOutcome, ScrapesPages, read_many
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.ranked_sources import (
    RankedSource,
    drop_repeated_paragraphs,
    merge_copies,
    rank_sources,
    score_source,
)
from webquarry.services.searching.search_sources import ProviderResults

_MIN_SHARE = 0.5  # of the coverage of the best sentence
_QUOTED_PASSAGES = 3  # of a source when there is no claim
# headings of a reference list, which is not the source's own text
_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references|bibliography|works cited|literature cited)\s*:?$", re.I
)


@dataclass(frozen=True, kw_only=True)
class ResearchOptions:
    """Settings of the operator."""

    recommend: bool = True
    components: bool = False
    seconds: float = 50.0  # for one call; less than the deadline of the tool
    min_reading_seconds: float = 5.0  # for reading, even after a slow search


@dataclass(frozen=True, kw_only=True)
class ResearchRequest:
    """A query, and how its sources are selected."""

    query: str
    count: int = 3
    provider: str | None = None
    max_bytes: int = 50_000  # of each source
    claim: str = ""
    deduplicate: bool = True  # drop copies and repeated paragraphs
    only_relevant: bool = False
    anchors: bool = False

    @property
    def query_terms(self) -> list[QueryTerms]:
        """The texts that passages are selected by."""
        return [QueryTerms(text) for text in (self.claim, self.query) if text]


@dataclass(frozen=True, kw_only=True)
class SourceEvidence:
    """Passages of a source about the claim, or about the query if there is none."""

    signal: str = ""
    sentences: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


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
        now: Callable[[], float] = time.time,
    ) -> None:
        self.options = options or ResearchOptions()
        self.evidence = evidence
        self._searching = searching
        self._reading = reading
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
        # scoring long pages would block the event loop
        kept, off_topic = await asyncio.to_thread(_selected, sources, request, self._now())
        evidence = await asyncio.to_thread(_evidence_of, kept, request)
        if request.anchors:
            evidence = [
                await self._with_anchors(s, t, request, caller)
                for s, t in zip(kept, evidence, strict=True)
            ]
        return GatheredSources(
            search_results=found,
            sources=kept,
            evidence=evidence,
            failures=failures,
            pages_read=len(sources),
            copies=sum(len(source.copies) for source in kept),
            off_topic=tuple(off_topic),
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
        self,
        source: RankedSource,
        evidence: SourceEvidence,
        request: ResearchRequest,
        caller: Caller,
    ) -> SourceEvidence:
        quotable = await self.evidence.quotable(source.reading, caller)
        passages = evidence.sentences or tuple(
            _sentences(request.query, prose_of(source), _QUOTED_PASSAGES)
        )
        anchors = await asyncio.to_thread(quotable.anchors, passages)
        return replace(evidence, anchors=tuple(anchors))


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


def _selected(
    sources: list[RankedSource], request: ResearchRequest, now: float
) -> tuple[list[RankedSource], list[str]]:
    """Return the sources to report, best first, and the URLs of those off topic."""
    question = QueryTerms(request.query)
    known = [score_source(source, question, now) for source in sources]
    kept = rank_sources(merge_copies(known) if request.deduplicate else known)
    off_topic: list[str] = []
    if request.only_relevant:
        off_topic = [source.url for source in kept if not _is_relevant(source)]
        kept = [source for source in kept if _is_relevant(source)]
    return (drop_repeated_paragraphs(kept) if request.deduplicate else kept), off_topic


def _is_relevant(source: RankedSource) -> bool:
    return source.scores is not None and source.scores.relevance >= RELEVANT


def _evidence_of(sources: Iterable[RankedSource], request: ResearchRequest) -> list[SourceEvidence]:
    if not request.claim:
        return [SourceEvidence() for _ in sources]
    claim = Claim(request.claim)
    found = [_sentences(request.claim, prose_of(source), 5) for source in sources]
    # the best sentence is among these: no need to search the page again
    return [
        SourceEvidence(signal=claim.best_sentence("\n".join(best)), sentences=tuple(best))
        for best in found
    ]


def _sentences(claim: str, text: str, max_count: int) -> list[str]:
    """Return the sentences that cover the claim about as well as the best one."""
    question = QueryTerms(claim)
    found = {sentence: question.coverage(stems(sentence)) for sentence in
             Claim(claim).evidence(text, max_count)}  # fmt: skip
    minimum = _MIN_SHARE * max(found.values(), default=0.0)
    return [sentence for sentence, share in found.items() if share >= minimum]


def prose_of(source: RankedSource) -> str:
    """Return the prose of the source, without headings, code and references."""
    text = "\n\n".join(
        block.text
        for block in _before_references(markdown_blocks(source.reading.markdown))
        if not (block.is_heading or block.is_code)
    )
    return visible_text(text)


def _before_references(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    for position, block in enumerate(blocks):
        if position > len(blocks) // 3 and _REFERENCES.match(visible_text(block.text)):
            return blocks[:position]
    return blocks
