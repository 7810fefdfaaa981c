"""Comma, semicolon, tab and pipe separated values as a table."""

import csv
import io
from collections.abc import Iterator

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import (
    MAX_COLUMNS,
    MAX_MARKDOWN,
    MAX_ROWS,
    DocumentTask,
    Draft,
    Unreadable,
)
from webquarry.reading.documents.page_selection import ignored
from webquarry.reading.documents.pipe_table import pipe_table

_DELIMITERS = ",;\t|"
_SAMPLE = 64_000
_SAMPLE_ROWS = 40
_WIDEST_CELL = 10_000_000


def read_csv(task: DocumentTask) -> Draft:
    """Return the values as one table, cut at a number of rows."""
    draft = Draft("csv")
    ignored(task, draft)
    text = decode_page(task.data, task.content_type).text.replace("\x00", "").removeprefix("\ufeff")
    if not text.strip():
        raise Unreadable("is empty")
    csv.field_size_limit(_WIDEST_CELL)
    hint = _hinted(text)
    rows, more = _bounded(_rows(text, hint or _delimiter(text), skip=bool(hint)), draft)
    draft.markdown = pipe_table(rows)
    if more:
        draft.cut(f"{more:,} further rows were left out after the first {len(rows) - 1:,}")
    return draft


def _bounded(found: Iterator[list[str]], draft: Draft) -> tuple[list[list[str]], int]:
    rows: list[list[str]] = []
    size = more = 0
    for row in found:
        if not any(value.strip() for value in row):
            continue
        if len(rows) > MAX_ROWS or size > MAX_MARKDOWN:
            more += 1
            continue
        if len(row) > MAX_COLUMNS:
            draft.cut(f"columns after the first {MAX_COLUMNS} were left out")
        rows.append(row[:MAX_COLUMNS])
        size += sum(map(len, row)) + 3 * len(row)
    return rows, more


def _hinted(text: str) -> str:
    """Return the delimiter that Excel wrote into a first line like "sep=;"."""
    first = text[:16].partition("\n")[0].strip("\r ")
    return first[4] if len(first) == 5 and first.lower().startswith("sep=") else ""


def _rows(text: str, delimiter: str, *, skip: bool = False) -> Iterator[list[str]]:
    source = io.StringIO(text, newline="")
    if skip:
        source.readline()
    try:
        yield from csv.reader(source, delimiter=delimiter)
    except csv.Error as error:
        raise Unreadable(f"is broken: {error}") from error


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts the first rows into the most, equally wide, columns."""
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    return max(_DELIMITERS, key=lambda sign: _evenness(sample, sign))


def _evenness(sample: str, delimiter: str) -> float:
    widths: list[int] = []
    for row in _rows(sample, delimiter):
        if row:
            widths.append(len(row))
        if len(widths) >= _SAMPLE_ROWS:
            break
    if not widths:
        return 0.0
    usual = max(set(widths), key=widths.count)
    return (usual > 1) * (widths.count(usual) / len(widths) + min(usual, 50) / 100)
