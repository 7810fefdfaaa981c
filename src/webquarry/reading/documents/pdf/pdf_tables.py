"""Finds tables on a PDF page: consecutive lines whose words stand in columns."""

from collections.abc import Sequence
from statistics import median

from webquarry.reading.documents.pdf.glyphs import WordRun
from webquarry.reading.documents.pdf.layout import PdfLine
from webquarry.reading.documents.pdf.pdf_table import LEADERS, has_numbers, is_table
from webquarry.reading.documents.pdf.table_rows import rows_of
from webquarry.reading.documents.pdf.table_words import words_of

_MAX_MEDIAN_CELL = 70  # characters; longer cells are prose in columns
_MAX_LINE_GAP = 2.6  # em between lines of one table
_HEADING_LINES = 4  # below a heading over columns
_HEADING_INDENT = 4.0  # em
_MAX_WRAPPED_LINES = 2
_MAX_LINES = 400  # of a table
_NEAR = 12  # lines above a single word that show its column
_MIN_EXAMINED, _EXAMINED = 2_000, 8  # lines in all, and for each line of the column
Column = tuple[float, float]  # left and right edge


class TableFinder:
    """Finds the tables of a column of lines, in time in proportion to their number."""

    def __init__(self, lines: Sequence[PdfLine]) -> None:
        self._lines = lines
        self._left = _MIN_EXAMINED + _EXAMINED * len(lines)

    def find(self, start: int) -> tuple[int, list[list[str]]] | None:
        """Return the number of lines of the table that starts here, and its rows."""
        part = _lines_with_cells(self._lines, start) if self._left > 0 else []
        self._left -= len(part)
        return _table_of(part)


def _lines_with_cells(lines: Sequence[PdfLine], start: int) -> list[PdfLine]:
    """Return the lines from here that may be a table."""
    first = start + _is_heading_over_columns(lines, start)
    if len(lines[first].runs) < 2 or LEADERS.search(lines[first].text):
        return []
    part = list(lines[start : _end(lines, first)])
    while len(part[-1].runs) < 2:
        part.pop()
    return part


def _table_of(lines: list[PdfLine]) -> tuple[int, list[list[str]]] | None:
    rows = rows_of(words_of(run for line in lines for run in line.runs)) if lines else []
    if not is_table(rows) or not _is_table(rows, len(rows[0])):
        return None
    is_code = lines[-1].mono and not has_numbers(rows)
    return None if is_code else (len(lines), rows)


def _is_heading_over_columns(lines: Sequence[PdfLine], start: int) -> bool:
    """Return whether a line alone stands over the columns of the table that begins below it."""
    line = lines[start]
    below = lines[start + 1 : start + 1 + _HEADING_LINES]
    if len(line.runs) > 1 or not below or len(below[0].runs) < 2 or _is_break(line, below[0]):
        return False
    return line.x0 > min(other.x0 for other in below) + _HEADING_INDENT * line.size


def _end(lines: Sequence[PdfLine], start: int) -> int:
    """Return where the sequence of lines with cells ends; a line may be part of a wrapped cell."""
    end = start + 1
    single = 0
    last = min(len(lines), start + _MAX_LINES)
    while end < last and not _is_break(lines[end - 1], lines[end]):
        line = lines[end]
        single = 0 if len(line.runs) > 1 else single + 1
        if single > _MAX_WRAPPED_LINES:
            break
        if single and not _is_in_one_column(line.runs[0], lines[max(start, end - _NEAR) : end]):
            break
        end += 1
    return end


def _is_break(above: PdfLine, line: PdfLine) -> bool:
    gap = above.y - line.y
    if gap < 0 or gap > _MAX_LINE_GAP * max(line.size, above.size):
        return True
    return line.mono != above.mono or LEADERS.search(line.text) is not None


def _is_in_one_column(run: WordRun, above: Sequence[PdfLine]) -> bool:
    """Return whether a single run stays inside one column of the lines above it."""
    columns = _columns([part for line in above for part in line.runs])
    touched = [column for column in columns if run.x0 < column[1] and run.x1 > column[0]]
    return len(columns) > 1 and len(touched) == 1 and run.x1 <= touched[0][1] + run.size


def _columns(runs: list[WordRun]) -> list[Column]:
    """Return the intervals of x that hold text and are separated by gaps."""
    columns: list[Column] = []
    for run in sorted(runs, key=lambda run: run.x0):
        if columns and run.x0 < columns[-1][1] + 0.3 * run.size:
            columns[-1] = (columns[-1][0], max(columns[-1][1], run.x1))
        else:
            columns.append((run.x0, run.x1))
    return columns


def _is_table(rows: list[list[str]], width: int) -> bool:
    if width < 2 or len(rows) < 3:
        return False
    if _has_empty_columns(rows, width) or _is_bullet_list(rows, width):
        return False
    with_cells = sum(sum(map(bool, row)) >= 2 for row in rows)
    if with_cells < 0.5 * len(rows):
        return False
    return median(len(cell) for row in rows for cell in row if cell) <= _MAX_MEDIAN_CELL


def _has_empty_columns(rows: list[list[str]], width: int) -> bool:
    """Return whether more than a third of the columns have fewer than two values."""
    if len(rows) <= 2:
        return False
    values = [sum(bool(row[column]) for row in rows) for column in range(width)]
    return sum(count < 2 for count in values) > width / 3


def _is_bullet_list(rows: list[list[str]], width: int) -> bool:
    """Return whether the first of two columns holds bullets only."""
    return width == 2 and all(len(row[0]) <= 3 and not row[0].isalnum() for row in rows)
