"""Rows of a table that has no rules between them: lines, wrapped cells and headings."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from webquarry.reading.documents.pdf.page_rules import Rule
from webquarry.reading.documents.pdf.table_columns import Columns, find_columns, split_line
from webquarry.reading.documents.pdf.table_header import header_rows
from webquarry.reading.documents.pdf.table_words import (
    Words,
    is_number,
    lines_of,
    parts_of,
    text_of_words,
)

_MAX_LINE_WORDS, _MAX_COLUMNS = 400, 150  # with more it is a drawing
_MAX_HEADER = 8  # lines
_WIDE = 0.7  # share of the width of a table that a rule below its header has
_FULL = 0.92  # share of the longest rule
_CLOSE = 0.88  # of the usual distance: the line belongs to the row above
_NUMERIC = 0.5  # share of numbers in a table of numbers
_ROW_GAP = 1.25  # times the distance of lines of one row


@dataclass(slots=True)
class _Row:
    cells: list[str]
    y: float
    last_y: float
    indent: float
    size: float = field(default=10.0)
    is_wide: bool = False  # a part of it is over several columns

    @property
    def filled(self) -> int:
        return sum(map(bool, self.cells))

    @property
    def is_single_text(self) -> bool:
        """Return whether it has one cell, which is no number."""
        return self.filled == 1 and not _has_number(self)

    @property
    def begins_low(self) -> bool:
        """Return whether a cell begins in the middle of a sentence."""
        return any(cell[:1].islower() for cell in self.cells)

    def add(self, other: "_Row") -> None:
        self.cells = [
            f"{a}\n{b}" if a and b else a or b for a, b in zip(self.cells, other.cells, strict=True)
        ]
        self.last_y = other.y


def rows_of(
    words: Words, rules: Sequence[Rule] = (), separators: Sequence[float] = ()
) -> list[list[str]]:
    """Return the rows of the words of a table; rules are its horizontal ones."""
    lines = lines_of(words)
    if not lines or max(map(len, lines)) > _MAX_LINE_WORDS:
        return []
    width = max(word.x1 for word in words) - min(word.x0 for word in words)
    wide = [rule for rule in rules if rule.length >= _WIDE * width]
    start = header_end(lines, wide)
    columns = find_columns(lines[start:] or lines, separators)
    if not 1 < len(columns) <= _MAX_COLUMNS:
        return []
    head = header_rows(lines[:start], columns, rules)
    body = _merged([_row(line, columns) for line in lines[start:]], wide)
    return [*head, *(row.cells for row in body)]


def header_end(lines: Sequence[Words], wide: Sequence[Rule]) -> int:
    """Return the number of lines of the header."""
    # a shorter rule is below headings of a part of the columns
    least = _FULL * max((rule.length for rule in wide), default=0.0)
    full = sorted((rule.at for rule in wide if rule.length >= least), reverse=True)
    counts = (sum(line[0].y > at for line in lines) for at in full[:_MAX_HEADER])
    above = next((count for count in counts if 0 < count < len(lines)), 0)
    if 0 < above <= min(_MAX_HEADER, 0.6 * len(lines) + 2):
        return above
    return _lines_before_numbers(lines)


def _lines_before_numbers(lines: Sequence[Words]) -> int:
    for number, line in enumerate(lines[: _MAX_HEADER + 1]):
        values = [text_of_words(part) for part in parts_of(line)[1:]]
        numeric = sum(all(map(is_number, value.split())) for value in values)
        if number and values and numeric >= _NUMERIC * len(values):
            return number
    return 1 if len(lines) > 1 else 0


def _row(line: Words, columns: Columns) -> _Row:
    cells = [""] * len(columns)
    is_wide = False
    for first, last, part in split_line(line, columns):
        cells[first] = f"{cells[first]} {text_of_words(part)}".strip()
        is_wide = is_wide or first != last
    return _Row(cells, line[0].y, line[0].y, line[0].x0, line[0].size, is_wide)


def _merged(rows: list[_Row], wide: Sequence[Rule]) -> list[_Row]:
    """Join the lines of wrapped cells."""
    if len(rows) < 2:
        return rows
    if _are_bands(rows, wide):
        return _merged_bands(rows, wide)
    gaps = [above.y - below.y for above, below in pairwise(rows)]
    least = 0.0 if _is_numeric(rows) else _line_gap(gaps)
    if least and _are_wrapped(rows, gaps, _ROW_GAP * least):
        return _merged_by_gaps(rows, _ROW_GAP * least)
    return _merged_by_cells(rows, _usual_gap(rows, gaps))


def _usual_gap(rows: Sequence[_Row], gaps: Sequence[float]) -> float:
    """Return the distance from the line above of lines that begin a row."""
    full = [gap for gap, row in zip(gaps, rows[1:], strict=True) if row.cells[0] and row.filled > 1]
    return median(full) if full else 0.0


def _merged_by_cells(rows: list[_Row], usual: float) -> list[_Row]:
    merged = [rows[0]]
    for row in rows[1:]:
        if _continues(merged[-1], row, is_close=merged[-1].last_y - row.y < _CLOSE * usual):
            merged[-1].add(row)
        else:
            merged.append(row)
    return merged


def _continues(above: _Row, row: _Row, *, is_close: bool) -> bool:
    """Return whether the line goes on with wrapped cells of the row above."""
    if not row.cells[0]:
        return _wraps_cells(above, row) and (is_close or row.is_single_text)
    if row.filled > 1 or above.filled < 2:
        return False
    is_indented = row.indent > above.indent + 0.3 * row.size
    return (is_close and is_indented) or row.begins_low


def _wraps_cells(above: _Row, row: _Row) -> bool:
    """Return whether each cell of a line without a first cell stands below another."""
    pairs = zip(above.cells, row.cells, strict=True)
    return not row.is_wide and all(upper or not lower for upper, lower in pairs)


def _has_number(row: _Row) -> bool:
    return any(is_number(cell) for cell in row.cells)


def _is_numeric(rows: Sequence[_Row]) -> bool:
    values = [cell for row in rows for cell in row.cells[1:] if cell]
    numbers = sum(any(char.isdigit() for char in cell) and len(cell) < 20 for cell in values)
    return numbers >= _NUMERIC * len(values)


def _line_gap(gaps: Sequence[float]) -> float:
    """Return the distance of lines inside rows, if rows are clearly further apart."""
    near, far = min(gaps), max(gaps)
    if near <= 0 or far < 1.3 * near:
        return 0.0
    inside = sum(gap < _ROW_GAP * near for gap in gaps)
    return near if 0.25 * len(gaps) <= inside < len(gaps) else 0.0


def _are_wrapped(rows: Sequence[_Row], gaps: Sequence[float], most: float) -> bool:
    """Return whether lines close to the one above go on with its cells."""
    close = [(above, row) for (above, row), gap in zip(pairwise(rows), gaps, strict=True)
             if gap < most]  # fmt: skip
    fresh = sum(
        row.filled > 1 and row.filled >= above.filled and not row.begins_low for above, row in close
    )
    return fresh <= 0.4 * len(close)


def _merged_by_gaps(rows: list[_Row], most: float) -> list[_Row]:
    merged = [rows[0]]
    for row in rows[1:]:
        if merged[-1].last_y - row.y < most:
            merged[-1].add(row)
        else:
            merged.append(row)
    return merged


def _are_bands(rows: Sequence[_Row], wide: Sequence[Rule]) -> bool:
    """Return whether rules separate the rows, so that what is between two rules is one row."""
    inner = [rule for rule in wide if rows[-1].y < rule.at < rows[0].y]
    if len(inner) < 2 or len(rows) > 12 * (len(inner) + 1):
        return False
    bands = _bands(rows, wide)
    return sum(_is_one_row(band) for band in bands) >= 0.7 * len(bands)


def _bands(rows: Sequence[_Row], wide: Sequence[Rule]) -> list[list[_Row]]:
    heights = sorted(rule.at for rule in wide)
    bands: dict[int, list[_Row]] = {}
    for row in rows:
        bands.setdefault(bisect_right(heights, row.y), []).append(row)
    return list(bands.values())


def _is_one_row(band: Sequence[_Row]) -> bool:
    full = sum(row.filled > 1 and _has_number(row) for row in band)
    return full <= 1


def _merged_bands(rows: list[_Row], wide: Sequence[Rule]) -> list[_Row]:
    merged: list[_Row] = []
    for band in _bands(rows, wide):
        for row in band[1:]:
            band[0].add(row)
        merged.append(band[0])
    return merged
