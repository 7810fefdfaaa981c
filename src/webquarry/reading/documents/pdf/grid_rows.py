"""Rows of a table with rules in both directions."""

from collections.abc import Sequence
from statistics import median

from webquarry.reading.documents.pdf.page_objects import Box
from webquarry.reading.documents.pdf.pdf_table import PdfTable, is_table
from webquarry.reading.documents.pdf.ruled_tables import GridCell, RuledGrid
from webquarry.reading.documents.pdf.table_rows import rows_of
from webquarry.reading.documents.pdf.table_words import (
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
_MAX_OUTSIDE = 0.35  # share of the width of a table that a column beside its rules has


def grid_rows(grid: RuledGrid, words: Words, box: Box) -> PdfTable | None:
    """Return the table of a grid; None where it is a frame or a drawing."""
    inside = [
        word for word in words
        if box.bottom < word.y + 0.3 * word.size < box.top and box.left < word.center < box.right
    ]  # fmt: skip
    if len(inside) < 2:
        return None
    cells = [cell for cell in grid.cells(inside) if cell.words]
    width = len(grid.xs) - 1
    cells = [part for cell in cells for part in _divided(cell, grid)]
    if _has_unruled_columns(cells, width):
        rows = _unruled(cells, grid)
        return PdfTable(rows, box) if is_table(rows) else None
    before = _frame_texts(cells, width)
    after = _frame_texts(sorted(cells, key=lambda cell: -cell.row), width)[::-1]
    own = [cell for cell in cells if cell not in before and cell not in after]
    if not own:
        return None
    if _has_unruled_rows(own):
        rows = _unruled(own, grid)
    elif is_table(_rows(own, width, repeat=False)):
        rows = _rows(own, width, repeat=True)
    else:
        rows = []
    if not is_table(rows):
        return None
    return PdfTable(rows, box, *(
        [" ".join(cell_lines(cell.words).split("\n")) for cell in part] for part in (before, after)
    ))  # fmt: skip


def _frame_texts(cells: Sequence[GridCell], width: int) -> list[GridCell]:
    """Return the first cells that fill the whole width: a title above, or notes below."""
    found: list[GridCell] = []
    for cell in sorted(cells, key=lambda cell: abs(cell.row - cells[0].row)):
        if cell.columns < width or width < 2:
            break
        found.append(cell)
    return found


def _rows(cells: Sequence[GridCell], width: int, *, repeat: bool) -> list[list[str]]:
    """Return the texts of the cells; one over several columns of the header is repeated."""
    first = min(cell.row for cell in cells)
    last = max(cell.row + cell.rows for cell in cells)
    rows = [[""] * width for _ in range(first, last)]
    for cell in (part for whole in cells for part in _shared(whole)):
        is_heading = repeat and cell.row <= first + 1 and cell.columns < width
        text = cell_lines(cell.words)
        for column in range(cell.column, cell.column + (cell.columns if is_heading else 1)):
            rows[cell.row - first][column] = text
    used = sorted({cell.column for cell in cells})
    return [[row[column] for column in used] for row in rows if any(row)]


def _divided(cell: GridCell, grid: RuledGrid) -> list[GridCell]:
    """Return the cells of a column without rules beside rows that have them."""
    if cell.rows < _MIN_DIVIDED:
        return [cell]
    parts: dict[int, Words] = {}
    lines = lines_of(cell.words)
    for line in lines:
        y = line[0].y + 0.3 * line[0].size
        row = sum(edge > y for edge in grid.ys) - 1
        parts.setdefault(row, []).extend(line)
    if len(parts) < _DIVIDED_SHARE * max(cell.rows, len(lines)):
        return [cell]
    return [GridCell(row, cell.column, 1, cell.columns, words) for row, words in parts.items()]


def _has_unruled_columns(cells: Sequence[GridCell], width: int) -> bool:
    """Return whether rules separate the rows, but most columns only in the header."""
    wide = [cell for cell in cells if cell.columns > max(0.6 * width, 1) or width == 1]
    several = sum(
        sum(len(parts_of(line, _COLUMN_GAP)) > 2 for line in lines_of(cell.words)) for cell in wide
    )
    return several > 2 and several >= 0.5 * len({cell.row for cell in cells})


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
    tall = [texts for texts in band if len(texts) > 2]
    if len(band) < 2 or len(tall) < 2:
        return False
    lines = [line for texts in tall for line in texts]
    numeric = sum(is_number(line.rpartition(" ")[2]) for line in lines)
    if numeric >= 0.4 * len(lines):
        return True
    counts = [len(texts) for texts in band]
    return min(counts) == max(counts) > 3 and median(map(len, lines)) < 25


def _unruled(cells: Sequence[GridCell], grid: RuledGrid) -> list[list[str]]:
    words = [word for cell in cells for word in cell.words]
    height = max(word.y for word in words) - min(word.y for word in words)
    separators = [
        x for x in grid.xs[1:-1]
        if sum(r.length for r in grid.vertical if abs(r.at - x) < 3) >= _SEPARATES * height
    ]  # fmt: skip
    return rows_of(words, grid.horizontal, separators)
