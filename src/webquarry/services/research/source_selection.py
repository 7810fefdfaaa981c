"""Ranks the sources that were read for a query and finds their passages about a claim.

It runs in a worker process if the sources are long: they are foreign texts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_sentences import Claim, stems
from webquarry.content.markdown.parse import MarkdownBlock, markdown_blocks, visible_text
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.source_quality import RELEVANT
from webquarry.models.research import Anchor, Scores
from webquarry.services.research.ranked_sources import (
    ReadSource,
    drop_repeated_paragraphs,
    merge_copies,
    rank_sources,
    score_source,
)

_MIN_SHARE = 0.5  # of the coverage of the best sentence
_CLAIM_PASSAGES = 5  # of a source
_QUOTED_PASSAGES = 3  # of a source when there is no claim
# headings of a reference list, which is not the source's own text
_REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references|bibliography|works cited|literature cited)\s*:?$", re.I
)


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
    to_quote: tuple[str, ...] = ()  # if anchors were requested
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SelectedSource:
    """What ranking adds to a source: the values of its fields, and its evidence."""

    position: int
    score: float
    scores: Scores | None
    copies: tuple[str, ...]
    content: str | None  # None: unchanged
    repeated_paragraphs: int
    evidence: SourceEvidence


@dataclass(frozen=True, kw_only=True)
class SourceSelection:
    """The sources to report, best first, and the URLs of those off topic."""

    sources: tuple[SelectedSource, ...]
    off_topic: tuple[str, ...]


def select_sources(
    _content: bytes, *, sources: Sequence[ReadSource], request: ResearchRequest, now: float
) -> SourceSelection:
    """Score, merge and rank the sources, and find their evidence."""
    kept, off_topic = _selected(sources, request, now)
    given = {source.position: source.content for source in sources}
    return SourceSelection(
        sources=tuple(
            SelectedSource(
                position=source.position,
                score=source.score,
                scores=source.scores,
                copies=source.copies,
                content=None if source.content == given[source.position] else source.content,
                repeated_paragraphs=source.repeated_paragraphs,
                evidence=evidence,
            )
            for source, evidence in zip(kept, _evidence_of(kept, request), strict=True)
        ),
        off_topic=tuple(off_topic),
    )


def _selected(
    sources: Sequence[ReadSource], request: ResearchRequest, now: float
) -> tuple[list[ReadSource], list[str]]:
    """Return the sources to report, best first, and the URLs of those off topic."""
    question = QueryTerms(request.query)
    known = [score_source(source, question, now) for source in sources]
    kept = rank_sources(merge_copies(known) if request.deduplicate else known)
    off_topic: list[str] = []
    if request.only_relevant:
        off_topic = [source.url for source in kept if not _is_relevant(source)]
        kept = [source for source in kept if _is_relevant(source)]
    return (drop_repeated_paragraphs(kept) if request.deduplicate else kept), off_topic


def _is_relevant(source: ReadSource) -> bool:
    return source.scores is not None and source.scores.relevance >= RELEVANT


def _evidence_of(sources: Iterable[ReadSource], request: ResearchRequest) -> list[SourceEvidence]:
    if not (request.claim or request.anchors):
        return [SourceEvidence() for _ in sources]
    return [_evidence(prose_of(source), request) for source in sources]


def _evidence(text: str, request: ResearchRequest) -> SourceEvidence:
    best = tuple(_sentences(request.claim, text, _CLAIM_PASSAGES)) if request.claim else ()
    to_quote = best if request.anchors else ()
    if request.anchors and not best:
        to_quote = tuple(_sentences(request.query, text, _QUOTED_PASSAGES))
    # the best sentence is among these: no need to search the page again
    signal = Claim(request.claim).best_sentence("\n".join(best)) if request.claim else ""
    return SourceEvidence(signal=signal, sentences=best, to_quote=to_quote)


def _sentences(claim: str, text: str, max_count: int) -> list[str]:
    """Return the sentences that cover the claim about as well as the best one."""
    question = QueryTerms(claim)
    found = {sentence: question.coverage(stems(sentence)) for sentence in
             Claim(claim).evidence(text, max_count)}  # fmt: skip
    minimum = _MIN_SHARE * max(found.values(), default=0.0)
    return [sentence for sentence, share in found.items() if share >= minimum]


def prose_of(source: ReadSource) -> str:
    """Return the prose of the source, without headings, code and references."""
    text = "\n\n".join(
        block.text
        for block in _before_references(markdown_blocks(source.markdown))
        if not (block.is_heading or block.is_code)
    )
    return visible_text(text)


def _before_references(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    for position, block in enumerate(blocks):
        if position > len(blocks) // 3 and _REFERENCES.match(visible_text(block.text)):
            return blocks[:position]
    return blocks
