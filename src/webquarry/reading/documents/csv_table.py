"""Delimiter-separated values (comma, semicolon, tab, pipe) as a table."""

import csv
import io
from collections.abc import Iterator

from webquarry.content.html.charset import decode_page
from webquarry.content.text.length_limits import cap_text
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.pipe_table import limit_rows, pipe_table

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 64_000
_SAMPLE_ROWS = 40
_MAX_CELL_CHARS = 10_000_000


def read_csv(task: DocumentTask) -> DocumentDraft:
    """Return the values as one table, up to a maximum number of rows."""
    draft = DocumentDraft("csv")
    warn_if_pages_requested(task, draft)
    text = decode_page(task.data, task.content_type).replace("\x00", "").removeprefix("\ufeff")
    if not text.strip():
        raise UnreadableDocument("is empty")
    csv.field_size_limit(_MAX_CELL_CHARS)
    hint = _declared_delimiter(text)
    rows, more = limit_rows(_rows(text, hint or _delimiter(text), skip=bool(hint)), draft)
    draft.markdown = pipe_table(rows)
    if more:
        draft.truncate(f"{more:,} further rows were left out after the first {len(rows) - 1:,}")
    return draft


def _declared_delimiter(text: str) -> str:
    """Return the delimiter that a first line like "sep=;" declares (written by Excel)."""
    first = text[:16].partition("\n")[0].strip("\r ")
    return first[4] if len(first) == 5 and first.lower().startswith("sep=") else ""


def _rows(text: str, delimiter: str, *, skip: bool = False) -> Iterator[list[str]]:
    source = io.StringIO(text, newline="")
    if skip:
        source.readline()
    try:
        yield from csv.reader(source, delimiter=delimiter)
    except csv.Error as error:
        raise UnreadableDocument(f"is broken: {error}") from error


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the first rows into the most regular columns."""
    sample = cap_text(text, _SAMPLE_CHARS)
    if len(text) > _SAMPLE_CHARS:
        sample = sample[: sample.rfind("\n") + 1] or sample
    return max(_DELIMITERS, key=lambda delimiter: _regularity(sample, delimiter))


def _regularity(sample: str, delimiter: str) -> float:
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
