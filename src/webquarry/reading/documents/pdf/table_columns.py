"""Finds the columns of a table by the gaps that most of its lines leave."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise

from webquarry.reading.documents.pdf.table_edges import ColumnSpan, is_any_near
from webquarry.reading.documents.pdf.table_words import TableWord, Words, parts_of

_BINS = 2.0  # per point
_MAX_BINS = 4_000
_FEW_LINES, _MANY_LINES = 10, 25
_TOLERATED = 0.1  # share of many lines that may cross a gap
_TOUCHED = 0.25  # share of the shorter of two intervals
_DENSE = 0.5  # of the usual number of cells
_MIN_GAP = 2  # bins
_SYMBOLS = frozenset("$€£¥")
_TRAILING = frozenset("%*)")
_BULLETS = frozenset("•●▪■◦○‣·-\u2013\uf0b7\uf0a7")


Part = tuple[int, int, Words]  # the first and last column of words, and these


class Columns:
    """The columns of a table: the places between them, and where their text stands."""

    def __init__(
        self, edges: Sequence[float], lines: Sequence[Words], ruled: Sequence[float] = ()
    ) -> None:
        self.edges = sorted(edges)
        self._ruled = sorted(ruled)
        self.spans: list[ColumnSpan | None] = [None] * (len(self.edges) + 1)
        for word in chain.from_iterable(lines):
            column = self.of(word)
            span = self.spans[column] or ColumnSpan(word.x0, word.x1)
            self.spans[column] = ColumnSpan(min(span.low, word.x0), max(span.high, word.x1))

    def __len__(self) -> int:
        return len(self.edges) + 1

    def of(self, word: TableWord) -> int:
        """Return the column of a word."""
        return bisect_right(self.edges, word.center)

    def has_rule_between(self, left: TableWord, right: TableWord) -> bool:
        """Return whether a rule separates two words."""
        return bisect_right(self._ruled, left.center) != bisect_right(self._ruled, right.center)

    def touched(self, low: float, high: float) -> tuple[int, int]:
        """Return the first and the last column whose text an interval overlaps."""
        own = ColumnSpan(low, high)
        found = [
            column for column, span in enumerate(self.spans)
            if span and own.covers_much_of(span, _TOUCHED)
        ] or [bisect_right(self.edges, own.center)]  # fmt: skip
        return found[0], found[-1]

    def pair_around(self, x: float) -> tuple[int, int] | None:
        """Return the two columns between whose texts this place is."""
        for column, (left, right) in enumerate(pairwise(self.spans)):
            if left and right and left[1] < x < right[0]:
                return column, column + 1
        return None


def find_columns(lines: Sequence[Words], separators: Sequence[float] = ()) -> Columns:
    """Return the columns of the lines of a table; rules between columns are separators."""
    edges = _gaps(_dense([parts_of(line) for line in lines]), separators)
    edges += [edge for edge in separators if not is_any_near(edge, edges, 1.0)]
    kept = _without_symbols(sorted(edges), [line for line in lines if len(line) > 1])
    return Columns(kept, lines, separators)


def _dense(lines: list[list[Words]]) -> list[list[Words]]:
    """Return the lines with about as many cells as most; titles inside a table have fewer."""
    counts = sorted(len(line) for line in lines if len(line) > 1)
    least = max(2.0, _DENSE * counts[len(counts) // 2]) if counts else 1.0
    return [line for line in lines if len(line) >= least]


def _gaps(lines: list[list[Words]], separators: Sequence[float]) -> list[float]:
    """Return the middles of the gaps that the lines leave."""
    left = min(line[0][0].x0 for line in lines)
    right = max(line[-1][-1].x1 for line in lines)
    scale = min(_BINS, _MAX_BINS / max(right - left, 1.0))
    cover = _coverage(lines, left, scale, int((right - left) * scale) + 2)
    ruled = [int((edge - left) * scale) for edge in separators if left < edge < right]
    for at in ruled:
        cover[at : at + _MIN_GAP] = [0] * len(cover[at : at + _MIN_GAP])
    valleys = _valleys(cover, _tolerated(len(lines)))
    return [left + _lowest(cover, valley, ruled) / scale for valley in valleys]


def _lowest(cover: list[int], valley: tuple[int, int], ruled: list[int]) -> float:
    """Return the place of a rule in a gap, or else the middle of what the fewest lines cross."""
    own = [at for at in ruled if valley[0] <= at <= valley[1]]
    if own:
        return own[0]
    least = min(cover[slice(*valley)])
    best = [at for at in range(*valley) if cover[at] == least]
    return (best[0] + best[-1] + 1) / 2


def _coverage(lines: list[list[Words]], left: float, scale: float, size: int) -> list[int]:
    """Return how many lines have text at each place."""
    steps = [0] * (size + 1)
    for line in lines:
        for part in line:
            steps[max(int((part[0].x0 - left) * scale), 0)] += 1
            steps[min(int((part[-1].x1 - left) * scale) + 1, size)] -= 1
    cover: list[int] = []
    current = 0
    for step in steps[:size]:
        current += step
        cover.append(current)
    return cover


def _tolerated(lines: int) -> int:
    if lines < _FEW_LINES:
        return 0
    return 1 if lines < _MANY_LINES else round(lines * _TOLERATED)


def _valleys(cover: list[int], most: int) -> list[tuple[int, int]]:
    """Return the intervals between two columns where few lines have text."""
    valleys: list[tuple[int, int]] = []
    start = None
    seen = False
    for at, count in enumerate(cover):
        if count > most:
            if start is not None and seen and at - start >= _MIN_GAP:
                valleys.append((start, at))
            start, seen = None, True
        elif start is None:
            start = at
    return valleys


def _without_symbols(edges: list[float], lines: Sequence[Words]) -> list[float]:
    """Join columns that hold only currency signs, percent signs or bullets with the next one."""
    texts: list[set[str]] = [set() for _ in range(len(edges) + 1)]
    for word in chain.from_iterable(lines):
        texts[bisect_right(edges, word.center)].add(word.text)
    leading = {edge for edge, found in zip(edges, texts, strict=False) if _is_leading(found)}
    trailing = {edge for edge, found in zip(edges, texts[1:], strict=True) if _is_trailing(found)}
    return [edge for edge in edges if edge not in leading | trailing]


def _is_leading(texts: set[str]) -> bool:
    return bool(texts) and (texts <= _SYMBOLS or texts <= _BULLETS)


def _is_trailing(texts: set[str]) -> bool:
    return bool(texts) and texts <= _TRAILING


def split_line(line: Words, columns: Columns, *, headings: bool = False) -> list[Part]:
    """Return the parts of a line with the first and last column of each."""
    found: list[Part] = []
    for part in parts_of(line):
        for piece in _pieces(part, columns, headings=headings):
            first, last = columns.of(piece[0]), columns.of(piece[-1])
            found.append((first, last, piece))
    return found


def _pieces(part: Words, columns: Columns, *, headings: bool) -> list[Words]:
    """Cut words that stand close together where a column ends and the gap is not a plain space.

    A heading may be wider than its column.
    """
    usual = _usual_gap(part)
    pieces: list[Words] = [[part[0]]]
    for left, right in pairwise(part):
        gap = right.x0 - left.x1
        is_edge = columns.of(left) != columns.of(right)
        is_value = columns.has_rule_between(left, right) or _is_mixed(left, right)
        if is_edge and (gap > 1.35 * usual or (is_value and not headings)):
            pieces.append([right])
        else:
            pieces[-1].append(right)
    return pieces


def _is_mixed(left: TableWord, right: TableWord) -> bool:
    return right.text[:1].isdigit() or left.text[-1:].isdigit()


def _usual_gap(part: Words) -> float:
    gaps = sorted(right.x0 - left.x1 for left, right in pairwise(part))
    return max(gaps[len(gaps) // 2] if gaps else 0.0, 0.25 * part[0].size)
