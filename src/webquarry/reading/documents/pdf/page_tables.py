"""Finds the tables of a PDF page that have rules, and puts each into the place of its words."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from webquarry.reading.documents.pdf.glyphs import PlacedWord, WordRun
from webquarry.reading.documents.pdf.grid_rows import grid_rows
from webquarry.reading.documents.pdf.page_objects import Box
from webquarry.reading.documents.pdf.page_rules import PageRules, Rule
from webquarry.reading.documents.pdf.pdf_table import PdfTable, is_table
from webquarry.reading.documents.pdf.ruled_tables import RuledGrid, find_grids
from webquarry.reading.documents.pdf.table_rows import rows_of
from webquarry.reading.documents.pdf.table_words import (
    TableWord,
    Words,
    lines_of,
    parts_of,
    words_of,
)
from webquarry.reading.documents.pdf.text_links import phrases_of

_MIN_WIDTH = 80.0  # points; a shorter rule underlines a word or a footnote
_SAME_EDGE = 8.0  # points between the ends of the rules of one table
_PROSE = 0.6  # share of the width that a line of prose fills
_COLUMN_GAP = 0.8  # em between two cells
_SLACK = 3.0
_MAX_RULES, _MAX_GROUPS = 400, 40  # of a page; with more it is a drawing
_SIZE = 10.0  # of the run in the place of a table
_MAX_TITLES = 3  # lines between two rules that divide a table
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
    for grid in find_grids(rules)[:_MAX_GROUPS]:
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
    return any(_is_below(rule, box) for rule in rules)


def _is_below(rule: Rule, box: Box) -> bool:
    """Return whether a rule is as wide as a box and close below it."""
    is_close = 0 < box.bottom - rule.at < _MAX_ROW_HEIGHT
    return is_close and _has_ends(rule, Rule(box.bottom, box.left, box.right))


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
    free = [word for word in words if not _is_taken(word.center, word.y, taken)]
    groups = _groups(rules) if len(rules) <= _MAX_RULES else []
    for group in sorted(groups, key=_width_of, reverse=True)[:_MAX_GROUPS]:
        inside = _words_between(free, group)
        for box in _regions(group, inside):
            others = (*taken, *map(_box_of, tables))
            table = _banded(box, inside, rules)
            if is_table(table.rows) and not _overlaps_any(box, others):
                tables.append(table)
    return tables


def _words_between(words: Words, group: Sequence[Rule]) -> Words:
    """Return the words between the first and the last rule, which may be a bit wider than those."""
    area = Box(
        min(rule.low for rule in group) - 2 * _SLACK, group[-1].at - _SLACK,
        max(rule.high for rule in group) + 2 * _SLACK, group[0].at,
    )  # fmt: skip
    return [word for word in words if _is_in(word, area)]


def _is_in(word: TableWord, area: Box) -> bool:
    return area.left <= word.center <= area.right and area.bottom < word.y < area.top


def _banded(box: Box, words: Words, rules: Sequence[Rule]) -> PdfTable:
    own = [word for word in words if box.bottom < word.middle < box.top]
    inner = [rule for rule in rules if _is_within(rule, box)]
    return PdfTable(rows_of(own, inner), box)


def _is_within(rule: Rule, box: Box) -> bool:
    return box.bottom < rule.at < box.top and box.left - 3 * _SLACK < rule.low < box.right


def _width_of(group: Sequence[Rule]) -> float:
    return group[0].length


def _box_of(table: PdfTable) -> Box:
    return table.box


def _overlaps_any(box: Box, others: Iterable[Box]) -> bool:
    return any(_overlap(box, other) for other in others)


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


def _regions(group: list[Rule], words: Words) -> list[Box]:
    """Return the boxes of neighbouring bands between rules that hold cells."""
    left, right = min(rule.low for rule in group), max(rule.high for rule in group)
    ordered = sorted(words, key=_middle_of)
    kinds = [_band_kind(above, below, ordered) for above, below in pairwise(group)]
    regions: list[Box] = []
    for is_prose, run in groupby(enumerate(kinds), key=lambda band: band[1] == "prose"):
        bands = list(run)
        if not is_prose and any(kind == "cells" for _, kind in bands):
            top, bottom = group[bands[0][0]].at, group[bands[-1][0] + 1].at
            regions.append(Box(left, bottom, right, top))
    return regions


def _band_kind(above: Rule, below: Rule, words: Words) -> str:
    first = bisect_right(words, below.at, key=_middle_of)
    last = bisect_left(words, above.at, key=_middle_of)
    return _kind(lines_of(words[first:last]), above.length)


def _middle_of(word: TableWord) -> float:
    return word.middle


def _kind(lines: list[Words], width: float) -> str:
    """Return whether the lines between two rules are prose, cells, or neither."""
    parts = [parts_of(line, _COLUMN_GAP) for line in lines]
    half = 0.5 * len(parts)
    if not parts:
        return "empty"
    if sum(_fills(line, width) for line in parts) >= half:
        return "prose"
    if sum(len(line) > 1 for line in parts) >= half:
        return "cells"
    return "prose" if len(parts) > _MAX_TITLES else "empty"


def _fills(line: list[Words], width: float) -> bool:
    """Return whether a line is one long text."""
    return len(line) == 1 and line[0][-1].x1 - line[0][0].x0 > _PROSE * width


def _replaced(runs: list[WordRun], tables: list[PdfTable]) -> list[WordRun]:
    """Return the runs without the words of the tables, and a run for each table."""
    left = [part for run in runs for part in _outside(run, tables)]
    return left + [part for table in tables for part in _table_runs(table)]


def _table_runs(table: PdfTable) -> list[WordRun]:
    box = table.box
    above = [box.top + 1 + 12 * at for at in range(len(table.before))]
    below = [box.bottom - 1 - at / 100 for at in range(len(table.after))]
    texts = [
        *zip(reversed(table.before), above, strict=True),
        *zip(table.after, below, strict=True),
    ]
    around = [WordRun(text, box.left, box.right, y, _SIZE) for text, y in texts]
    return [*around, WordRun("\ufffc", box.left, box.right, box.top, _SIZE, table=table)]


def _outside(run: WordRun, tables: list[PdfTable]) -> list[WordRun]:
    """Return what no table has of a run, which may begin in one."""
    boxes = [box for box in map(_box_of, tables) if _is_beside(run, box)]
    kept = [word for word in run.words if not _is_between(word, boxes)]
    if len(kept) == len(run.words):
        return [run]
    if run.has_links:
        _keep_links(run, tables)
    if not kept:
        return []
    run.text = " ".join(word.text for word in kept)
    run.words, run.x0, run.x1 = kept, kept[0].x0, max(word.x1 for word in kept)
    return [run]


def _keep_links(run: WordRun, tables: list[PdfTable]) -> None:
    for table in tables:
        if _is_beside(run, table.box):
            inside = [word for word in run.words if _is_between(word, [table.box])]
            table.links += phrases_of(inside)


def _is_beside(run: WordRun, box: Box) -> bool:
    return box.bottom < run.y + 0.3 * run.size < box.top


def _is_between(word: PlacedWord, boxes: Sequence[Box]) -> bool:
    center = (word.x0 + word.x1) / 2
    return any(box.left - _SLACK <= center <= box.right + _SLACK for box in boxes)
