"""Groups the lines of a PDF page into paragraphs, headings, list items, code and tables."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from webquarry.reading.documents.pdf.hanging_indents import HangingIndents, hanging_indents
from webquarry.reading.documents.pdf.layout import PdfLine
from webquarry.reading.documents.pdf.pdf_tables import LEADERS, TableFinder
from webquarry.reading.documents.pdf.raised_numbers import (
    NOTE_NUMBER,
    number_of,
    without_raised,
)

BULLET = re.compile(r"^(?:[•●▪■◦○‣\u2043∙◆▸➢❖✓\uf0b7\uf0a7\uf0d8]|[-\u2013\u2014*·](?=\s))\s*")
_NUMBERED = re.compile(r"^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,4}\])\s+\S")
_SECTION = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\S")
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "”", '"', ")")
_HEADING_SIZE = 1.12  # times the body size
_MIN_MONO, _MONO_SHARE = 8, 0.7  # lines
_MIN_SPACES = 5  # in a line of prose
_WORDY = 0.8  # share of letters and spaces in prose
_MAX_HEADING = 200  # characters
_MAX_BOLD_HEADING = 90
_NOTE_SIZE = 0.95  # times the body size
_FULL = 0.15  # of the width of the column
_MAX_LIST_GAP = 3.0  # em between lines of a list entry

# an entry is a line of a table of contents
BlockKind = Literal["text", "heading", "item", "entry", "code", "table", "note"]


@dataclass(slots=True)
class PdfBlock:
    """A paragraph or another block, its lines not joined yet."""

    kind: BlockKind
    lines: list[str] = field(default_factory=list[str])
    size: float = 0.0
    bold: bool = False
    indent: float = 0.0
    rows: list[list[str]] = field(default_factory=list[list[str]])
    last: PdfLine | None = None
    page: int = 0  # the first is 1
    is_ruled: bool = True  # of a table: rules show its cells
    is_first: bool = False  # of its column
    is_rest: bool = False  # of a list entry in the column before
    is_full: bool = False  # its last line ends at the right margin


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """Size and weight of ordinary text in the document."""

    size: float
    bold: bool
    mono: bool = False  # prose in a monospaced font, which is not code


def body_of(pages: list[list[list[PdfLine]]]) -> BodyStyle:
    """Return the size and weight of most of the text."""
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for line in (line for page in pages for column in page for line in column):
        sizes[round(line.size * 2) / 2] += len(line.text)
        weights[line.bold] += len(line.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    return BodyStyle(size, weights[True] > weights[False], _is_mono_prose(pages))


def _is_mono_prose(pages: list[list[list[PdfLine]]]) -> bool:
    lines = [line for page in pages for column in page for line in column]
    mono = [line.text for line in lines if line.mono]
    if len(mono) < max(_MIN_MONO, _MONO_SHARE * len(lines)):
        return False
    return sum(map(_is_sentence, mono)) >= 0.5 * len(mono)


def _is_sentence(text: str) -> bool:
    return text.count(" ") >= _MIN_SPACES and _is_wordy(text)


def _is_wordy(text: str) -> bool:
    return sum(char.isalpha() or char.isspace() for char in text) >= _WORDY * len(text)


def document_blocks(
    pages: Sequence[list[list[PdfLine]]], body: BodyStyle, notes: Sequence[Set[str]]
) -> Iterator[list[PdfBlock]]:
    """Yield the blocks of each page; `notes`: the raised numbers in the text of each page."""
    known: Counter[int] = Counter()  # the indents of lists in other columns
    for column in (column for columns in pages for column in columns):
        hanging_indents(column, known)
    for columns, numbers in zip(pages, notes, strict=True):
        yield [block for column in columns for block in _blocks(column, body, known, numbers)]


def _blocks(
    column: list[PdfLine], body: BodyStyle, known: Counter[int], notes: Set[str]
) -> Iterator[PdfBlock]:
    """Yield the blocks of one column."""
    metrics = _ColumnMetrics(column, hanging_indents(column, known), notes)
    finder = TableFinder(column)
    current: PdfBlock | None = None
    index = 0
    while index < len(column):
        line = column[index]
        kind = _line_kind(line, body, metrics)
        table = _table(column, index, finder) if kind != "note" else None
        if table:
            if current:
                yield current
            current = None
            line_count, rows = table
            yield PdfBlock("table", rows=rows, is_ruled=line.table is not None)
            index += line_count
            continue
        if current is None or _starts(current, index, line, kind, metrics):
            if current:
                yield current
            current = PdfBlock(kind, size=line.size, bold=line.bold, indent=line.x0)
            current.is_first = index == 0
            current.is_rest = index == 0 and index in metrics.hanging.rests
        _append(current, line, kind, metrics)
        index += 1
    if current:
        yield current


def _table(
    column: list[PdfLine], index: int, finder: TableFinder
) -> tuple[int, list[list[str]]] | None:
    """Return the number of lines of the table that begins here, and its rows."""
    table = column[index].table
    return (1, table.rows) if table else finder.find(index)


def _append(block: PdfBlock, line: PdfLine, kind: BlockKind, metrics: "_ColumnMetrics") -> None:
    text = _code_line(line, block) if kind == "code" else LEADERS.sub(" … ", line.text).strip()
    block.lines.append(text)
    block.last = line
    block.is_full = line.x1 > metrics.right - _FULL * (metrics.right - metrics.left)


class _ColumnMetrics:
    """Margins and usual line spacing of a column."""

    def __init__(self, column: list[PdfLine], hanging: HangingIndents, notes: Set[str]) -> None:
        self.hanging = hanging
        self.notes = notes
        self.left = min(line.x0 for line in column)
        self.right = max(line.x1 for line in column)
        gaps = [
            (above.y - below.y) / max(below.size, 1)
            for above, below in pairwise(column)
            if abs(above.size - below.size) < 1 and 0 < above.y - below.y < 3 * below.size
        ]
        self.leading = median(gaps) if gaps else 1.2  # em between baselines


def _line_kind(line: PdfLine, body: BodyStyle, metrics: _ColumnMetrics) -> BlockKind:
    if LEADERS.search(line.text):
        return "entry"
    if _is_large_heading(line, body):
        return "heading"
    if line.mono and not (body.mono and _is_wordy(line.text)):
        return "code"
    if _is_bold_heading(line, body, metrics):
        return "heading"
    if _is_note(line, body, metrics.notes):
        return "note"
    return "item" if BULLET.match(line.text) or _NUMBERED.match(line.text) else "text"


def _is_large_heading(line: PdfLine, body: BodyStyle) -> bool:
    is_large = line.size >= _HEADING_SIZE * body.size
    return is_large and len(line.text) <= _MAX_HEADING and _has_words(line.text)


def _is_bold_heading(line: PdfLine, body: BodyStyle, metrics: _ColumnMetrics) -> bool:
    """Return whether a short bold line of usual size stands out from lighter text."""
    if not line.bold or body.bold or line.size < 0.95 * body.size:
        return False
    text = line.text.rstrip()
    right_tenth = metrics.right - 0.1 * (metrics.right - metrics.left)
    if len(line.text) > _MAX_BOLD_HEADING or line.x1 >= right_tenth:
        return False
    return not text.endswith((".", ",", ";", ":")) and _has_words(text) and not BULLET.match(text)


def _is_note(line: PdfLine, body: BodyStyle, notes: Set[str]) -> bool:
    """Tell whether a footnote starts: small text after a number that is raised in the text."""
    number = NOTE_NUMBER.match(line.text)
    if number is None or number_of(number[1]) not in notes:
        return False
    return line.size <= _NOTE_SIZE * body.size or not number[1].isascii()


def _has_words(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= 3


def _starts(
    block: PdfBlock, index: int, line: PdfLine, kind: BlockKind, metrics: _ColumnMetrics
) -> bool:
    """Tell whether a line starts a block: in a list with hanging indents, its place tells."""
    if {kind, block.kind} <= {"text", "item"}:
        if index in metrics.hanging.starts:
            return True
        if index in metrics.hanging.rests and _is_next(block, line):
            return False
    return _starts_block(block, line, kind, metrics)


def _is_next(block: PdfBlock, line: PdfLine) -> bool:
    return block.last is not None and 0 < block.last.y - line.y <= _MAX_LIST_GAP * line.size


def _starts_block(block: PdfBlock, line: PdfLine, kind: BlockKind, metrics: _ColumnMetrics) -> bool:
    last = block.last
    if last is None:
        return True
    gap = (last.y - line.y) / max(line.size, 1)
    kinds = {kind, block.kind}
    if kinds & {"code", "heading"}:
        max_gap = 3 * metrics.leading if "code" in kinds else 1.9
        continues = "code" in kinds or _continues_heading(block, line)
        return len(kinds) > 1 or gap > max_gap or not continues
    if kind in ("item", "note") or "entry" in kinds or not 0 <= gap <= 1.35 * metrics.leading:
        return True
    if abs(line.size - block.size) > 0.12 * block.size:
        return True
    if block.kind in ("item", "note"):
        # the lines of an item are indented; a line at the margin ends it
        return block.kind == "item" and line.x0 < block.indent - 0.3 * line.size
    return _starts_paragraph(last, line, metrics)


def _continues_heading(block: PdfBlock, line: PdfLine) -> bool:
    is_same_style = abs(line.size - block.size) < 0.6 and line.bold == block.bold
    return is_same_style and not _SECTION.match(line.text)


def _starts_paragraph(last: PdfLine, line: PdfLine, metrics: _ColumnMetrics) -> bool:
    if not without_raised(last.text).endswith(_SENTENCE_ENDS):
        return False
    if last.x1 < metrics.right - 0.15 * (metrics.right - metrics.left):
        return True  # the last line of a paragraph is short
    em = line.size
    is_indented = line.x0 > last.x0 + 0.7 * em and last.x0 < metrics.left + 0.7 * em
    return is_indented and line.x0 < metrics.left + 5 * em


def _code_line(line: PdfLine, block: PdfBlock) -> str:
    """Return the line with the indentation and the gaps it has on the page."""
    first = line.runs[0]
    char_width = first.width / max(len(first.text), 1) or 5.0
    text = ""
    for run in line.runs:
        column = round((run.x0 - block.indent) / char_width)
        text += " " * min(max(column - len(text), 1 if text else 0), 100) + run.text
    return text
