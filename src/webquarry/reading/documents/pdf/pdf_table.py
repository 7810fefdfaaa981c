"""A table of a PDF page, and which rows of cells are one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from webquarry.reading.documents.pdf.page_objects import Box

_MAX_MEDIAN_CELL = 160  # characters
_MIN_FILLED = 0.2  # share of the cells


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
    if len(cells) < _MIN_FILLED * len(rows) * columns:
        return False
    return median(map(len, cells)) <= _MAX_MEDIAN_CELL
