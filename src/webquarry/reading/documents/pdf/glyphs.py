"""Words of a PDF page with their positions, sizes and fonts, from pdfium."""

import ctypes
import math
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# pdfium returns a hyphen at the end of a line as U+0002, without a line break after it
_LINE = re.compile("[^\r\n\x02]+\x02?|\x02")
_WORD = re.compile("[^\\s\x02]+\x02?|\x02")
_MAX_WORD_GAP = 1.0  # em; a wider gap separates columns or cells
_MIN_SIZE = 1.5  # points; smaller text is hidden
_INVISIBLE = 3  # render mode of text that is neither filled nor stroked
_IMAGE, _PATH, _SHADING, _FORM = 3, 2, 4, 5  # types of page objects
_MAX_OBJECTS = 20_000
_FIXED_PITCH = 1
_BOLD = re.compile(r"bold|black|heavy|semib|-bd|cmbx|cmb\d|demi", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|cmtt|typewriter|menlo|inconsolata|sftt", re.IGNORECASE)


@dataclass(slots=True)
class WordRun:
    """Words next to each other on a line; y is the baseline and grows upwards."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool = False
    mono: bool = False

    @property
    def width(self) -> float:
        """Width of the words."""
        return self.x1 - self.x0


@dataclass(slots=True)
class Glyphs:
    """The text of one page."""

    runs: list[WordRun] = field(default_factory=list[WordRun])
    width: float = 612.0
    height: float = 792.0
    hidden: int = 0  # characters that a reader cannot see
    has_image: bool = False


class _Word(NamedTuple):
    text: str
    first: int  # index of its first glyph


class GlyphReader:
    """Reads the words of pages; one reader serves a document."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._fonts: dict[tuple[str, int], tuple[bool, bool]] = {}
        self._box = raw.FS_RECTF()
        self._box_pointer = ctypes.byref(self._box)
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._color = [ctypes.c_uint() for _ in range(4)]

    def read(self, page: Any) -> Glyphs:
        """Return the runs in the order of the file, rotated upright."""
        text_page = page.get_textpage()
        handle = text_page.raw
        text = self._text(text_page, handle)
        glyphs = Glyphs(width=page.get_width(), height=page.get_height())
        only_text = self._inspect_objects(page, glyphs)
        rotated: list[tuple[int, WordRun]] = []
        for line in _LINE.finditer(text):
            rotated += self._line_runs(handle, line, glyphs, only_text=only_text)
        text_page.close()
        if rotated:
            angles = [angle for angle, run in rotated for _ in run.text]
            main = max(set(angles), key=angles.count)
            # text in another direction is a stamp in the margin or a label of a figure
            glyphs.runs = [_upright(run, main) for angle, run in rotated if angle == main]
        return glyphs

    def _text(self, text_page: Any, handle: Any) -> str:
        """Return one character per glyph, so that its index finds the position of a glyph."""
        count = text_page.count_chars()
        text = text_page.get_text_range() if count > 0 else ""
        if len(text) != count:
            codes = (self._raw.FPDFText_GetUnicode(handle, index) for index in range(count))
            text = "".join(chr(code) if 0 < code < 0x110000 else " " for code in codes)
        return text.replace("\ufffe", "\x02")  # both mean a hyphen at the end of a line

    def _inspect_objects(self, page: Any, glyphs: Glyphs) -> bool:
        """Set `has_image`; return whether the page has nothing but text."""
        raw = self._raw
        only_text = True
        for index in range(min(raw.FPDFPage_CountObjects(page.raw), _MAX_OBJECTS)):
            kind = raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page.raw, index))
            glyphs.has_image = glyphs.has_image or kind in (_IMAGE, _FORM)
            only_text = only_text and kind not in (_IMAGE, _PATH, _SHADING, _FORM)
            if glyphs.has_image:
                break
        return only_text

    def _line_runs(
        self, handle: Any, line: re.Match[str], glyphs: Glyphs, *, only_text: bool
    ) -> list[tuple[int, WordRun]]:
        """Return the runs of a line with the angle of their text."""
        words = [_Word(word[0], line.start() + word.start()) for word in _WORD.finditer(line[0])]
        if not words:
            return []
        longest = max(words, key=lambda word: len(word.text))
        angle, size = self._angle_and_size(handle, longest.first)
        has_image = glyphs.has_image
        if size < _MIN_SIZE or self._is_hidden(
            handle, longest.first, has_image=has_image, only_text=only_text
        ):
            glyphs.hidden += len(line[0])
            return []
        runs: list[tuple[WordRun, list[_Word]]] = []
        horizontal = angle in (0, 180)
        for word in words:
            x0, x1 = self._extent(handle, word, horizontal=horizontal)
            if runs and -size < x0 - runs[-1][0].x1 < _MAX_WORD_GAP * size:
                run, run_words = runs[-1]
                run.text += f" {word.text}"
                run.x1 = max(run.x1, x1)
                run_words.append(word)
            else:
                y = self._baseline(handle, word.first, horizontal=horizontal)
                runs.append((WordRun(word.text, x0, x1, y, size), [word]))
        for run, run_words in runs:
            self._set_font(handle, run, run_words)
        return [(angle, run) for run, _ in runs]

    def _set_font(self, handle: Any, run: WordRun, words: list["_Word"]) -> None:
        """Set size and font of the longest word: a bullet may have its own."""
        longest = max(words, key=lambda word: len(word.text))
        run.size = self._angle_and_size(handle, longest.first)[1]
        run.bold, run.mono = self._font(handle, longest.first)
        if run.bold or run.mono:  # rare: then all words must agree
            fonts = [self._font(handle, word.first) for word in words]
            run.bold = run.bold and all(bold for bold, _ in fonts)
            run.mono = run.mono and all(mono for _, mono in fonts)

    def _extent(self, handle: Any, word: "_Word", *, horizontal: bool) -> tuple[float, float]:
        """Return the start and end of the word in the direction of its text."""
        get_box, box = self._raw.FPDFText_GetLooseCharBox, self._box
        get_box(handle, word.first, self._box_pointer)
        low, high = (box.left, box.right) if horizontal else (box.bottom, box.top)
        length = len(word.text.rstrip("\x02"))  # pdfium has no box for the hyphen
        if length > 1:
            get_box(handle, word.first + length - 1, self._box_pointer)
            start, end = (box.left, box.right) if horizontal else (box.bottom, box.top)
            low, high = min(low, start), max(high, end)
        return low, high

    def _baseline(self, handle: Any, index: int, *, horizontal: bool) -> float:
        self._raw.FPDFText_GetCharOrigin(
            handle, index, ctypes.byref(self._x), ctypes.byref(self._y)
        )
        return self._y.value if horizontal else self._x.value

    def _angle_and_size(self, handle: Any, index: int) -> tuple[int, float]:
        """Return the angle of the text, a multiple of 90 degrees, and its size in points."""
        raw, matrix = self._raw, self._matrix
        size = float(raw.FPDFText_GetFontSize(handle, index))
        if not raw.FPDFText_GetMatrix(handle, index, ctypes.byref(matrix)):
            return 0, size or 10.0
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4 * 90
        scale = math.hypot(matrix.c, matrix.d)
        return angle, max(size * scale, 0.1) if scale else size or 10.0

    def _font(self, handle: Any, index: int) -> tuple[bool, bool]:
        """Return whether the font is bold, and whether it is monospaced."""
        raw = self._raw
        length = raw.FPDFText_GetFontInfo(
            handle, index, self._name, len(self._name), ctypes.byref(self._flags)
        )
        name = self._name.value.decode("latin-1") if 0 < length <= len(self._name) else ""
        key = (name, self._flags.value)
        if key not in self._fonts:
            weight = raw.FPDFText_GetFontWeight(handle, index)
            bold = bool(_BOLD.search(name)) or weight >= 600
            mono = bool(_MONO.search(name)) or bool(self._flags.value & _FIXED_PITCH)
            self._fonts[key] = (bold, mono)
        return self._fonts[key]

    def _is_hidden(self, handle: Any, index: int, *, has_image: bool, only_text: bool) -> bool:
        """Return whether a reader cannot see the text."""
        raw = self._raw
        text_object = raw.FPDFText_GetTextObject(handle, index)
        if not text_object:
            return False
        if raw.FPDFTextObj_GetTextRenderMode(text_object) == _INVISIBLE:
            return not has_image  # invisible text above an image was read in it by OCR
        if not only_text:
            return False
        color = self._color
        if not raw.FPDFPageObj_GetFillColor(text_object, *map(ctypes.byref, color)):
            return False
        return color[3].value == 0 or all(part.value >= 253 for part in color[:3])


def _upright(run: WordRun, angle: int) -> WordRun:
    """Return the run on a page rotated so that text of this angle is upright."""
    if angle == 90:
        run.y = -run.y
    elif angle == 180:
        run.x0, run.x1, run.y = -run.x1, -run.x0, -run.y
    elif angle == 270:
        run.x0, run.x1 = -run.x1, -run.x0
    return run
