"""Groups the lines of a PDF page into paragraphs, headings, list items, code and tables."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from webquarry.reading.documents.pdf.hanging_indents import hanging_indents
from webquarry.reading.documents.pdf.layout import PdfLine
from webquarry.reading.documents.pdf.line_kinds import (
    BlockKind,
    BodyStyle,
    ColumnMetrics,
    line_kind,
)
from webquarry.reading.documents.pdf.pdf_table import LEADERS
from webquarry.reading.documents.pdf.pdf_tables import TableFinder
from webquarry.reading.documents.pdf.raised_numbers import (
    without_raised,
)
from webquarry.reading.documents.pdf.text_links import (
    TextLink,
    count_letters,
    links_of,
    phrases_of,
)

_SECTION = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\S")
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "”", '"', ")")
_FULL = 0.15  # of the width of the column
_MAX_LIST_GAP = 3.0  # em between lines of a list entry


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
    letters: int = 0  # and digits, of its lines
    links: list[TextLink] = field(default_factory=list[TextLink])
    phrases: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # of a table
    page: int = 0  # the first is 1
    is_ruled: bool = True  # of a table: rules show its cells
    is_first: bool = False  # of its column
    is_rest: bool = False  # of a list entry in the column before
    is_full: bool = False  # its last line ends at the right margin


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
    metrics = ColumnMetrics(column, hanging_indents(column, known), notes)
    finder = TableFinder(column)
    current: PdfBlock | None = None
    index = 0
    while index < len(column):
        line = column[index]
        kind = line_kind(line, body, metrics)
        table = _table(column, index, finder) if kind != "note" else None
        if table:
            if current:
                yield current
            current = None
            line_count, rows = table
            part = column[index : index + line_count]
            yield PdfBlock(
                "table", rows=rows, is_ruled=line.table is not None, phrases=_phrases(part)
            )
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


def _phrases(lines: Sequence[PdfLine]) -> list[tuple[str, str]]:
    """Return the links in a table, with their texts."""
    if lines[0].table:
        return lines[0].table.links
    linked = (run for line in lines if line.has_links for run in line.runs)
    return [phrase for run in linked for phrase in phrases_of(run.words)]


def _append(block: PdfBlock, line: PdfLine, kind: BlockKind, metrics: ColumnMetrics) -> None:
    is_laid_out = kind in ("code", "formula")
    text = _code_line(line, block) if is_laid_out else LEADERS.sub(" … ", line.text).strip()
    block.lines.append(text)
    if line.has_links:
        block.links += [link.moved(block.letters) for link in links_of(line.runs, text)]
    block.letters += count_letters(text)
    block.last = line
    block.is_full = line.x1 > metrics.right - _FULL * (metrics.right - metrics.left)


def _starts(
    block: PdfBlock, index: int, line: PdfLine, kind: BlockKind, metrics: ColumnMetrics
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


def _starts_block(block: PdfBlock, line: PdfLine, kind: BlockKind, metrics: ColumnMetrics) -> bool:
    last = block.last
    if last is None:
        return True
    gap = (last.y - line.y) / max(line.size, 1)
    kinds = {kind, block.kind}
    if kinds & {"code", "heading", "formula"}:
        max_gap = 1.9 if "heading" in kinds else 3 * metrics.leading
        continues = "heading" not in kinds or _continues_heading(block, line)
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


def _starts_paragraph(last: PdfLine, line: PdfLine, metrics: ColumnMetrics) -> bool:
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
