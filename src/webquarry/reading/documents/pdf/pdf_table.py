"""A table of a PDF page, and which rows of cells are one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median

from webquarry.reading.documents.pdf.page_objects import Box

LEADERS = re.compile(r"(?:\s?[.·…]\s?){4,}")  # dots between a title and its page number
_LEADER_SHARE = 0.3  # of the rows
_MAX_MEDIAN_CELL = 160  # characters
_MIN_AXIS, _MIN_BARE_AXIS = 5, 3  # labels; in a table without words
_PLAIN = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")
_MIN_FILLED = 0.3  # share of the cells
_MIN_SEVERAL = 0.3  # share of the rows with several cells
_FILLED_COLUMN = 0.7  # share of the rows with a number

Rows = Sequence[Sequence[str]]


@dataclass(slots=True)
class PdfTable:
    """Rows of cells; the lines of a cell have line breaks between them."""

    rows: list[list[str]]
    box: Box
    before: list[str] = field(default_factory=list[str])  # text inside its frame, above the cells
    after: list[str] = field(default_factory=list[str])  # and below them
    links: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # text, target


def is_table(rows: Rows) -> bool:
    """Return whether the rows are a table and not text or a drawing."""
    return len(rows) > 1 and _has_cells(rows) and not _has_axis(rows) and not _has_leaders(rows)


def _has_leaders(rows: Rows) -> bool:
    """Return whether dots lead to page numbers, as in a table of contents."""
    count = sum(any(map(LEADERS.search, row)) for row in rows)
    return count > _LEADER_SHARE * len(rows)


def has_numbers(rows: Rows) -> bool:
    """Return whether a column of the rows holds nothing but numbers."""
    least = _FILLED_COLUMN * (len(rows) - 1)
    columns = map(_filled, _columns(rows[1:]))
    return any(len(column) >= least and _are_numbers(column) for column in columns)


def _has_cells(rows: Rows) -> bool:
    """Return whether several rows have several cells, which are short enough."""
    cells = [cell for row in rows for cell in _filled(row)]
    columns = sum(map(any, _columns(rows)))
    several = sum(_has_several(row) for row in rows)
    if columns < 2 or several < max(2.0, _MIN_SEVERAL * len(rows)):
        return False
    is_filled = len(cells) >= _MIN_FILLED * len(rows) * columns
    return is_filled and median(map(len, cells)) <= _MAX_MEDIAN_CELL


def _has_several(row: Sequence[str]) -> bool:
    return len(_filled(row)) > 1


def _columns(rows: Rows) -> Iterator[tuple[str, ...]]:
    return zip(*rows, strict=True)


def _filled(cells: Sequence[str]) -> list[str]:
    return list(filter(None, cells))


def _has_axis(rows: Rows) -> bool:
    """Return whether a column holds the labels of a chart."""
    is_bare = all(map(_are_numbers, map(_filled, rows)))
    least = min(max(_MIN_BARE_AXIS, len(rows)), _MIN_AXIS) if is_bare else _MIN_AXIS
    return any(_is_axis(column, least) for column in _columns(rows))


def _is_axis(column: Sequence[str], least: int) -> bool:
    """Return whether so many numbers fall with one step."""
    numbers = [float(cell) for cell in map(_plain, column) if _is_plain(cell)]
    steps = (round(above - below, 6) for above, below in pairwise(numbers))
    return any(_is_step(step) and _count(run) >= least - 1 for step, run in groupby(steps))


def _is_step(step: float) -> bool:
    return step > 0 and step != 1  # years may fall


def _count(run: Iterator[float]) -> int:
    return len(list(run))


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(_is_plain(_plain(cell)) for cell in cells)


def _plain(cell: str) -> str:
    return cell.replace(",", "").removesuffix("%").replace("\u2212", "-")


def _is_plain(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None
