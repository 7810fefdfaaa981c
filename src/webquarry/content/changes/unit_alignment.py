"""Finds what differs between two lists of units: which were changed, added, removed or moved."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webquarry.content.changes.page_units import PageUnit

_WINDOW = 12  # units on each side that one may have become
_MIN_SIMILARITY = 55.0  # of 100
_SHORT_WORDS = 12


class UnitPair(NamedTuple):
    """A unit of each version; None if it was added or removed."""

    before: PageUnit | None
    after: PageUnit | None
    previous: PageUnit | None = None  # the unit before it that both versions have
    block: int = 0  # the number of the place that differs
    offset: int = 0  # in that place
    is_moved: bool = False


class Alignment(NamedTuple):
    """The units that both versions have, and those that differ, in their order."""

    equal: list[UnitPair]
    different: list[UnitPair]


def align_units(before: Sequence[PageUnit], after: Sequence[PageUnit]) -> Alignment:
    """Find the units that both versions have, and pair those that differ."""
    equal: list[UnitPair] = []
    different: list[UnitPair] = []
    for is_equal, (start, end), (other_start, other_end) in _blocks(before, after):
        old, new = before[start:end], after[other_start:other_end]
        if is_equal:
            equal += map(UnitPair, old, new)
            continue
        previous = before[start - 1] if start else None
        different += [pair._replace(previous=previous, block=start) for pair in _paired(old, new)]
    return Alignment(equal, _with_moves(different))


def _blocks(
    before: Sequence[PageUnit], after: Sequence[PageUnit]
) -> Iterator[tuple[bool, tuple[int, int], tuple[int, int]]]:
    from rapidfuzz.distance import LCSseq

    opened: list[int] = []  # consecutive operations that are not equal are one block
    for code in LCSseq.opcodes([unit.key for unit in before], [unit.key for unit in after]):
        if code.tag == "equal":
            if opened:
                yield False, (opened[0], code.src_start), (opened[1], code.dest_start)
                opened = []
            yield True, (code.src_start, code.src_end), (code.dest_start, code.dest_end)
        elif not opened:
            opened = [code.src_start, code.dest_start]
    if opened:
        yield False, (opened[0], len(before)), (opened[1], len(after))


def _paired(removed: Sequence[PageUnit], added: Sequence[PageUnit]) -> list[UnitPair]:
    partners = _most_similar(removed, added)
    _add_short_lines(removed, added, partners)
    by_added = {after: before for before, after in partners.items()}
    pairs = [
        UnitPair(unit, None, offset=position)
        for position, unit in enumerate(removed)
        if position not in partners
    ]
    for position, unit in enumerate(added):
        partner = by_added.get(position)
        old = None if partner is None else removed[partner]
        pairs.append(UnitPair(old, unit, offset=position))
    return pairs


def _most_similar(removed: Sequence[PageUnit], added: Sequence[PageUnit]) -> dict[int, int]:
    """Return which removed unit became which added one; the most similar are paired first."""
    from rapidfuzz import fuzz

    scored: list[tuple[float, int, int]] = []
    for position, unit in enumerate(removed):
        expected = position * len(added) // len(removed)
        for other in range(max(0, expected - _WINDOW), min(len(added), expected + _WINDOW + 1)):
            if bool(unit.level) != bool(added[other].level):
                continue
            score = fuzz.ratio(unit.key, added[other].key, score_cutoff=_MIN_SIMILARITY)
            if score:
                scored.append((-score, position, other))
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for _, position, other in sorted(scored):
        if position not in partners and other not in taken:
            partners[position] = other
            taken.add(other)
    return partners


def _add_short_lines(
    removed: Sequence[PageUnit], added: Sequence[PageUnit], partners: dict[int, int]
) -> None:
    """Pair short lines in the same place, as in "In stock" and "Sold out"."""
    taken = set(partners.values())
    left = [at for at in range(len(removed)) if at not in partners]
    right = [at for at in range(len(added)) if at not in taken]
    if len(left) != len(right):
        return
    partners.update(
        (position, other)
        for position, other in zip(left, right, strict=True)
        if _is_replacement(removed[position], added[other])
    )


def _is_replacement(before: PageUnit, after: PageUnit) -> bool:
    is_short = max(len(before.key.split()), len(after.key.split())) <= _SHORT_WORDS
    is_same_form = before.level == after.level and before.in_list == after.in_list
    return is_short and is_same_form and (before.path == after.path or bool(before.level))


def _with_moves(pairs: list[UnitPair]) -> list[UnitPair]:
    """Join a unit that was removed with the same one added elsewhere."""
    removed: dict[str, list[PageUnit]] = {}
    for pair in reversed(pairs):
        if pair.before and not pair.after:
            removed.setdefault(pair.before.key, []).append(pair.before)
    joined: list[UnitPair] = []
    taken: set[int] = set()
    for pair in pairs:
        origins = removed.get(pair.after.key) if pair.after and not pair.before else None
        if origins:
            unit = origins.pop()
            taken.add(id(unit))
            joined.append(pair._replace(before=unit, is_moved=True))
        else:
            joined.append(pair)
    return [pair for pair in joined if pair.after or id(pair.before) not in taken]
