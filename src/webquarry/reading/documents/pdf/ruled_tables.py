"""Finds tables whose cells are separated by rules in both directions."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webquarry.reading.documents.pdf.page_rules import PageRules, Rule
from webquarry.reading.documents.pdf.table_edges import is_any_near, is_near
from webquarry.reading.documents.pdf.table_words import Words

_TOUCH = 3.0  # points between rules that meet
_SAME = 2.5  # points between rules of one row or column
_MAX_RULES = 400  # of one direction; with more the page is a drawing
_MAX_CELLS = 8_000


@dataclass(slots=True)
class GridCell:
    """A cell: where it begins, what it spans, and its words."""

    row: int
    column: int
    rows: int
    columns: int
    words: Words


class RuledGrid:
    """Rules that meet, as rows and columns."""

    def __init__(self, horizontal: list[Rule], vertical: list[Rule]) -> None:
        self.horizontal = horizontal
        self.vertical = vertical
        x_ends = [end for rule in horizontal for end in (rule.low, rule.high)]
        y_ends = [end for rule in vertical for end in (rule.low, rule.high)]
        self.xs = _clusters([rule.at for rule in vertical], x_ends)
        self.ys = _clusters([rule.at for rule in horizontal], y_ends)[::-1]

    @property
    def is_table(self) -> bool:
        """Return whether it has several cells, and not too many."""
        cells = (len(self.xs) - 1) * (len(self.ys) - 1)
        if not 2 <= cells <= _MAX_CELLS:
            return False
        # each bar of a chart has a rule of its own
        least = min(1.5 * (self.xs[-1] - self.xs[0]) / (len(self.xs) - 1), self.xs[-1] - self.xs[0])
        return sum(rule.length > least - _TOUCH for rule in self.horizontal) > 1

    def row_of(self, y: float) -> int:
        """Return the row of a place; -1 above the first."""
        return len(self.ys) - bisect_right(self.ys[::-1], y) - 1

    def cells(self, words: Words) -> list[GridCell]:
        """Return the cells with their words."""
        groups = _Groups((len(self.ys) - 1) * (len(self.xs) - 1))
        self._merge(groups)
        members: dict[int, list[int]] = {}
        for number in range(groups.size):
            members.setdefault(groups.root(number), []).append(number)
        cells = {root: self._cell(parts) for root, parts in members.items()}
        for word in words:
            place = self._place(word.center, word.middle)
            if place is not None:
                cells[groups.root(place)].words.append(word)
        return list(cells.values())

    def _merge(self, groups: "_Groups") -> None:
        """Join neighbours without a rule between them."""
        width = len(self.xs) - 1
        for column, x in enumerate(self.xs[1:-1]):
            for row in _open_places(self.vertical, x, self.ys):
                groups.join(row * width + column, row * width + column + 1)
        for row, y in enumerate(self.ys[1:-1]):
            for column in _open_places(self.horizontal, y, self.xs):
                groups.join(row * width + column, (row + 1) * width + column)

    def _cell(self, parts: list[int]) -> GridCell:
        width = len(self.xs) - 1
        rows, columns = [part // width for part in parts], [part % width for part in parts]
        row, column = min(rows), min(columns)
        return GridCell(row, column, max(rows) - row + 1, max(columns) - column + 1, [])

    def _place(self, x: float, y: float) -> int | None:
        column = bisect_right(self.xs, x) - 1
        row = self.row_of(y)
        if not (0 <= column < len(self.xs) - 1 and 0 <= row < len(self.ys) - 1):
            return None
        return row * (len(self.xs) - 1) + column


class _Groups:
    """Numbers that belong together (union-find)."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._parents = list(range(size))

    def root(self, number: int) -> int:
        parents = self._parents
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    def join(self, first: int, second: int) -> None:
        first, second = self.root(first), self.root(second)
        if first != second:
            self._parents[max(first, second)] = min(first, second)


def find_grids(rules: PageRules) -> list[RuledGrid]:
    """Return the groups of rules that meet, from top to bottom."""
    horizontal, vertical = sorted(rules.horizontal), rules.vertical
    if not vertical or max(len(horizontal), len(vertical)) > _MAX_RULES:
        return []
    found: dict[int, tuple[list[Rule], list[Rule]]] = {}
    groups = _met(horizontal, vertical)
    for number, rule in enumerate([*horizontal, *vertical]):
        part = found.setdefault(groups.root(number), ([], []))
        part[number >= len(horizontal)].append(rule)
    grids = [RuledGrid(*part) for part in found.values() if part[1] and len(part[0]) > 1]
    return sorted(filter(_is_table, grids), key=_from_top)


def _met(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> _Groups:
    """Return which rules meet: horizontal ones by their number, then vertical ones."""
    groups = _Groups(len(horizontal) + len(vertical))
    heights = [rule.at for rule in horizontal]
    for number, rule in enumerate(vertical, len(horizontal)):
        first = bisect_left(heights, rule.low - _TOUCH)
        last = bisect_right(heights, rule.high + _TOUCH)
        for other in range(first, last):
            if horizontal[other].covers(rule.at, rule.at, _TOUCH):
                groups.join(number, other)
    return groups


def _is_table(grid: RuledGrid) -> bool:
    return grid.is_table


def _from_top(grid: RuledGrid) -> float:
    return -grid.ys[0]


def _open_places(rules: Sequence[Rule], at: float, edges: Sequence[float]) -> list[int]:
    """Return between which edges no rule runs along this place."""
    near = [rule for rule in rules if is_near(rule.at, at, _SAME)]
    middles = enumerate((low + high) / 2 for low, high in pairwise(edges))
    return [number for number, middle in middles if not _is_ruled(near, middle)]


def _clusters(values: list[float], ends: list[float]) -> list[float]:
    """Return the places of rules, and where the crossing rules end beyond them."""
    places: list[float] = []
    low, high = min(ends), max(ends)
    outer = [end for end in (low, high) if not is_any_near(end, values, 2 * _TOUCH)]
    for value in sorted([*values, *outer]):
        if not places or value - places[-1] > _SAME:
            places.append(value)
    return places


def _is_ruled(rules: Sequence[Rule], at: float) -> bool:
    return any(rule.low - 1 <= at <= rule.high + 1 for rule in rules)
