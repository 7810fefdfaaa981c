"""Finds the columns of a table by the gaps that most of its lines leave."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from webquarry.reading.documents.pdf.table_words import TableWord, Words, parts_of

_BINS = 2.0  # per point
_MAX_BINS = 4_000
_FEW_LINES, _MANY_LINES = 10, 25
_TOLERATED = 0.1  # share of many lines that may cross a gap
_DENSE = 0.5  # of the usual number of cells
_MIN_GAP = 2  # bins
_SYMBOLS = frozenset("$€£¥")
_TRAILING = frozenset("%*)")
_BULLETS = frozenset("•●▪■◦○‣·-\u2013\uf0b7\uf0a7")


class Columns:
    """The columns of a table: the places between them, and where their text stands."""

    def __init__(
        self, edges: Sequence[float], lines: Sequence[Words], ruled: Sequence[float] = ()
    ) -> None:
        self.edges = sorted(edges)
        self._ruled = sorted(ruled)
        self.spans: list[tuple[float, float] | None] = [None] * (len(self.edges) + 1)
        for word in (word for line in lines for word in line):
            column = self.of(word)
            low, high = self.spans[column] or (word.x0, word.x1)
            self.spans[column] = (min(low, word.x0), max(high, word.x1))

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
        found = [
            column
            for column, span in enumerate(self.spans)
            if span and min(high, span[1]) - max(low, span[0]) > 0.25 * min(
                high - low, span[1] - span[0]
            )
        ]  # fmt: skip
        if not found:
            column = bisect_right(self.edges, (low + high) / 2)
            return column, column
        return found[0], found[-1]

    def pair_around(self, x: float) -> tuple[int, int] | None:
        """Return the two columns between whose texts this place is."""
        for column, (left, right) in enumerate(pairwise(self.spans)):
            if left and right and left[1] < x < right[0]:
                return column, column + 1
        return None


def find_columns(lines: Sequence[Words], separators: Sequence[float] = ()) -> Columns:
    """Return the columns of the lines of a table; rules between columns are separators."""
    parts = [parts_of(line) for line in lines]
    counts = sorted(len(line) for line in parts if len(line) > 1)
    least = max(2.0, _DENSE * counts[len(counts) // 2]) if counts else 1.0
    dense = [line for line in parts if len(line) >= least]  # titles inside a table have fewer
    edges = _gaps(dense, separators)
    for edge in separators:
        if not any(abs(edge - other) < 1 for other in edges):
            edges.append(edge)
    kept = _without_symbols(sorted(edges), [line for line in lines if len(line) > 1])
    return Columns(kept, lines, separators)


def _gaps(lines: list[list[Words]], separators: Sequence[float]) -> list[float]:
    """Return the middles of the gaps that the lines leave."""
    left = min(line[0][0].x0 for line in lines)
    right = max(line[-1][-1].x1 for line in lines)
    scale = min(_BINS, _MAX_BINS / max(right - left, 1.0))
    size = int((right - left) * scale) + 2
    cover = _coverage(lines, left, scale, size)
    for edge in separators:
        if left < edge < right:
            at = int((edge - left) * scale)
            cover[at : at + _MIN_GAP] = [0] * len(cover[at : at + _MIN_GAP])
    most = _tolerated(len(lines))
    edges: list[float] = []
    for start, end in _valleys(cover, most):
        least = min(cover[start:end])
        best = [at for at in range(start, end) if cover[at] == least]
        own = [e for e in separators if start <= (e - left) * scale <= end]
        edges.append(own[0] if own else left + (best[0] + best[-1] + 1) / 2 / scale)
    return edges


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
    for word in (word for line in lines for word in line):
        texts[bisect_right(edges, word.center)].add(word.text)
    dropped: set[float] = set()
    for column, found in enumerate(texts):
        if found and (found <= _SYMBOLS or found <= _BULLETS) and column < len(edges):
            dropped.add(edges[column])
        elif found and found <= _TRAILING and column:
            dropped.add(edges[column - 1])
    return [edge for edge in edges if edge not in dropped]


def split_line(
    line: Words, columns: Columns, *, headings: bool = False
) -> list[tuple[int, int, Words]]:
    """Return the parts of a line with the first and last column of each."""
    found: list[tuple[int, int, Words]] = []
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
