"""Finds lists whose entries start at the margin and go on indented, as reference lists do."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from webquarry.reading.documents.pdf.layout import PdfLine

_MIN_INDENT, _MAX_INDENT = 0.6, 5.0  # em
_SAME_EDGE = 0.4  # em
_SAME_SIZE = 0.6  # points
_MAX_GAP = 3.0  # em between lines of one list
_MIN_ENTRIES = 2  # with an indented line
_UNFINISHED_SHARE = 0.4  # of the lines before an indented one; before a paragraph there are none
_SINGLE_SHARE = 0.4  # of the lines at the margin may be followed by another one
_STOPS = (".", "!", "?", ":", "\u201d", '"')

Edges = tuple[int, int]  # the margin, and the indent from it, in points


class HangingIndents(NamedTuple):
    """The lines of a column that are in such a list, by their index."""

    starts: frozenset[int] = frozenset()  # where an entry starts
    rests: frozenset[int] = frozenset()  # the indented lines


def hanging_indents(column: Sequence[PdfLine], known: Counter[int]) -> HangingIndents:
    """Return the lines in lists; `known`: the indents of lists in other columns, which it adds."""
    edges = _usual_edges(column)
    if edges is None:
        return HangingIndents()
    starts: set[int] = set()
    rests: set[int] = set()
    for region in _regions(column, edges):
        margin = [at for at in region if _is_at(column[at], edges[0])]
        if _is_list(column, region, margin, is_known=edges[1] in known):
            known[edges[1]] += 1
            # after another line at the margin only if that one is a whole entry
            starts |= {at for at in margin if at - 1 not in margin or _ends(column[at - 1])}
            rests |= set(region) - set(margin)
    return HangingIndents(frozenset(starts), frozenset(rests))


def _usual_edges(column: Sequence[PdfLine]) -> Edges | None:
    """Return the most common margin of which the next line is indented."""
    pairs = Counter(
        (round(above.x0), round(below.x0 - above.x0))
        for above, below in pairwise(column)
        if _is_close(above, below)
        and _MIN_INDENT * above.size <= below.x0 - above.x0 <= _MAX_INDENT * above.size
    )
    return pairs.most_common(1)[0][0] if pairs else None


def _is_close(above: PdfLine, below: PdfLine) -> bool:
    if above.table or below.table:
        return False
    same_size = abs(above.size - below.size) <= _SAME_SIZE
    return same_size and 0 < above.y - below.y <= _MAX_GAP * below.size


def _is_at(line: PdfLine, x: float) -> bool:
    return abs(line.x0 - x) <= max(_SAME_EDGE * line.size, 1.0)


def _regions(column: Sequence[PdfLine], edges: Edges) -> Iterator[list[int]]:
    """Yield the lines next to each other that stand at one of the edges."""
    region: list[int] = []
    for at, line in enumerate(column):
        if region and not _is_close(column[at - 1], line):
            yield region
            region = []
        if _is_at(line, edges[0]) or _is_at(line, sum(edges)):
            region.append(at)
        elif region:
            yield region
            region = []
    if region:
        yield region


def _is_list(
    column: Sequence[PdfLine], region: Sequence[int], margin: Sequence[int], *, is_known: bool
) -> bool:
    """Tell a list from paragraphs, whose first line may be indented."""
    at_margin = set(margin)
    turns = [at for at in margin if at + 1 in region and at + 1 not in at_margin]
    singles = sum(at + 1 in at_margin and not _ends(column[at]) for at in margin)
    if len(turns) < (1 if is_known else _MIN_ENTRIES) or singles > _SINGLE_SHARE * len(margin):
        return False
    unfinished = sum(not _ends(column[at]) for at in turns)
    return unfinished >= _UNFINISHED_SHARE * len(turns)


def _ends(line: PdfLine) -> bool:
    return line.text.rstrip().endswith(_STOPS) or "://" in line.text.rpartition(" ")[2]
