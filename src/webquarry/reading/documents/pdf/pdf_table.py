"""A table of a PDF page, and which rows of cells are one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from webquarry.reading.documents.pdf.page_objects import Box

_MAX_MEDIAN_CELL = 160  # characters
_MIN_AXIS = 5  # labels
_PLAIN = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")
_MIN_FILLED = 0.3  # share of the cells


@dataclass(slots=True)
class PdfTable:
    """Rows of cells; the lines of a cell have line breaks between them."""

    rows: list[list[str]]
    box: Box
    before: list[str] = field(default_factory=list[str])  # text inside its frame, above the cells
    after: list[str] = field(default_factory=list[str])  # and below them


def is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the rows are a table and not text or a drawing."""
    if len(rows) < 2:
        return False
    cells = [cell for row in rows for cell in row if cell]
    columns = sum(any(column) for column in zip(*rows, strict=True))
    several = sum(sum(map(bool, row)) > 1 for row in rows)
    if columns < 2 or several < 2 or several < 0.3 * len(rows):
        return False
    if len(cells) < _MIN_FILLED * len(rows) * columns or any(
        map(_is_axis, zip(*rows, strict=True))
    ):
        return False
    return median(map(len, cells)) <= _MAX_MEDIAN_CELL


def has_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a column of the rows holds nothing but numbers."""
    columns = zip(*rows[1:], strict=True)
    return any(
        all(_value(cell) is not None for cell in column if cell)
        and sum(map(bool, column)) >= 0.7 * (len(rows) - 1)
        for column in columns
    )


def _is_axis(column: Sequence[str]) -> bool:
    """Return whether a column holds the labels of an axis: falling numbers with one step."""
    numbers = [value for value in map(_value, column) if value is not None]
    run, last = 1, 0.0
    for above, below in pairwise(numbers):
        step = round(above - below, 6)
        run = run + 1 if step == last else 2
        last = step
        if run >= _MIN_AXIS and step > 0 and step != 1:
            return True
    return False


def _value(cell: str) -> float | None:
    plain = cell.replace(",", "").removesuffix("%").replace("\u2212", "-")
    return float(plain) if _PLAIN.fullmatch(plain) else None
