"""Lines of a page as paragraphs, headings, lists, code and tables."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from webquarry.reading.documents.pdf.layout import PdfLine
from webquarry.reading.documents.pdf.pdf_tables import LEADERS, table_at

BULLET = re.compile(r"^(?:[•●▪■◦○‣\u2043∙◆▸➢❖✓\uf0b7\uf0a7\uf0d8]|[-\u2013\u2014*·](?=\s))\s*")
_NUMBERED = re.compile(r"^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,4}\])\s+\S")
_SECTION = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\S")
_ENDS = (".", "!", "?", ":", "。", "”", '"', ")")
_LARGER = 1.12  # times the body size
_LONGEST_HEADING = 200

Kind = Literal["text", "heading", "item", "entry", "code", "table"]


@dataclass(slots=True)
class PdfBlock:
    """One paragraph or the like, its lines not yet joined."""

    kind: Kind
    lines: list[str] = field(default_factory=list[str])
    size: float = 0.0
    bold: bool = False
    indent: float = 0.0
    rows: list[list[str]] = field(default_factory=list[list[str]])
    last: PdfLine | None = None


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """What ordinary text of the document looks like."""

    size: float
    bold: bool


def body_of(pages: list[list[list[PdfLine]]]) -> BodyStyle:
    """Return the size and weight of most of the text."""
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for page in pages:
        for column in page:
            for line in column:
                sizes[round(line.size * 2) / 2] += len(line.text)
                weights[line.bold] += len(line.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    return BodyStyle(size, weights[True] > weights[False])


def blocks_of(column: list[PdfLine], body: BodyStyle) -> Iterator[PdfBlock]:
    """Yield the blocks of one column."""
    shape = _Shape(column)
    current: PdfBlock | None = None
    at = 0
    while at < len(column):
        line = column[at]
        table = table_at(column, at)
        if table is not None:
            if current is not None:
                yield current
                current = None
            taken, rows = table
            yield PdfBlock("table", rows=rows)
            at += taken
            continue
        kind = _kind(line, body, shape)
        if current is None or _is_new(current, line, kind, shape):
            if current is not None:
                yield current
            current = PdfBlock(kind, size=line.size, bold=line.bold, indent=line.x0)
        current.lines.append(_code_line(line, current) if kind == "code" else _tidy(line.text))
        current.last = line
        at += 1
    if current is not None:
        yield current


class _Shape:
    """The usual measures of a column."""

    def __init__(self, column: list[PdfLine]) -> None:
        self.left = min(line.x0 for line in column)
        self.right = max(line.x1 for line in column)
        gaps = [
            (above.y - below.y) / max(below.size, 1)
            for above, below in pairwise(column)
            if abs(above.size - below.size) < 1 and 0 < above.y - below.y < 3 * below.size
        ]
        self.leading = median(gaps) if gaps else 1.2


def _kind(line: PdfLine, body: BodyStyle, shape: _Shape) -> Kind:
    text = line.text
    if LEADERS.search(text):
        return "entry"  # of a table of contents
    if line.size >= _LARGER * body.size and len(text) <= _LONGEST_HEADING and _has_words(text):
        return "heading"
    if line.mono:
        return "code"
    short = len(text) <= 90 and line.x1 < shape.right - 0.1 * (shape.right - shape.left)
    titled = (
        line.bold and not body.bold and short and not text.rstrip().endswith((".", ",", ";", ":"))
    )
    if titled and line.size >= 0.95 * body.size and _has_words(text) and not BULLET.match(text):
        return "heading"
    return "item" if BULLET.match(text) or _NUMBERED.match(text) else "text"


def _has_words(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= 3


def _is_new(block: PdfBlock, line: PdfLine, kind: Kind, shape: _Shape) -> bool:
    last = block.last
    if last is None:
        return True
    gap = (last.y - line.y) / max(line.size, 1)
    apart = gap > 1.35 * shape.leading or gap < 0
    if kind == "code" or block.kind == "code":
        return kind != block.kind or gap > 3 * shape.leading
    if kind == "heading" or block.kind == "heading":
        alike = abs(line.size - block.size) < 0.6 and line.bold == block.bold
        return kind != block.kind or not alike or gap > 1.9 or bool(_SECTION.match(line.text))
    if (
        kind in ("item", "entry")
        or block.kind == "entry"
        or apart
        or abs(line.size - block.size) > 0.12 * block.size
    ):
        return True
    if block.kind == "item":
        # a hanging item goes on at its text; what goes back to the margin ends it
        return line.x0 < block.indent - 0.3 * line.size
    return _starts_paragraph(last, line, shape)


def _starts_paragraph(last: PdfLine, line: PdfLine, shape: _Shape) -> bool:
    em = line.size
    indented = line.x0 > last.x0 + 0.7 * em and last.x0 < shape.left + 0.7 * em
    short = last.x1 < shape.right - 0.15 * (shape.right - shape.left)
    ended = last.text.rstrip().endswith(_ENDS)
    return (indented and line.x0 < shape.left + 5 * em and ended) or (short and ended)


def _code_line(line: PdfLine, block: PdfBlock) -> str:
    """Return the line with the indentation and the gaps it has on the page."""
    run = line.runs[0]
    step = run.width / max(len(run.text), 1) or 5.0
    out = ""
    for part in line.runs:
        place = round((part.x0 - block.indent) / step)
        out += " " * min(max(place - len(out), 1 if out else 0), 100) + part.text
    return out


def _tidy(text: str) -> str:
    return LEADERS.sub(" … ", text).strip()
