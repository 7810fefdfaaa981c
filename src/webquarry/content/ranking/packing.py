"""One text out of several sources: all of them if there is room, else their best passages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.markdown.parse import MarkdownBlock, blocks_of
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.length import truncate

GAP = "[…]"
_BETWEEN = "\n\n"
_LEAD = 0.15  # what the first paragraph of a page says is mostly its point
_HEADED = 0.5  # worth of a word that stands in the heading above
_WORTH_CUTTING = 100  # bytes of room in which the start of a long passage makes sense

Cost = Callable[[str], int]


@dataclass(frozen=True)
class PackedPart:
    """One source to be combined with others, the best first."""

    heading: str  # names the source
    text: str  # Markdown
    worth: float  # of the source, 0 to 1


@dataclass(frozen=True)
class PackedText:
    """Texts put together."""

    text: str
    left_out: bool = False


@dataclass(eq=False)
class _Passage:
    source: int
    place: int
    block: MarkdownBlock
    above: MarkdownBlock | None  # the heading it stands under
    value: float


def combine(
    parts: Sequence[PackedPart], questions: Sequence[QueryTerms], room: int, cost: Cost
) -> PackedText:
    """Return the texts under their headings, within `room` by `cost`; the best passages stay."""
    whole = _BETWEEN.join(f"{part.heading}{_BETWEEN}{part.text}" for part in parts)
    if cost(whole) <= room:
        return PackedText(whole)
    passages = [p for number, part in enumerate(parts) for p in _passages(number, part, questions)]
    chosen = _chosen(parts, passages, room, cost)
    return PackedText(_BETWEEN.join(_written(parts, chosen)), left_out=True)


def _passages(number: int, part: PackedPart, questions: Sequence[QueryTerms]) -> Iterator[_Passage]:
    above: MarkdownBlock | None = None
    headed: frozenset[str] = frozenset()
    lead = _LEAD
    for place, block in enumerate(blocks_of(part.text)):
        if block.is_heading:
            above, headed = block, frozenset(stems(block.text))
            continue
        words = frozenset(stems(block.text))
        shares = [q.share(words) + _HEADED * (q.share(words | headed) - q.share(words))
                  for q in questions]  # fmt: skip
        value = (max(shares, default=0.0) + lead) * (0.5 + part.worth)
        yield _Passage(number, place, block, above, value)
        lead = 0.0


def _chosen(
    parts: Sequence[PackedPart], passages: list[_Passage], room: int, cost: Cost
) -> list[_Passage]:
    """Return what fits: the best passage of each source first, then the best of all."""
    firsts = [max(group, key=_density) for _, group in groupby(passages, key=lambda p: p.source)]
    rest = sorted((p for p in passages if p not in firsts), key=lambda p: -_density(p))
    chosen: list[_Passage] = []
    begun: set[int] = set()
    for candidate in (*firsts, *rest):
        price = partial(_price, parts, begun=begun, cost=cost)
        if passage := _fitting(candidate, room, price):
            room -= price(passage)
            begun.add(passage.source)
            chosen.append(passage)
    return chosen


def _fitting(passage: _Passage, room: int, price: Callable[[_Passage], int]) -> _Passage | None:
    """Return the passage whole, without its heading or shortened; None if none of it fits."""
    if price(passage) <= room:
        return passage
    bare = _Passage(passage.source, passage.place, passage.block, None, passage.value)
    if price(bare) <= room:
        return bare
    short = _shortened(bare, room - price(bare))
    return short if short and price(short) <= room else None


def _density(passage: _Passage) -> float:
    """Return the value for the room it takes; long passages are not punished in proportion."""
    return passage.value / max(len(passage.block.text), 80) ** 0.25


def _price(parts: Sequence[PackedPart], passage: _Passage, *, begun: set[int], cost: Cost) -> int:
    pieces = [passage.block.text, GAP]
    if passage.above:
        pieces.append(passage.above.text)
    if passage.source not in begun:
        pieces += [parts[passage.source].heading, GAP]
    return cost(_BETWEEN.join([*pieces, ""]))


def _shortened(passage: _Passage, missing: int) -> _Passage | None:
    """Return the start of a passage that is too long by so much."""
    room = len(passage.block.text.encode("utf-8", "replace")) + missing
    if room < _WORTH_CUTTING or passage.block.is_code:
        return None
    block = passage.block._replace(text=f"{truncate(passage.block.text, room - 4).text} …")
    return _Passage(passage.source, passage.place, block, passage.above, passage.value)


def _written(parts: Sequence[PackedPart], chosen: list[_Passage]) -> Iterator[str]:
    in_order = sorted(chosen, key=lambda p: (p.source, p.place))
    for source, group in groupby(in_order, key=lambda p: p.source):
        yield parts[source].heading
        above, expected = None, 0
        for passage in group:
            new = passage.above if passage.above is not above else None
            if passage.place - (new is not None) > expected:
                yield GAP
            if new:
                yield new.text
            yield passage.block.text
            above, expected = passage.above, passage.place + 1
        if expected < len(blocks_of(parts[source].text)):
            yield GAP
