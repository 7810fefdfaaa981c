"""Rows of cells as a Markdown table (GitHub pipe table), within the limits of a document."""

import re
from collections.abc import Iterable, Sequence

from webquarry.reading.documents.draft import MAX_COLUMNS, MAX_MARKDOWN, MAX_ROWS, DocumentDraft

_LINE_BREAKS = re.compile(r"(?:(?<!\s)[^\S\r\n]++)?[\r\n]\s*")
_MAX_EMPTY_ROWS = 100_000  # the rows after so many empty ones are not read


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the table, its first row as header; empty columns at the end are left out."""
    width = max((_width(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    lines.insert(1, f"| {' | '.join(['---'] * width)} |")
    return "\n".join(lines)


def cell_text(value: str) -> str:
    """Return the value on one line, with pipes escaped."""
    flat = _LINE_BREAKS.sub("<br>", value.strip()).replace("\t", " ")
    return flat.replace("|", "\\|")


def limit_rows(
    rows: Iterable[list[str]], draft: DocumentDraft, max_chars: int = MAX_MARKDOWN
) -> tuple[list[list[str]], int]:
    """Return the rows that have values and fit the limits, and the number of those that do not."""
    fitting: list[list[str]] = []
    size = left_out = empty = 0
    for row in rows:
        if not any(value.strip() for value in row):
            empty += 1
            if empty > _MAX_EMPTY_ROWS:
                break
            continue
        if len(fitting) > MAX_ROWS or size > max_chars:
            left_out += 1
            continue
        if len(row) > MAX_COLUMNS:
            draft.truncate(f"columns after the first {MAX_COLUMNS} were left out")
        fitting.append(row[:MAX_COLUMNS])
        size += sum(map(len, row)) + 3 * len(row)
    return fitting, left_out


def _width(row: Sequence[str]) -> int:
    return max((index + 1 for index, value in enumerate(row) if value.strip()), default=0)


def _line(row: Sequence[str], width: int) -> str:
    cells = [cell_text(value) for value in row[:width]]
    return f"| {' | '.join(cells + [''] * (width - len(cells)))} |"
