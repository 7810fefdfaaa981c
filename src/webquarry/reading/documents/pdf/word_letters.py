"""Words of a PDF page that pdfium joins, or whose letters it leaves in the order of the page."""

import ctypes
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any, NamedTuple

from webquarry.reading.documents.pdf.hidden_glyphs import Word
from webquarry.reading.documents.pdf.page_objects import Box

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT_TO_LEFT}]")
_RTL_RUN = re.compile(f"[{_RIGHT_TO_LEFT}]+|[^{_RIGHT_TO_LEFT}]+")
_MIN_JOINED = 4  # letters of two words
_GAP = 0.16  # em between words
_OTHER_GAPS = 0.5  # of this gap: wider ones between all letters are a style


class _Letter(NamedTuple):
    text: str
    at: int
    box: Box


class WordLetters:
    """Corrects the words of pages by the places of their letters."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._box = raw.FS_RECTF()

    def corrected(self, handle: Any, word: Word, *, is_both: bool) -> list[Word]:
        """Return the words that pdfium takes for one, each in the order in which it is read.

        `is_both`: its line has letters that are read from right to left.
        """
        if is_both:
            return [_right_to_left(part) for part in _parts(self._letters(handle, word))]
        # what one text object paints is separated correctly
        length = len(word.text)
        if length < _MIN_JOINED or self._raw.FPDFText_CountRects(handle, word.first, length) < 2:
            return [word]
        return _split(word, self._letters(handle, word))

    def _letters(self, handle: Any, word: Word) -> list[_Letter]:
        box, pointer = self._box, ctypes.byref(self._box)
        letters: list[_Letter] = []
        for index, text in enumerate(word.text, word.first):
            if text != "\x02":  # pdfium has no box for the hyphen
                self._raw.FPDFText_GetLooseCharBox(handle, index, pointer)
                place = Box(box.left, box.bottom, box.right, box.top)
                letters.append(_Letter(text, index, place))
        return letters


def _split(word: Word, letters: Sequence[_Letter]) -> list[Word]:
    """Return the parts of a word between gaps that are as wide as spaces."""
    gaps = [b.box.left - a.box.right for a, b in pairwise(letters)]
    least = _GAP * (word.box.top - word.box.bottom)
    wide = [at for at, gap in enumerate(gaps, 1) if gap > least]
    if not wide or len(wide) > _OTHER_GAPS * len(gaps):
        return [word]
    ends = [*wide, len(word.text)]
    return [
        Word(word.text[start:end], word.first + start, _around(letters[start:end]))
        for start, end in zip((0, *wide), ends, strict=True)
    ]


def _parts(letters: Sequence[_Letter]) -> Iterator[list[_Letter]]:
    """Yield the letters between gaps, in the order of the file."""
    ordered = sorted(letters, key=lambda letter: letter.box.left)
    part: list[_Letter] = []
    right = 0.0
    for letter in ordered:
        if part and letter.box.left - right > _GAP * (letter.box.top - letter.box.bottom):
            yield sorted(part, key=_at)
            part = []
        right = max(right, letter.box.right) if part else letter.box.right
        part.append(letter)
    if part:
        yield sorted(part, key=_at)


def _at(letter: _Letter) -> int:
    return letter.at


def _right_to_left(letters: Sequence[_Letter]) -> Word:
    """Return a word with letters that are read from right to left."""
    text = "".join(letter.text for letter in letters)
    runs = [letters[slice(*found.span())] for found in _RTL_RUN.finditer(text)]
    runs.sort(key=_middle, reverse=True)
    return Word("".join(map(_text_of_run, runs)), letters[0].at, _around(letters))


def _middle(letters: Sequence[_Letter]) -> float:
    return mean(letter.box.left + letter.box.right for letter in letters)


def _text_of_run(letters: Sequence[_Letter]) -> str:
    """Return the text of letters of one direction, whichever way the file has them."""
    rises = letters[-1].box.left > letters[0].box.left
    clusters = list(_clusters(letters))
    is_reversed = rises == bool(RIGHT_TO_LEFT.match(letters[0].text)) and len(clusters) > 1
    return "".join(reversed(clusters) if is_reversed else clusters)


def _clusters(letters: Sequence[_Letter]) -> Iterator[str]:
    """Yield each letter with its marks, and the letters of a ligature together."""
    last = ""
    box: Box | None = None
    for letter in letters:
        if box is not None and (letter.box == box or unicodedata.combining(letter.text)):
            last += letter.text
            continue
        if last:
            yield last
        last, box = letter.text, letter.box
    yield last


def _around(letters: Sequence[_Letter]) -> Box:
    return Box(
        min(letter.box.left for letter in letters), min(letter.box.bottom for letter in letters),
        max(letter.box.right for letter in letters), max(letter.box.top for letter in letters),
    )  # fmt: skip
