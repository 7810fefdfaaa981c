"""Rows of a table with rules in both directions."""

from collections.abc import Sequence
from itertools import chain, takewhile
from operator import itemgetter
from statistics import median

from webquarry.reading.documents.pdf.page_objects import Box
from webquarry.reading.documents.pdf.pdf_table import PdfTable, is_table
from webquarry.reading.documents.pdf.ruled_tables import GridCell, RuledGrid
from webquarry.reading.documents.pdf.table_edges import is_near
from webquarry.reading.documents.pdf.table_rows import rows_of
from webquarry.reading.documents.pdf.table_words import (
    TableWord,
    Words,
    cell_lines,
    is_number,
    lines_of,
    parts_of,
    text_of_words,
)

_SEPARATES = 0.6  # share of the height of a table that a rule between columns has
_MIN_DIVIDED = 3  # rows
_DIVIDED_SHARE = 0.7  # of the rows has a line
_HEADING_GAP = 1.5  # em between two headings in one cell
_COLUMN_GAP = 0.8  # em between two cells
_SAME_COLUMN = 3.0  # points
_MIN_CELLS = 2
_WIDE = 0.6  # share of the columns that a cell without rules spans
_HEADING_ROWS = 2  # whose cells over several columns are repeated
_MAX_WRAPPED, _MAX_LEVEL = 2, 3  # lines of a cell that hold one text
_NUMERIC = 0.4  # share of lines with a number
_SHORT = 25  # characters


def grid_rows(grid: RuledGrid, words: Words, box: Box) -> PdfTable | None:
    """Return the table of a grid; None where it is a frame or a drawing."""
    cells = _filled_cells(grid, [word for word in words if _is_inside(word, box)])
    if len(cells) < _MIN_CELLS:
        return None
    width = len(grid.xs) - 1
    if _has_unruled_columns(cells, width):
        return _checked(PdfTable(_unruled(cells, grid), box))
    before = _frame_texts(cells, width)
    after = _frame_texts(sorted(cells, key=_from_below), width)[::-1]
    own = [cell for cell in cells if cell not in [*before, *after]]
    rows = _own_rows(own, grid) if own else []
    return _checked(PdfTable(rows, box, _texts(before), _texts(after)))


def _filled_cells(grid: RuledGrid, words: Words) -> list[GridCell]:
    filled = filter(_words_of, grid.cells(words))
    return [part for cell in filled for part in _divided(cell, grid)]


def _is_inside(word: TableWord, box: Box) -> bool:
    return box.bottom < word.middle < box.top and box.left < word.center < box.right


def _words_of(cell: GridCell) -> Words:
    return cell.words


def _from_below(cell: GridCell) -> int:
    return -cell.row


def _checked(table: PdfTable) -> PdfTable | None:
    return table if is_table(table.rows) else None


def _texts(cells: Sequence[GridCell]) -> list[str]:
    return [" ".join(cell_lines(cell.words).split("\n")) for cell in cells]


def _own_rows(cells: Sequence[GridCell], grid: RuledGrid) -> list[list[str]]:
    """Return the rows between the rules; headings are repeated in what is a table without that."""
    width = len(grid.xs) - 1
    if _has_unruled_rows(cells):
        return _unruled(cells, grid)
    rows = _rows(cells, width, headings=0)
    return _rows(cells, width, headings=_HEADING_ROWS) if is_table(rows) else []


def _frame_texts(cells: Sequence[GridCell], width: int) -> list[GridCell]:
    """Return the first cells that fill the whole width: a title above, or notes below."""
    if width < _MIN_CELLS:
        return []
    first = cells[0].row
    ordered = sorted(cells, key=lambda cell: abs(cell.row - first))
    return list(takewhile(lambda cell: cell.columns >= width, ordered))


def _rows(cells: Sequence[GridCell], width: int, *, headings: int) -> list[list[str]]:
    """Return the texts of the cells; in the first rows one over several columns is repeated."""
    first = min(map(_first_row, cells))
    rows = [[""] * width for _ in range(first, max(map(_end_row, cells)))]
    for cell in chain.from_iterable(map(_shared, cells)):
        is_heading = cell.row < first + headings and cell.columns < width
        text = cell_lines(cell.words)
        for column in range(cell.column, cell.column + (cell.columns if is_heading else 1)):
            rows[cell.row - first][column] = text
    used = sorted(set(map(_first_column, cells)))
    return [list(itemgetter(*used)(row)) for row in filter(any, rows)] if len(used) > 1 else []


def _first_row(cell: GridCell) -> int:
    return cell.row


def _end_row(cell: GridCell) -> int:
    return cell.row + cell.rows


def _first_column(cell: GridCell) -> int:
    return cell.column


def _divided(cell: GridCell, grid: RuledGrid) -> list[GridCell]:
    """Return the cells of a column without rules beside rows that have them."""
    if cell.rows < _MIN_DIVIDED:
        return [cell]
    parts: dict[int, Words] = {}
    lines = lines_of(cell.words)
    for line in lines:
        parts.setdefault(grid.row_of(line[0].middle), []).extend(line)
    if len(parts) < _DIVIDED_SHARE * max(cell.rows, len(lines)):
        return [cell]
    return [GridCell(row, cell.column, 1, cell.columns, words) for row, words in parts.items()]


def _has_unruled_columns(cells: Sequence[GridCell], width: int) -> bool:
    """Return whether rules separate the rows, but most columns only in the header."""
    least = max(_WIDE * width, 1.0) if width > 1 else 0.0
    wide = (cell for cell in cells if cell.columns > least)
    several = sum(_lines_with_cells(cell) for cell in wide)
    return several > 2 and several >= 0.5 * len(set(map(_first_row, cells)))


def _lines_with_cells(cell: GridCell) -> int:
    """Return how many lines of a cell have three parts or more."""
    return sum(len(parts_of(line, _COLUMN_GAP)) > 2 for line in lines_of(cell.words))


def _shared(cell: GridCell) -> list[GridCell]:
    """Divide a cell over several columns among the headings that stand apart in it."""
    lines = lines_of(cell.words)
    parts = parts_of(lines[0], _HEADING_GAP)
    width, rest = divmod(cell.columns, len(parts))
    if len(lines) > 1 or len(parts) < 2 or rest or not width:
        return [cell]
    return [
        GridCell(cell.row, cell.column + number * width, cell.rows, width, part)
        for number, part in enumerate(parts)
    ]


def _has_unruled_rows(cells: Sequence[GridCell]) -> bool:
    """Return whether some cells hold a column of values without rules between them."""
    bands: dict[int, list[list[str]]] = {}
    for cell in cells:
        texts = [text_of_words(line) for line in lines_of(cell.words)]
        bands.setdefault(cell.row, []).append(texts)
    return any(_is_stacked(band) for band in bands.values())


def _is_stacked(band: list[list[str]]) -> bool:
    """Return whether the cells of a row hold one value in each line."""
    tall = [texts for texts in band if len(texts) > _MAX_WRAPPED]
    if len(tall) < _MIN_CELLS:
        return False
    lines = list(chain.from_iterable(tall))
    numeric = sum(map(_ends_with_number, lines))
    return numeric >= _NUMERIC * len(lines) or _are_level(band, lines)


def _ends_with_number(line: str) -> bool:
    return is_number(line.rpartition(" ")[2])


def _are_level(band: list[list[str]], lines: list[str]) -> bool:
    """Return whether all cells have the same number of short lines."""
    counts = set(map(len, band))
    return len(counts) == 1 and counts.pop() > _MAX_LEVEL and median(map(len, lines)) < _SHORT


def _unruled(cells: Sequence[GridCell], grid: RuledGrid) -> list[list[str]]:
    words = [word for cell in cells for word in cell.words]
    heights = [word.y for word in words]
    least = _SEPARATES * (max(heights) - min(heights))
    separators = [x for x in grid.xs[1:-1] if _ruled_height(grid, x) >= least]
    return rows_of(words, grid.horizontal, separators)


def _ruled_height(grid: RuledGrid, x: float) -> float:
    """Return how long the rules at this place are."""
    return sum(rule.length for rule in grid.vertical if is_near(rule.at, x, _SAME_COLUMN))
