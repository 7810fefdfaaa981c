"""Combines the texts of several sources within a budget by choosing the best passages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.markdown.parse import MarkdownBlock, markdown_blocks
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.length import truncate

GAP = "[…]"
_SEPARATOR = "\n\n"
_LEAD_BONUS = 0.15  # the first paragraph of a page often states its point
_HEADING_WEIGHT = 0.5  # weight of a query term that only the heading has
_MIN_CUT_BYTES = 100  # do not truncate a passage to less

Cost = Callable[[str], int]


@dataclass(frozen=True)
class PackedPart:
    """The text of one source."""

    heading: str  # identifies the source
    text: str  # Markdown
    quality: float  # 0 to 1


@dataclass(frozen=True)
class PackedText:
    """The combined text, and whether passages were left out."""

    text: str
    truncated: bool = False


@dataclass(eq=False)
class _Passage:
    source: int
    index: int  # of the block in its source
    block: MarkdownBlock
    heading: MarkdownBlock | None
    value: float


def pack_passages(
    parts: Sequence[PackedPart], queries: Sequence[QueryTerms], room: int, cost: Cost
) -> PackedText:
    """Return the texts under their headings, within `room` as `cost` measures it."""
    full = _SEPARATOR.join(f"{part.heading}{_SEPARATOR}{part.text}" for part in parts)
    if cost(full) <= room:
        return PackedText(full)
    passages = [p for number, part in enumerate(parts) for p in _passages(number, part, queries)]
    chosen = _choose(parts, passages, room, cost)
    return PackedText(_SEPARATOR.join(_rendered(parts, chosen)), truncated=True)


def _passages(number: int, part: PackedPart, queries: Sequence[QueryTerms]) -> Iterator[_Passage]:
    heading: MarkdownBlock | None = None
    heading_words: frozenset[str] = frozenset()
    bonus = _LEAD_BONUS
    for index, block in enumerate(markdown_blocks(part.text)):
        if block.is_heading:
            heading, heading_words = block, frozenset(stems(block.text))
            continue
        words = frozenset(stems(block.text))
        coverage = max((_coverage(query, words, heading_words) for query in queries), default=0.0)
        yield _Passage(number, index, block, heading, (coverage + bonus) * (0.5 + part.quality))
        bonus = 0.0


def _coverage(query: QueryTerms, words: frozenset[str], heading_words: frozenset[str]) -> float:
    own = query.coverage(words)
    return own + _HEADING_WEIGHT * (query.coverage(words | heading_words) - own)


def _choose(
    parts: Sequence[PackedPart], passages: list[_Passage], room: int, cost: Cost
) -> list[_Passage]:
    """Return the passages that fit: the best of each source first, then the best of all."""
    best = [max(group, key=_density) for _, group in groupby(passages, key=lambda p: p.source)]
    rest = sorted((p for p in passages if p not in best), key=lambda p: -_density(p))
    chosen: list[_Passage] = []
    started: set[int] = set()  # sources whose heading is paid for
    for candidate in (*best, *rest):
        cost_of = partial(_cost_with_context, parts, started=started, cost=cost)
        if passage := _fit(candidate, room, cost_of):
            room -= cost_of(passage)
            started.add(passage.source)
            chosen.append(passage)
    return chosen


def _fit(passage: _Passage, room: int, cost_of: Callable[[_Passage], int]) -> _Passage | None:
    """Return the passage, else without its heading, else truncated; None if nothing fits."""
    if cost_of(passage) <= room:
        return passage
    bare = replace(passage, heading=None)
    if cost_of(bare) <= room:
        return bare
    truncated = _truncated(bare, room - cost_of(bare))
    return truncated if truncated and cost_of(truncated) <= room else None


def _density(passage: _Passage) -> float:
    """Return the value by length; the exponent keeps long passages competitive."""
    return passage.value / max(len(passage.block.text), 80) ** 0.25


def _cost_with_context(
    parts: Sequence[PackedPart], passage: _Passage, *, started: set[int], cost: Cost
) -> int:
    texts = [passage.block.text, GAP]
    if passage.heading:
        texts.append(passage.heading.text)
    if passage.source not in started:
        texts += [parts[passage.source].heading, GAP]
    return cost(_SEPARATOR.join([*texts, ""]))


def _truncated(passage: _Passage, margin: int) -> _Passage | None:
    """Return the start of a passage that exceeds the room by `-margin`."""
    room = len(passage.block.text.encode("utf-8", "replace")) + margin
    if room < _MIN_CUT_BYTES or passage.block.is_code:
        return None
    block = passage.block._replace(text=f"{truncate(passage.block.text, room - 4).text} …")
    return replace(passage, block=block)


def _rendered(parts: Sequence[PackedPart], chosen: list[_Passage]) -> Iterator[str]:
    in_order = sorted(chosen, key=lambda p: (p.source, p.index))
    for source, group in groupby(in_order, key=lambda p: p.source):
        yield parts[source].heading
        yield from _rendered_source(parts[source], group)


def _rendered_source(part: PackedPart, passages: Iterable[_Passage]) -> Iterator[str]:
    """Yield the passages with their headings, and a gap mark wherever blocks were left out."""
    heading, expected = None, 0
    for passage in passages:
        new_heading = passage.heading if passage.heading is not heading else None
        if passage.index - (new_heading is not None) > expected:
            yield GAP
        if new_heading:
            yield new_heading.text
        yield passage.block.text
        heading, expected = passage.heading, passage.index + 1
    if expected < len(markdown_blocks(part.text)):
        yield GAP
