"""The words of a table on a PDF page: lines, the parts of a line, and numbers."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from webquarry.reading.documents.pdf.glyphs import WordRun
from webquarry.reading.documents.pdf.reading_direction import in_reading_order

_SAME_LINE = 0.45  # em between baselines of words on one line
_GLUED = 0.12  # em; closer words are one word
_WORD_GAP = 0.5  # em; closer words belong together
_NUMBER_GAP = 0.2  # em; further numbers are apart
_MONO_WIDTH, _MONO_GAP = 0.6, 0.8  # em; in a monospaced font a space is as wide as a letter
_MAX_DIGITS = 3  # of a group of digits
_NUMBER = re.compile(
    r"[-+\u2212\u2013(<>~=\u2248\u00b1$\u20ac\u00a3\u00a5]*+\d[\d.,:/\u2013\u2212-]*+[%)*a-z†‡§]*+"
)
_NO_VALUE = frozenset(("-", "\u2013", "\u2014", "\u2212", "...", "..", "n/a", "na", "n.a.", "†"))


class TableWord(NamedTuple):
    """A word, where it begins and ends, its baseline and its size."""

    text: str
    x0: float
    x1: float
    y: float
    size: float

    @property
    def middle(self) -> float:
        """The y of the middle of its letters."""
        return self.y + 0.3 * self.size

    @property
    def center(self) -> float:
        """The x of its middle."""
        return (self.x0 + self.x1) / 2


Words = list[TableWord]


def words_of(runs: Iterable[WordRun]) -> Words:
    """Return the words of the runs."""
    return [
        TableWord(word.text, word.x0, word.x1, run.y, run.size)
        for run in runs
        for word in run.words
    ]


def lines_of(words: Words) -> list[Words]:
    """Return the lines from top to bottom, each from left to right."""
    lines: list[Words] = []
    for word in sorted(words, key=lambda word: -word.y):
        if lines and lines[-1][0].y - word.y <= _SAME_LINE * max(lines[-1][0].size, word.size):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.x0) for line in lines]


def text_of_words(words: Sequence[TableWord]) -> str:
    """Return the words of a line as text."""
    text = ""
    for number, word in enumerate(words):
        is_apart = number and word.x0 - words[number - 1].x1 > _GLUED * word.size
        text += f" {word.text}" if is_apart else word.text
    return in_reading_order(text)


def cell_lines(words: Words) -> str:
    """Return the text of a cell with a line break between its lines."""
    return "\n".join(text_of_words(line) for line in lines_of(words))


def parts_of(line: Words, gap: float = _WORD_GAP) -> list[Words]:
    """Return the words of a line that stand together; numbers beside each other do not."""
    parts: list[Words] = []
    for word in line:
        if parts and _belongs(parts[-1][-1], word, gap):
            parts[-1].append(word)
        else:
            parts.append([word])
    return parts


def is_number(text: str) -> bool:
    """Return whether the text is a number, or a mark that there is none."""
    return bool(_NUMBER.fullmatch(text)) or text.lower() in _NO_VALUE


def _belongs(left: TableWord, right: TableWord, gap: float) -> bool:
    space = (right.x0 - left.x1) / max(left.size, right.size)
    if space >= (max(gap, _MONO_GAP) if _is_mono(left) and _is_mono(right) else gap):
        return False
    has_digits = left.text[-1:].isdigit() and any(map(str.isdigit, right.text))
    if has_digits and space > _NUMBER_GAP and is_number(left.text) and is_number(right.text):
        return _is_group(left.text, right.text)
    return True


def _is_mono(word: TableWord) -> bool:
    return abs((word.x1 - word.x0) / max(len(word.text), 1) / word.size - _MONO_WIDTH) < 0.02


def _is_group(left: str, right: str) -> bool:
    """Return whether the digits are one number, written with a space: 79 935."""
    digits = right[:_MAX_DIGITS]
    last = left.rpartition(" ")[2].lstrip("-+\u2212$(")
    return digits.isdigit() and len(digits) == _MAX_DIGITS and last.isdigit() and (
        len(last) <= _MAX_DIGITS and not right[_MAX_DIGITS:_MAX_DIGITS + 1].isdigit()
    )  # fmt: skip
