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
    text_of_words,
)

_SEPARATES = 0.6  # share of the height of a table that a rule between columns has
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
    for cell in cells:
        is_heading = repeat and cell.row <= first + 1 and cell.columns < width
        text = cell_lines(cell.words)
        for column in range(cell.column, cell.column + (cell.columns if is_heading else 1)):
            rows[cell.row - first][column] = text
    used = sorted({cell.column for cell in cells})
    return [[row[column] for column in used] for row in rows if any(row)]


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
