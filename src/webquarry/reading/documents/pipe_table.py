"""Rows of cells as a GitHub pipe table."""

import re
from collections.abc import Sequence

_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the table, its first row as header; empty outer columns are left out."""
    width = max((_filled(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    lines.insert(1, f"| {' | '.join(['---'] * width)} |")
    return "\n".join(lines)


def cell_text(value: str) -> str:
    """Return the value on one line, with what would end the cell escaped."""
    flat = _BREAKS.sub("<br>", value.strip()).replace("\t", " ")
    return flat.replace("|", "\\|")


def _filled(row: Sequence[str]) -> int:
    return max((place + 1 for place, value in enumerate(row) if value.strip()), default=0)


def _line(row: Sequence[str], width: int) -> str:
    cells = [cell_text(value) for value in row[:width]]
    return f"| {' | '.join(cells + [''] * (width - len(cells)))} |"
