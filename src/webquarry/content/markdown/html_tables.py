"""HTML tables: which ones hold data, and these as GitHub pipe tables."""

from collections.abc import Callable
from itertools import islice

from webquarry.content.html.dom import Element, attributes_of, children_of, text_of

_SECTION_TAGS = frozenset(("thead", "tbody", "tfoot"))
_BLOCK_TAGS = ("h1", "h2", "h3", "ul", "ol", "pre", "form", "article", "section", "blockquote", "p")
_MAX_CELL_BLOCKS = 12  # paragraphs, lists and headings: with more, the table lays out a page
_MAX_HEAVY_HEADED, _MAX_HEAVY = 0.5, 0.2  # share of cells with several such blocks
_MAX_COLUMNS = 60
_MAX_SPAN = 30


def table_rows(table: Element) -> list[list[Element]]:
    """Return the cells of the table's own rows; a caption is a row with one cell."""
    rows: list[list[Element]] = []
    for part in children_of(table):
        if part.tag == "caption":
            rows.append([part])
        elif part.tag in _SECTION_TAGS:
            rows += [_cells(row) for row in children_of(part) if row.tag == "tr"]
        elif part.tag == "tr":
            rows.append(_cells(part))
    return [row for row in rows if row]


def is_data_table(table: Element, rows: list[list[Element]]) -> bool:
    """Tell a table of data from one that only lays out the page."""
    if table.get("role") in ("presentation", "none"):
        return False
    has_header = any(cell.tag == "th" for row in rows for cell in row)
    if not has_header and next(table.iterdescendants("table"), None) is not None:
        return False
    widest = max(map(len, rows), default=0)
    if widest < 2 or (len(rows) < 2 and not has_header):
        return False
    return not _is_layout(rows, _MAX_HEAVY_HEADED if has_header else _MAX_HEAVY)


def _is_layout(rows: list[list[Element]], max_heavy: float) -> bool:
    """Tell whether the cells hold too many blocks for data."""
    # most cells hold nothing but text
    blocks = [sum(1 for _ in cell.iter(*_BLOCK_TAGS)) for row in rows for cell in row if len(cell)]
    heavy = sum(count > 1 for count in blocks)
    return heavy > max_heavy * sum(map(len, rows)) or max(blocks, default=0) > _MAX_CELL_BLOCKS


def write_data_table(table: Element, write_cell: Callable[[Element], str]) -> list[str] | None:
    """Return the table as chunks of Markdown, or None for a layout table."""
    rows = table_rows(table)
    captions = [text_of(row[0]) for row in rows if row[0].tag == "caption"]
    rows = [row for row in rows if row[0].tag != "caption"]
    if not is_data_table(table, rows):
        return None
    chunks = [caption for caption in captions if caption]
    grid, has_header = _grid(rows, write_cell)
    if grid:
        header = grid.pop(0) if has_header else [""] * len(grid[0])
        lines = [_line(header), _line(["---"] * len(header)), *map(_line, grid)]
        chunks.append("\n".join(lines))
    return chunks


def _cells(row: Element) -> list[Element]:
    return [cell for cell in children_of(row) if cell.tag in ("td", "th")]


def _grid(
    rows: list[list[Element]], write_cell: Callable[[Element], str]
) -> tuple[list[list[str]], bool]:
    """Return the written cells with their spans, and whether the first row is a header."""
    grid: list[list[str]] = []
    has_header = False
    covered: dict[int, int] = {}  # column -> rows that a cell above still spans
    for row in rows:
        line = _grid_line(row, covered, write_cell)
        if any(line):
            has_header = has_header if grid else _is_header(row)
            grid.append(line[:_MAX_COLUMNS])
    width = max(map(len, grid), default=0)
    return [line + [""] * (width - len(line)) for line in grid], has_header


def _grid_line(
    row: list[Element], covered: dict[int, int], write_cell: Callable[[Element], str]
) -> list[str]:
    """Return one row with empty cells where others span it; note in `covered` what it spans."""
    line: list[str] = []
    for cell in row:
        if covered:
            _skip_covered(line, covered)
        columns, rows = _spans(cell)
        if covered or rows > 1:  # most tables have no cell that spans rows
            for column in range(len(line), len(line) + columns):
                covered[column] = rows - 1
        line.append(write_cell(cell).replace("|", "\\|"))
        if columns > 1:
            line += [""] * (columns - 1)
    _skip_covered(line, covered)
    return line


def _skip_covered(line: list[str], covered: dict[int, int]) -> None:
    while covered.get(len(line), 0) > 0 and len(line) < _MAX_COLUMNS:
        covered[len(line)] -= 1
        line.append("")


def _spans(cell: Element) -> tuple[int, int]:
    """Return how many columns and rows the cell spans."""
    return (_span(cell, "colspan"), _span(cell, "rowspan")) if attributes_of(cell) else (1, 1)


def _span(cell: Element, name: str) -> int:
    value = cell.get(name)
    if value is None:
        return 1
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and len(value) < 6 else 1


def _is_header(row: list[Element]) -> bool:
    if all(cell.tag == "th" for cell in row):
        return True
    section = next(islice(row[0].iterancestors(), 1, None), None)
    return section is not None and section.tag == "thead"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
