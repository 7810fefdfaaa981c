"""What a line of a PDF page is: text, a heading, an item of a list, code, a formula, a note."""

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal

from webquarry.reading.documents.pdf.formula_lines import is_formula
from webquarry.reading.documents.pdf.hanging_indents import HangingIndents
from webquarry.reading.documents.pdf.layout import PdfLine
from webquarry.reading.documents.pdf.pdf_table import LEADERS
from webquarry.reading.documents.pdf.raised_numbers import NOTE_NUMBER, number_of

BULLET = re.compile(r"^(?:[•●▪■◦○‣\u2043∙◆▸➢❖✓\uf0b7\uf0a7\uf0d8]|[-\u2013\u2014*·](?=\s))\s*")
_NUMBERED = re.compile(r"^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,4}\])\s+\S")
_HEADING_SIZE = 1.12  # times the body size
_MIN_MONO, _MONO_SHARE = 8, 0.7  # lines
_MIN_SPACES = 5  # in a line of prose
_WORDY = 0.8  # share of letters and spaces in prose
_MAX_HEADING = 200  # characters
_MAX_BOLD_HEADING = 90
_NOTE_SIZE = 0.95  # times the body size
_DISPLAYED = 1.0  # em

# an entry is a line of a table of contents
BlockKind = Literal["text", "heading", "item", "entry", "code", "table", "note", "formula"]


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


class ColumnMetrics:
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


def line_kind(line: PdfLine, body: BodyStyle, metrics: ColumnMetrics) -> BlockKind:
    """Return what a line is by itself."""
    if LEADERS.search(line.text):
        return "entry"
    if _is_large_heading(line, body):
        return "heading"
    if is_formula(line.text) and _is_displayed(line, metrics):
        return "formula"
    return _kind_of_text(line, body, metrics)


def _kind_of_text(line: PdfLine, body: BodyStyle, metrics: ColumnMetrics) -> BlockKind:
    if line.mono and not (body.mono and _is_wordy(line.text)):
        return "code"
    if _is_bold_heading(line, body, metrics):
        return "heading"
    if _is_note(line, body, metrics.notes):
        return "note"
    return "item" if BULLET.match(line.text) or _NUMBERED.match(line.text) else "text"


def _is_displayed(line: PdfLine, metrics: ColumnMetrics) -> bool:
    """Return whether a line stands apart from the margin, as formulas and centered text do."""
    return line.x0 > metrics.left + _DISPLAYED * line.size


def _is_large_heading(line: PdfLine, body: BodyStyle) -> bool:
    is_large = line.size >= _HEADING_SIZE * body.size
    return is_large and len(line.text) <= _MAX_HEADING and _has_words(line.text)


def _is_bold_heading(line: PdfLine, body: BodyStyle, metrics: ColumnMetrics) -> bool:
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
