"""Tables: which ones hold data, and their rows as a GitHub pipe table."""

from collections.abc import Callable

from webquarry.content.html.dom import Element, attributes_of, children_of, text_of

_PARTS = frozenset(("thead", "tbody", "tfoot"))
_HEAVY = ("h1", "h2", "h3", "ul", "ol", "pre", "form", "article", "section", "blockquote", "p")
_WHOLE_PAGE = 12  # paragraphs, lists and headings in one cell: an arranged page
_MAX_COLUMNS = 60
_MAX_SPAN = 30


def rows_of(table: Element) -> list[list[Element]]:
    """Return the cells of the table's own rows; a caption is a row of its own."""
    rows: list[list[Element]] = []
    for part in children_of(table):
        if part.tag == "caption":
            rows.append([part])
        elif part.tag in _PARTS:
            rows += [_cells(row) for row in children_of(part) if row.tag == "tr"]
        elif part.tag == "tr":
            rows.append(_cells(part))
    return [row for row in rows if row]


def is_data(table: Element, rows: list[list[Element]]) -> bool:
    """Tell a table of data from one that only arranges the page."""
    if table.get("role") in ("presentation", "none"):
        return False
    headed = any(cell.tag == "th" for row in rows for cell in row)
    if not headed and next(table.iterdescendants("table"), None) is not None:
        return False
    widest = max(map(len, rows), default=0)
    if widest < 2 or (len(rows) < 2 and not headed):
        return False
    # most cells hold nothing but text
    loads = [sum(1 for _ in cell.iter(*_HEAVY)) for row in rows for cell in row if len(cell)]
    heavy, cells = sum(load > 1 for load in loads), sum(map(len, rows))
    return heavy <= cells * (0.5 if headed else 0.2) and max(loads, default=0) <= _WHOLE_PAGE


def data_table(table: Element, write: Callable[[Element], str]) -> list[str] | None:
    """Return the table as chunks of Markdown, or None for a layout table."""
    rows = rows_of(table)
    captions = [text_of(row[0]) for row in rows if row[0].tag == "caption"]
    rows = [row for row in rows if row[0].tag != "caption"]
    if not is_data(table, rows):
        return None
    grid, headed = _grid(rows, write)
    if not grid:
        return [caption for caption in captions if caption]
    header = grid.pop(0) if headed else [""] * len(grid[0])
    lines = [_line(header), _line(["---"] * len(header)), *map(_line, grid)]
    return [*(caption for caption in captions if caption), "\n".join(lines)]


def _cells(row: Element) -> list[Element]:
    return [cell for cell in children_of(row) if cell.tag in ("td", "th")]


def _grid(
    rows: list[list[Element]], write: Callable[[Element], str]
) -> tuple[list[list[str]], bool]:
    """Lay the cells out with their spans; tell whether the first row with words is a header."""
    grid: list[list[str]] = []
    headed = False
    hanging: dict[int, int] = {}  # column -> rows that a cell above still covers
    for row in rows:
        line: list[str] = []
        for cell in row:
            if hanging:
                _skip_covered(line, hanging)
            wide, high = _spans(cell)
            if hanging or high > 1:  # most tables have no cell that reaches into the next row
                for column in range(len(line), len(line) + wide):
                    hanging[column] = high - 1
            line.append(write(cell).replace("|", "\\|"))
            if wide > 1:
                line += [""] * (wide - 1)
        _skip_covered(line, hanging)
        if any(line):
            headed = headed if grid else all(cell.tag == "th" for cell in row) or _in_head(row)
            grid.append(line[:_MAX_COLUMNS])
    width = max(map(len, grid), default=0)
    return [line + [""] * (width - len(line)) for line in grid], headed


def _skip_covered(line: list[str], hanging: dict[int, int]) -> None:
    while hanging.get(len(line), 0) > 0 and len(line) < _MAX_COLUMNS:
        hanging[len(line)] -= 1
        line.append("")


def _spans(cell: Element) -> tuple[int, int]:
    """Return how many columns and rows the cell covers."""
    return (_span(cell, "colspan"), _span(cell, "rowspan")) if attributes_of(cell) else (1, 1)


def _span(cell: Element, name: str) -> int:
    value = cell.get(name)
    if value is None:
        return 1
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and len(value) < 6 else 1


def _in_head(row: list[Element]) -> bool:
    above = row[0].getparent()
    above = above.getparent() if above is not None else None
    return above is not None and above.tag == "thead"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
