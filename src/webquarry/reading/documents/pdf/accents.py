"""Accents that a PDF paints over letters as characters of their own, as TeX does with old fonts."""

import ctypes
import re
import unicodedata
from typing import Any

from webquarry.reading.documents.pdf.page_objects import Box

ABSENT = "\u200b"  # in the place of an accent, so that indexes stay
_MARKS = {
    "`": "\u0300", "\u00b4": "\u0301", "\u02c6": "\u0302", "\u02dc": "\u0303", "\u00af": "\u0304",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u00a8": "\u0308", "\u02da": "\u030a",
    "\u02dd": "\u030b", "\u02c7": "\u030c", "\u00b8": "\u0327", "\u02db": "\u0328",
}  # fmt: skip
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_WITHOUT_DOT = {"\u0131": "i", "\u0237": "j"}
_OVERLAP = 0.5  # of the narrower of accent and letter


class Accents:
    """Joins accents with their letters."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._box = raw.FS_RECTF()

    def joined(self, handle: Any, text: str) -> str:
        """Return the text of a page with accented letters, as long as before."""
        found = [match.start() for match in _ACCENT.finditer(text)]
        if not found:
            return text
        letters = list(text)
        for at in found:
            self._join(handle, letters, at)
        return "".join(letters)

    def _join(self, handle: Any, letters: list[str], at: int) -> None:
        """Join an accent with the letter below it: after it, after a space, or before it."""
        accent = self._place(handle, at)
        for other in (at + 1, at + 2 if letters[at + 1 : at + 2] == [" "] else -1, at - 1):
            if not 0 <= other < len(letters):
                continue
            joined = _accented(letters[other], letters[at])
            if joined and _overlap(accent, self._place(handle, other)):
                letters[other] = joined
                start, end = sorted((at, other))
                # also the space between them, which the file does not have
                inner = slice(start, end) if other > at else slice(start + 1, end + 1)
                letters[inner] = ABSENT * (end - start)
                return

    def _place(self, handle: Any, index: int) -> Box:
        box = self._box
        self._raw.FPDFText_GetLooseCharBox(handle, index, ctypes.byref(box))
        return Box(box.left, box.bottom, box.right, box.top)


def _accented(letter: str, accent: str) -> str:
    """Return the letter with the accent; empty if there is no such letter."""
    plain = _WITHOUT_DOT.get(letter, letter)
    joined = unicodedata.normalize("NFC", plain + _MARKS[accent])
    return joined if len(joined) == 1 else ""


def _overlap(accent: Box, letter: Box) -> bool:
    common = min(accent.right, letter.right) - max(accent.left, letter.left)
    width = min(accent.right - accent.left, letter.right - letter.left)
    return common > _OVERLAP * width
