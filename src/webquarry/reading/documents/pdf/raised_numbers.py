"""Raised numbers on a PDF page: citation markers, exponents and the numbers of footnotes."""

import ctypes
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from webquarry.reading.documents.pdf.hidden_glyphs import Word

if TYPE_CHECKING:
    from webquarry.reading.documents.pdf.glyphs import WordRun

_DIGITS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_RAISE = str.maketrans("0123456789-\u2013\u2212", f"{_DIGITS}\u207b\u207b\u207b")
_LOWER = str.maketrans(_DIGITS, "0123456789")
# at the start of a footnote
NOTE_NUMBER = re.compile(rf"([{_DIGITS}]{{1,3}}|\d{{1,3}}(?=\s+[^\W\d_]))\s*(?=\S)")
_RAISED = re.compile(rf"(?<=[^\s{_DIGITS}])[{_DIGITS}]{{1,3}}(?![{_DIGITS}])")
_RAISABLE = re.compile("[-\u2212\u2013]?\\d[\\d\u2013\u2212-]*")
_NUMBERS_ONLY = re.compile(r"\d{1,4}(?:[,\u2013\u2212-]\s?\d{1,4}){0,30}[.,;]?")
_SMALL = 0.92  # times the size of the line
_RISE, _CLEAR_RISE = 0.12, 0.25  # em above the line: of small characters, and of any
_MAX_RISE = 0.9
_MAX_GAP = 0.6  # em between a raised number and the word before it


class RaisedNumbers:
    """Finds digits above the line and writes them as such: ³."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def write(
        self, handle: Any, words: Sequence[Word], letter: int, angle: int, size: float
    ) -> list[str]:
        """Return the texts of words on the line of a letter, with raised digits."""
        if not any(_RAISABLE.search(word.text) for word in words):
            return [word.text for word in words]
        line = self._height(handle, letter, angle)
        own = float(self._raw.FPDFText_GetFontSize(handle, letter))
        scale = size / own if own else 1.0
        return [self._written(handle, word, angle, line, size, scale) for word in words]

    def _written(
        self, handle: Any, word: Word, angle: int, line: float, size: float, scale: float
    ) -> str:
        text = word.text
        for found in _RAISABLE.finditer(word.text):
            for at in range(*found.span()):
                rise = (self._height(handle, word.first + at, angle) - line) / size
                own = float(self._raw.FPDFText_GetFontSize(handle, word.first + at)) * scale
                if _is_raised(rise, own / size):
                    text = f"{text[:at]}{text[at].translate(_RAISE)}{text[at + 1 :]}"
        return text

    def _height(self, handle: Any, index: int, angle: int) -> float:
        """Return the height of the baseline of a character, in the direction of its line."""
        self._raw.FPDFText_GetCharOrigin(
            handle, index, ctypes.byref(self._x), ctypes.byref(self._y)
        )
        height = self._y.value if angle in (0, 180) else self._x.value
        return -height if angle in (90, 180) else height


def first_letter(words: Sequence[Word]) -> int | None:
    """Return the index of the first letter of the word that has the most; None without one."""
    longest = max(words, key=lambda word: sum(map(str.isalpha, word.text)))
    found = (at for at, char in enumerate(longest.text, longest.first) if char.isalpha())
    return next(found, None)


def raise_separate(runs: Sequence["WordRun"]) -> None:
    """Raise the numbers that the file has as lines of their own."""
    for at, run in enumerate(runs):
        if _NUMBERS_ONLY.fullmatch(run.text) and any(
            _is_beside(run, host) for host in (*runs[max(0, at - 1) : at], *runs[at + 1 : at + 2])
        ):
            run.rewrite([word.text.translate(_RAISE) for word in run.words])


def _is_beside(run: "WordRun", host: "WordRun") -> bool:
    """Tell whether a number stands above the line of other words, right after or before them."""
    gap = min(abs(run.x0 - host.x1), abs(host.x0 - run.x1))
    rise = (run.y - host.y) / host.size
    return gap < _MAX_GAP * host.size and _is_raised(rise, run.size / host.size)


def _is_raised(rise: float, size: float) -> bool:
    """Tell whether a character is raised by its height above the line and its size, in em."""
    return _CLEAR_RISE < rise < _MAX_RISE or (size < _SMALL and _RISE < rise < _MAX_RISE)


def number_of(written: str) -> str:
    """Return a number without its elevation."""
    return written.translate(_LOWER)


def without_raised(text: str) -> str:
    """Return a text without the raised numbers at its end."""
    return text.rstrip(f"{_DIGITS}\u207b, ")


def raised_numbers(text: str) -> set[str]:
    """Return the raised numbers after words of a text: those that may call a footnote."""
    return {number_of(found) for found in _RAISED.findall(text)}
