"""Finds the tables of a PDF page that have rules, and puts each into the place of its words."""

from collections.abc import Sequence
from itertools import pairwise

from webquarry.reading.documents.pdf.glyphs import WordRun
from webquarry.reading.documents.pdf.grid_rows import grid_rows
from webquarry.reading.documents.pdf.page_objects import Box
from webquarry.reading.documents.pdf.page_rules import PageRules, Rule
from webquarry.reading.documents.pdf.pdf_table import PdfTable, is_table
from webquarry.reading.documents.pdf.ruled_tables import RuledGrid, find_grids
from webquarry.reading.documents.pdf.table_rows import rows_of
from webquarry.reading.documents.pdf.table_words import (
    Words,
    lines_of,
    parts_of,
    words_of,
)

_MIN_WIDTH = 80.0  # points; a shorter rule underlines a word or a footnote
_SAME_EDGE = 8.0  # points between the ends of the rules of one table
_PROSE = 0.6  # share of the width that a line of prose fills
_COLUMN_GAP = 0.8  # em between two cells
_SLACK = 3.0
_MAX_HEADER_ROWS = 3
_MAX_ROW_HEIGHT = 30.0  # points


def place_tables(runs: list[WordRun], rules: PageRules) -> list[WordRun]:
    """Return the runs with one run for each table instead of its words."""
    if len(rules.horizontal) + len(rules.vertical) < 2:
        return runs
    words = sorted(words_of(runs), key=lambda word: -word.y)
    tables = _grid_tables(words, rules)
    taken = [table.box for table in tables]
    free = [rule for rule in rules.horizontal if not _is_inside(rule, taken)]
    tables += _half_ruled(words, free, taken)
    return _replaced(runs, tables) if tables else runs


def _grid_tables(words: Words, rules: PageRules) -> list[PdfTable]:
    tables: list[PdfTable] = []
    for grid in find_grids(rules):
        box = Box(grid.xs[0], grid.ys[-1], grid.xs[-1], grid.ys[0])
        is_nested = any(_overlap(box, table.box) for table in tables)
        if is_nested or _is_header_only(box, grid, rules.horizontal):
            continue
        if table := grid_rows(grid, words, box):
            tables.append(table)
    return tables


def _is_header_only(box: Box, grid: RuledGrid, rules: Sequence[Rule]) -> bool:
    """Return whether the rules below a grid are those of further rows of its table."""
    if len(grid.ys) > _MAX_HEADER_ROWS + 1:
        return False
    return any(
        0 < box.bottom - rule.at < _MAX_ROW_HEIGHT
        and abs(rule.low - box.left) <= _SAME_EDGE
        and abs(rule.high - box.right) <= _SAME_EDGE
        for rule in rules
    )


def _overlap(box: Box, other: Box) -> bool:
    return box.common(other).area > 0.1 * min(box.area, other.area)


def _is_inside(rule: Rule, boxes: Sequence[Box]) -> bool:
    middle = (rule.low + rule.high) / 2
    return any(
        box.bottom - _SLACK <= rule.at <= box.top + _SLACK and box.left <= middle <= box.right
        for box in boxes
    )


def _half_ruled(words: Words, rules: list[Rule], taken: Sequence[Box]) -> list[PdfTable]:
    """Return tables between horizontal rules of one width."""
    tables: list[PdfTable] = []
    for group in sorted(_groups(rules), key=lambda group: -group[0].length):
        left, right = min(r.low for r in group), max(r.high for r in group)
        inside = [
            word for word in words
            if left - 2 * _SLACK <= word.center <= right + 2 * _SLACK
            and group[-1].at - _SLACK < word.y < group[0].at
            and not _is_taken(word.center, word.y, taken)
        ]  # fmt: skip
        for top, bottom in _regions(group, inside):
            box = Box(left, bottom, right, top)
            own = [word for word in inside if bottom < word.y + 0.3 * word.size < top]
            inner = [r for r in rules if bottom < r.at < top and left - 9 < r.low < right]
            rows = rows_of(own, inner)
            others = (*taken, *(table.box for table in tables))
            if is_table(rows) and not any(_overlap(box, other) for other in others):
                tables.append(PdfTable(rows, box))
    return tables


def _is_taken(x: float, y: float, taken: Sequence[Box]) -> bool:
    return any(box.left <= x <= box.right and box.bottom <= y <= box.top for box in taken)


def _groups(rules: list[Rule]) -> list[list[Rule]]:
    """Return groups of wide rules with the same ends, each from top to bottom."""
    groups: dict[tuple[int, int], list[Rule]] = {}
    for rule in sorted(rules, reverse=True):
        if rule.length < _MIN_WIDTH:
            continue
        key = next((key for key in groups if _has_ends(groups[key][0], rule)), None)
        groups.setdefault(key or (len(groups), 0), []).append(rule)
    return [group for group in groups.values() if len(group) > 1]


def _has_ends(rule: Rule, other: Rule) -> bool:
    return abs(rule.low - other.low) <= _SAME_EDGE and abs(rule.high - other.high) <= _SAME_EDGE


def _regions(group: list[Rule], words: Words) -> list[tuple[float, float]]:
    """Return the tops and bottoms of neighbouring bands between rules that hold cells."""
    regions: list[tuple[float, float]] = []
    width = group[0].length
    current: list[Rule] = []
    cells = 0
    for above, below in pairwise(group):
        band = [word for word in words if below.at < word.y + 0.3 * word.size < above.at]
        kind = _kind(lines_of(band), width)
        if kind == "prose":
            _close(regions, current, cells)
            current, cells = [], 0
            continue
        current = [*(current or [above]), below]
        cells += kind == "cells"
    _close(regions, current, cells)
    return regions


def _close(regions: list[tuple[float, float]], rules: list[Rule], cells: int) -> None:
    if rules and cells:
        regions.append((rules[0].at, rules[-1].at))


def _kind(lines: list[Words], width: float) -> str:
    """Return whether the lines between two rules are prose, cells, or neither."""
    if not lines:
        return "empty"
    parts = [parts_of(line, _COLUMN_GAP) for line in lines]
    single = sum(
        len(line) == 1 and line[0][-1].x1 - line[0][0].x0 > _PROSE * width for line in parts
    )
    if single >= 0.5 * len(parts):
        return "prose"
    several = sum(len(line) > 1 for line in parts)
    if several >= 0.5 * len(parts):
        return "cells"
    return "prose" if len(parts) > 3 else "empty"


def _replaced(runs: list[WordRun], tables: list[PdfTable]) -> list[WordRun]:
    """Return the runs without the words of the tables, and a run for each table."""
    left: list[WordRun] = []
    for run in runs:
        left += _outside(run, tables)
    for table in tables:
        box = table.box
        size = 10.0
        left += [_text_run(text, box.left, box.right, box.top + 1 + 12 * n, size)
                 for n, text in enumerate(reversed(table.before))]  # fmt: skip
        left.append(WordRun("\ufffc", box.left, box.right, box.top, size, table=table))
        left += [_text_run(text, box.left, box.right, box.bottom - 1 - n / 100, size)
                 for n, text in enumerate(table.after)]  # fmt: skip
    return left


def _text_run(text: str, x0: float, x1: float, y: float, size: float) -> WordRun:
    return WordRun(text, x0, x1, y, size)


def _outside(run: WordRun, tables: list[PdfTable]) -> list[WordRun]:
    """Return what no table has of a run, which may begin in one."""
    middle = run.y + 0.3 * run.size
    boxes = [table.box for table in tables if table.box.bottom < middle < table.box.top]
    if not boxes:
        return [run]
    kept = [
        word for word in run.words
        if not any(box.left - _SLACK <= (word.x0 + word.x1) / 2 <= box.right + _SLACK
                   for box in boxes)
    ]  # fmt: skip
    if len(kept) == len(run.words):
        return [run]
    if not kept:
        return []
    run.text = " ".join(word.text for word in kept)
    run.words, run.x0, run.x1 = kept, kept[0].x0, max(word.x1 for word in kept)
    return [run]
