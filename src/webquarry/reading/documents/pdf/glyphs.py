"""Words of a PDF page with their places, sizes and fonts, from pdfium."""

import ctypes
import math
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# a hyphen at the end of a line comes as U+0002, without a line break behind it
_LINE = re.compile("[^\r\n\x02]+\x02?|\x02")
_WORD = re.compile("[^\\s\x02]+\x02?|\x02")
_GAP = 1.0  # em: a wider gap between words separates columns or cells
_TINY = 1.5  # points
_INVISIBLE = 3  # render mode of text that is neither filled nor stroked
_IMAGE, _PATH, _SHADING, _FORM = 3, 2, 4, 5  # types of page objects
_MOST_OBJECTS = 20_000
_FIXED_PITCH = 1
_BOLD = re.compile(r"bold|black|heavy|semib|-bd|cmbx|cmb\d|demi", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|cmtt|typewriter|menlo|inconsolata|sftt", re.IGNORECASE)


@dataclass(slots=True)
class WordRun:
    """Words that stand together on a line; y grows upwards and is that of the baseline."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool = False
    mono: bool = False

    @property
    def width(self) -> float:
        """How wide the words are."""
        return self.x1 - self.x0


@dataclass(slots=True)
class Glyphs:
    """What is written on one page."""

    runs: list[WordRun] = field(default_factory=list[WordRun])
    width: float = 612.0
    height: float = 792.0
    hidden: int = 0  # characters that nobody sees
    has_image: bool = False


class _Word(NamedTuple):
    text: str
    first: int  # index of its first glyph


class GlyphReader:
    """Reads the words of pages; one for a whole document."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._fonts: dict[tuple[str, int], tuple[bool, bool]] = {}
        self._box = raw.FS_RECTF()
        self._where = ctypes.byref(self._box)
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._colour = [ctypes.c_uint() for _ in range(4)]

    def read(self, page: Any) -> Glyphs:
        """Return the runs in the order of the file, turned upright."""
        text_page = page.get_textpage()
        handle = text_page.raw
        text = self._text(text_page, handle)
        found = Glyphs(width=page.get_width(), height=page.get_height())
        bare = self._look_at_objects(page, found)
        turned: list[tuple[int, WordRun]] = []
        for line in _LINE.finditer(text):
            turned += self._line(handle, line[0], line.start(), found, bare=bare)
        text_page.close()
        if turned:
            angles = [angle for angle, run in turned for _ in run.text]
            usual = max(set(angles), key=angles.count)
            # what stands across the page is a stamp in its margin, or a label of a picture
            found.runs = [_upright(run, usual) for angle, run in turned if angle == usual]
        return found

    def _text(self, text_page: Any, handle: Any) -> str:
        """Return one character per glyph index, so that places can be asked for."""
        count = text_page.count_chars()
        text = text_page.get_text_range() if count > 0 else ""
        if len(text) != count:
            codes = (self._raw.FPDFText_GetUnicode(handle, place) for place in range(count))
            text = "".join(chr(code) if 0 < code < 0x110000 else " " for code in codes)
        return text.replace("\ufffe", "\x02")  # two ways to say hyphen at the end of a line

    def _look_at_objects(self, page: Any, found: Glyphs) -> bool:
        """Note whether there is an image; return whether text is all there is."""
        raw = self._raw
        bare = True
        for place in range(min(raw.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
            kind = raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page.raw, place))
            found.has_image = found.has_image or kind in (_IMAGE, _FORM)
            bare = bare and kind not in (_IMAGE, _PATH, _SHADING, _FORM)
            if found.has_image:
                break
        return bare

    def _line(
        self, handle: Any, line: str, start: int, found: Glyphs, *, bare: bool
    ) -> list[tuple[int, WordRun]]:
        words = [_Word(word[0], start + word.start()) for word in _WORD.finditer(line)]
        if not words:
            return []
        longest = max(words, key=lambda word: len(word.text))
        angle, size = self._shape(handle, longest.first)
        if self._is_unseen(handle, longest.first, size, bare=bare, found=found):
            found.hidden += len(line)
            return []
        groups: list[tuple[WordRun, list[_Word]]] = []
        along = angle in (0, 180)
        for word in words:
            x0, x1 = self._extent(handle, word, along=along)
            run, held = groups[-1] if groups else (None, [])
            if run is not None and -size < x0 - run.x1 < _GAP * size:
                run.text += f" {word.text}"
                run.x1 = max(run.x1, x1)
                held.append(word)
            else:
                y = self._baseline(handle, word.first, along=along)
                groups.append((WordRun(word.text, x0, x1, y, size), [word]))
        for run, held in groups:
            self._dress(handle, run, held)
        return [(angle, run) for run, _ in groups]

    def _dress(self, handle: Any, run: WordRun, words: list["_Word"]) -> None:
        """Set size and font: those of the longest word, as a bullet may have its own."""
        longest = max(words, key=lambda word: len(word.text))
        run.size = self._shape(handle, longest.first)[1]
        run.bold, run.mono = self._font(handle, longest.first)
        if run.bold or run.mono:  # seldom: then all words have to agree
            fonts = [self._font(handle, word.first) for word in words]
            run.bold = run.bold and all(bold for bold, _ in fonts)
            run.mono = run.mono and all(mono for _, mono in fonts)

    def _extent(self, handle: Any, word: "_Word", *, along: bool) -> tuple[float, float]:
        """Return where the word begins and ends, in the direction of its text."""
        ask, box, where = self._raw.FPDFText_GetLooseCharBox, self._box, self._where
        ask(handle, word.first, where)
        low, high = (box.left, box.right) if along else (box.bottom, box.top)
        length = len(word.text.rstrip("\x02"))  # pdfium gives the hyphen no place of its own
        if length > 1:
            ask(handle, word.first + length - 1, where)
            start, end = (box.left, box.right) if along else (box.bottom, box.top)
            low, high = min(low, start), max(high, end)
        return low, high

    def _baseline(self, handle: Any, place: int, *, along: bool) -> float:
        self._raw.FPDFText_GetCharOrigin(
            handle, place, ctypes.byref(self._x), ctypes.byref(self._y)
        )
        return self._y.value if along else self._x.value

    def _shape(self, handle: Any, place: int) -> tuple[int, float]:
        """Return the angle of the text in quarters, and its size in points."""
        raw, matrix = self._raw, self._matrix
        size = float(raw.FPDFText_GetFontSize(handle, place))
        if not raw.FPDFText_GetMatrix(handle, place, ctypes.byref(matrix)):
            return 0, size or 10.0
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4 * 90
        scale = math.hypot(matrix.c, matrix.d)
        return angle, max(size * scale, 0.1) if scale else size or 10.0

    def _font(self, handle: Any, place: int) -> tuple[bool, bool]:
        raw = self._raw
        got = raw.FPDFText_GetFontInfo(
            handle, place, self._name, len(self._name), ctypes.byref(self._flags)
        )
        name = self._name.value.decode("latin-1") if 0 < got <= len(self._name) else ""
        key = (name, self._flags.value)
        if key not in self._fonts:
            weight = raw.FPDFText_GetFontWeight(handle, place)
            bold = bool(_BOLD.search(name)) or weight >= 600
            mono = bool(_MONO.search(name)) or bool(self._flags.value & _FIXED_PITCH)
            self._fonts[key] = (bold, mono)
        return self._fonts[key]

    def _is_unseen(self, handle: Any, place: int, size: float, *, bare: bool,
                   found: Glyphs) -> bool:  # fmt: skip
        """Whether nobody sees the text; over an image invisible text is what OCR read in it."""
        if size < _TINY:
            return True
        raw = self._raw
        thing = raw.FPDFText_GetTextObject(handle, place)
        if not thing:
            return False
        if raw.FPDFTextObj_GetTextRenderMode(thing) == _INVISIBLE:
            return not found.has_image
        if not bare:
            return False
        parts = self._colour
        told = raw.FPDFPageObj_GetFillColor(thing, *(ctypes.byref(part) for part in parts))
        return bool(told) and (all(part.value >= 253 for part in parts[:3]) or parts[3].value == 0)


def _upright(run: WordRun, angle: int) -> WordRun:
    """Return the run as it stands on a page turned so that most text is upright."""
    if angle == 90:
        run.y = -run.y
    elif angle == 180:
        run.x0, run.x1, run.y = -run.x1, -run.x0, -run.y
    elif angle == 270:
        run.x0, run.x1 = -run.x1, -run.x0
    return run
