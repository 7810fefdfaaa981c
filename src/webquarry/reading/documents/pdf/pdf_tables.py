"""Tables: lines whose words stand in columns."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from webquarry.reading.documents.pdf.glyphs import WordRun
from webquarry.reading.documents.pdf.layout import PdfLine

_LONGEST_CELL = 70  # characters, usual ones: longer is prose in columns
LEADERS = re.compile(r"(?:\s?[.·…]\s?){4,}")
_LOOSE = 2.6  # em between lines of one table


def table_at(lines: Sequence[PdfLine], start: int) -> tuple[int, list[list[str]]] | None:
    """Return how many lines a table takes from here on, and its rows."""
    if len(lines[start].runs) < 2 or lines[start].mono or LEADERS.search(lines[start].text):
        return None
    end = _end(lines, start)
    part = list(lines[start:end])
    while part and len(part[-1].runs) < 2:
        part.pop()
    bands = _bands([run for line in part for run in line.runs])
    rows = [_cells(line, bands) for line in part]
    if not _is_table(rows, bands):
        return None
    return len(part), _merged(part, rows)


def _end(lines: Sequence[PdfLine], start: int) -> int:
    """Return where the run of lines with cells ends; a wrapped cell may stand alone."""
    at = start + 1
    alone = 0
    while at < len(lines):
        line, before = lines[at], lines[at - 1]
        gap = before.y - line.y
        if (
            gap > _LOOSE * max(line.size, before.size)
            or gap < 0
            or line.mono
            or LEADERS.search(line.text)
        ):
            break
        alone = 0 if len(line.runs) > 1 else alone + 1
        if alone > 2 or (alone and not _fits(line.runs[0], lines[start:at])):
            break
        at += 1
    return at


def _fits(run: WordRun, above: Sequence[PdfLine]) -> bool:
    """Whether a lone run stays inside one column of the lines above it."""
    bands = _bands([part for line in above for part in line.runs])
    touched = [band for band in bands if run.x0 < band[1] and run.x1 > band[0]]
    return len(bands) > 1 and len(touched) == 1 and run.x1 <= touched[0][1] + run.size


def _bands(runs: list[WordRun]) -> list[tuple[float, float]]:
    """Return the stretches of x that hold text, as far as gaps separate them."""
    out: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda run: run.x0):
        if out and run.x0 < out[-1][1] + 0.3 * run.size:
            out[-1] = (out[-1][0], max(out[-1][1], run.x1))
        else:
            out.append((run.x0, run.x1))
    return out


def _cells(line: PdfLine, bands: list[tuple[float, float]]) -> list[str]:
    cells = [""] * len(bands)
    for run in line.runs:
        place = next((n for n, band in enumerate(bands) if run.x0 < band[1] + 0.1), len(bands) - 1)
        cells[place] = f"{cells[place]} {run.text}".strip()
    return cells


def _is_table(rows: list[list[str]], bands: list[tuple[float, float]]) -> bool:
    if len(bands) < 2 or len(rows) < (3 if len(bands) == 2 else 2):
        return False
    filled = [sum(1 for row in rows if row[place]) for place in range(len(bands))]
    if min(filled) < 2 and len(rows) > 2 and sum(1 for n in filled if n < 2) > len(bands) / 3:
        return False
    full = sum(1 for row in rows if sum(map(bool, row)) >= 2)
    if full < 0.5 * len(rows):
        return False
    bullets = sum(1 for row in rows if len(row[0]) <= 3 and not row[0].isalnum())
    if len(bands) == 2 and bullets == len(rows):
        return False  # a list, its bullets far from their text
    return median(len(cell) for row in rows for cell in row if cell) <= _LONGEST_CELL


def _merged(lines: list[PdfLine], rows: list[list[str]]) -> list[list[str]]:
    """Join the lines of wrapped cells: those much closer to the line above than rows are."""
    gaps = [above.y - below.y for above, below in pairwise(lines)]
    started = [gap for gap, row in zip(gaps, rows[1:], strict=True) if row[0]]
    usual = median(started) if started else 0.0
    out = [rows[0]]
    for gap, row in zip(gaps, rows[1:], strict=True):
        lone = sum(map(bool, row)) == 1
        close = gap < 0.8 * usual
        if (not row[0] and (close or lone)) or (lone and close):
            out[-1] = [f"{a} {b}".strip() for a, b in zip(out[-1], row, strict=True)]
        else:
            out.append(row)
    return out
