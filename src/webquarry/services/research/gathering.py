"""Searching and reading in one step: the sources of a question, best first."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from webquarry.content.claims import Claim, stems
from webquarry.content.prose import Block, blocks_of, visible_text
from webquarry.content.quality import RELEVANT
from webquarry.content.relevance import Question
from webquarry.models.caller import Caller
from webquarry.models.research import Anchor, Failure
from webquarry.models.search import WebQuery, WebResult
from webquarry.services.reading_many import Outcome, ScrapesPages, Wish, read_many
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.finding import Finding
from webquarry.services.research.sources import (
    Source,
    judged,
    merged,
    ranked,
    without_repetition,
)
from webquarry.services.searching import Trace
from webquarry.services.searching.sources import Found

_NEARLY = 0.5  # of the best sentence: the share of a claim that makes one worth showing
_QUOTED = 3  # passages quoted of a source when there is no claim
# a list of others' works says nothing itself
_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references|bibliography|works cited|literature cited)\s*:?$", re.I
)

Tells = Callable[[float, float, str], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What the operator chose."""

    recommend: bool = True
    components: bool = False
    seconds: float = 50.0  # for one call, below the deadline of its tool
    least_seconds: float = 5.0  # for reading, however long the search took


@dataclass(frozen=True, kw_only=True)
class Ask:
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
    def questions(self) -> list[Question]:
        """What passages are chosen by."""
        return [Question(text) for text in (self.claim, self.query) if text]


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a source has to say about the claim, or the query when there is none."""

    signal: str = ""
    sentences: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """What was found, read and kept."""

    found: Found[WebResult]
    sources: list[Source]
    told: list[Told]  # of each source
    failures: list[Failure]
    read: int
    copies: int = 0
    filtered: tuple[str, ...] = ()


class Research:
    """Finds pages and reads them for callers."""

    def __init__(
        self,
        finding: Finding,
        reading: ScrapesPages,
        evidence: Evidence,
        *,
        rules: Rules | None = None,
        today: Callable[[], float] = time.time,
    ) -> None:
        self.rules = rules or Rules()
        self.evidence = evidence
        self._finding = finding
        self._reading = reading
        self._today = today

    async def gather(self, ask: Ask, caller: Caller, tell: Tells, trace: Trace) -> Gathered:
        """Search, read what was found a few pages at a time, and judge it."""
        began = time.monotonic()
        query = WebQuery(text=ask.query, count=ask.count, asker=caller)
        found = await self._finding.web(query, caller, only=ask.provider, trace=trace)
        left = self.rules.seconds - (time.monotonic() - began)
        wish = Wish(length=ask.length, seconds=max(left, self.rules.least_seconds))
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
        return Gathered(
            found=found,
            sources=kept,
            told=told,
            failures=failures,
            read=len(sources),
            copies=sum(len(source.copies) for source in kept),
            filtered=tuple(filtered),
        )

    async def _read(
        self, found: Found[WebResult], caller: Caller, wish: Wish, tell: Tells
    ) -> list[Outcome]:
        urls = [item.url for item in found.items]
        outcomes: list[Outcome] = []
        await tell(0, len(urls), f"{found.provider} found {len(urls)} pages")
        async with aclosing(read_many(self._reading, urls, caller, wish)) as finished:
            async for outcome in finished:
                outcomes.append(outcome)
                did = f"not read ({outcome.failure.kind})" if outcome.failure else "read"
                await tell(len(outcomes), len(urls), f"{did}: {outcome.url}")
        return sorted(outcomes, key=lambda outcome: outcome.place)

    async def _anchored(self, source: Source, told: Told, ask: Ask, caller: Caller) -> Told:
        quotable = await self.evidence.quotable(source.reading, caller)
        passages = told.sentences or tuple(_evidence(ask.query, prose_of(source), _QUOTED))
        anchors = await asyncio.to_thread(quotable.anchors, passages)
        return replace(told, anchors=tuple(anchors))


def _sources(outcomes: Iterable[Outcome], results: Sequence[WebResult]) -> Iterable[Source]:
    for outcome in outcomes:
        scraped = outcome.scraped
        if scraped and scraped.reading:
            yield Source(
                place=outcome.place,
                result=results[outcome.place],
                page=scraped.page,
                reading=scraped.reading,
                content=scraped.page.content,
            )


def _chosen(sources: list[Source], ask: Ask, now: float) -> tuple[list[Source], list[str]]:
    """Return the sources to hand out, best first, and the addresses of those off the topic."""
    question = Question(ask.query)
    known = [judged(source, question, now) for source in sources]
    kept = ranked(merged(known) if ask.once else known)
    filtered: list[str] = []
    if ask.only_relevant:
        filtered = [source.url for source in kept if not _is_relevant(source)]
        kept = [source for source in kept if _is_relevant(source)]
    return (without_repetition(kept) if ask.once else kept), filtered


def _is_relevant(source: Source) -> bool:
    return source.scores is not None and source.scores.relevance >= RELEVANT


def _told(sources: Iterable[Source], ask: Ask) -> list[Told]:
    if not ask.claim:
        return [Told() for _ in sources]
    claim = Claim(ask.claim)
    found = [_evidence(ask.claim, prose_of(source), 5) for source in sources]
    # the strongest sentence is among the strong ones: no need to look at the whole page again
    return [Told(signal=claim.signal("\n".join(best)), sentences=tuple(best)) for best in found]


def _evidence(claim: str, text: str, most: int) -> list[str]:
    """Return the sentences about a claim, each once; those that only share a word with it go."""
    question = Question(claim)
    found = {sentence: question.share(stems(sentence)) for sentence in
             Claim(claim).evidence(text, most)}  # fmt: skip
    least = _NEARLY * max(found.values(), default=0.0)
    return [sentence for sentence, share in found.items() if share >= least]


def prose_of(source: Source) -> str:
    """Return what the source itself says: neither headings nor code nor its references."""
    text = "\n\n".join(
        block.text
        for block in _before_references(blocks_of(source.reading.markdown))
        if not (block.is_heading or block.is_code)
    )
    return visible_text(text)


def _before_references(blocks: list[Block]) -> list[Block]:
    for place, block in enumerate(blocks):
        if place > len(blocks) // 3 and _REFERENCES.match(visible_text(block.text)):
            return blocks[:place]
    return blocks
