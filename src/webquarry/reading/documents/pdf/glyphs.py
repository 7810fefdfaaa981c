"""Words of a PDF page with their positions, sizes and fonts, from pdfium."""

import ctypes
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from webquarry.reading.documents.pdf.accents import ABSENT, Accents
from webquarry.reading.documents.pdf.hidden_glyphs import HiddenWordFinder, Word
from webquarry.reading.documents.pdf.page_links import PageLinks
from webquarry.reading.documents.pdf.page_objects import Box, read_objects
from webquarry.reading.documents.pdf.page_rules import PageRules, RuleReader
from webquarry.reading.documents.pdf.raised_numbers import (
    RaisedNumbers,
    first_letter,
    raise_separate,
)
from webquarry.reading.documents.pdf.reading_direction import has_right_to_left
from webquarry.reading.documents.pdf.word_letters import WordLetters

if TYPE_CHECKING:
    from webquarry.reading.documents.pdf.pdf_table import PdfTable

# pdfium returns a hyphen at the end of a line as U+0002, without a line break after it
_LINE = re.compile("[^\r\n\x02]+\x02?|\x02")
_WORD = re.compile("[^\\s\x02]+\x02?|\x02")
_MAX_WORD_GAP = 1.0  # em; a wider gap separates columns or cells
_MAX_RENDERED = 20  # pages of a document that are rendered to find hidden text
_FIXED_PITCH = 1
_BOLD = re.compile(r"bold|black|heavy|semib|-bd|cmbx|cmb\d|demi", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|cmtt|typewriter|menlo|inconsolata|sftt", re.IGNORECASE)


class PlacedWord(NamedTuple):
    """A word with the x of its left and right edges."""

    text: str
    x0: float
    x1: float
    link: str = ""  # a URL, or the anchor of a page


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
    words: list[PlacedWord] = field(default_factory=list[PlacedWord])
    has_links: bool = False
    # a table stands in the place of its words
    table: "PdfTable | None" = None

    @property
    def width(self) -> float:
        """Width of the words."""
        return self.x1 - self.x0

    def rewrite(self, texts: list[str]) -> None:
        """Give each word another text, which stands in the same place."""
        self.words = [
            word._replace(text=text) for word, text in zip(self.words, texts, strict=True)
        ]
        self.text = " ".join(texts)


@dataclass(slots=True)
class Glyphs:
    """The text of one page."""

    runs: list[WordRun] = field(default_factory=list[WordRun])
    width: float = 612.0
    height: float = 792.0
    hidden: Counter[str] = field(default_factory=Counter[str])  # characters by reason
    unchecked: bool = False  # some words may be hidden
    has_image: bool = False
    rules: PageRules = field(default_factory=lambda: PageRules([], []))


class GlyphReader:
    """Reads the words of pages; one reader serves a document."""

    def __init__(self, raw: Any, *, is_marked: bool = False) -> None:
        self._raw = raw
        self._raised = RaisedNumbers(raw)
        self._keeps_links = not is_marked
        self._links: PageLinks | None = None
        self._fonts: dict[tuple[str, int], tuple[bool, bool]] = {}
        self._box = raw.FS_RECTF()
        self._box_pointer = ctypes.byref(self._box)
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._finder = HiddenWordFinder(raw)
        self._accents, self._letters = Accents(raw), WordLetters(raw)
        self._rendered = 0

    def read(self, page: Any, *, may_render: bool = True) -> Glyphs:
        """Return the runs in the order of the file, rotated upright."""
        text_page = page.get_textpage()
        handle = text_page.raw
        text = self._text(text_page, handle)
        self._links = PageLinks(self._raw, page) if self._keeps_links else None
        glyphs = Glyphs(width=page.get_width(), height=page.get_height())
        lines = [self._words(handle, line) for line in _LINE.finditer(text)]
        lines = self._visible(page, handle, lines, glyphs, may_render=may_render)
        rotated = [run for line in lines if line for run in self._line_runs(handle, line)]
        text_page.close()
        if rotated:
            angles = [angle for angle, run in rotated for _ in run.text]
            main = max(set(angles), key=angles.count)
            # text in another direction is a stamp in the margin or a label of a figure
            glyphs.runs = [_upright(run, main) for angle, run in rotated if angle == main]
            glyphs.rules = glyphs.rules.upright(main)
            raise_separate(glyphs.runs)
        return glyphs

    def _text(self, text_page: Any, handle: Any) -> str:
        """Return one character per glyph, so that its index finds the position of a glyph."""
        count = text_page.count_chars()
        text = text_page.get_text_range() if count > 0 else ""
        if len(text) != count:
            codes = (self._raw.FPDFText_GetUnicode(handle, index) for index in range(count))
            text = "".join(chr(code) if 0 < code < 0x110000 else " " for code in codes)
        # both mean a hyphen at the end of a line
        return self._accents.joined(handle, text.replace("\ufffe", "\x02"))

    def _words(self, handle: Any, line: re.Match[str]) -> list[Word]:
        words: list[Word] = []
        is_both = has_right_to_left(line[0])
        for found in _WORD.finditer(line[0]):
            first = line.start() + found.start()
            text = found[0].replace(ABSENT, "")
            word = Word(text, first, self._word_box(handle, found[0], first))
            words += self._letters.corrected(handle, word, is_both=is_both)
        if is_both:
            words.sort(key=_left)
        return words

    def _word_box(self, handle: Any, word: str, first: int) -> Box:
        get_box, box = self._raw.FPDFText_GetLooseCharBox, self._box
        get_box(handle, first, self._box_pointer)
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        length = len(word.rstrip("\x02"))  # pdfium has no box for the hyphen
        if length > 1:
            get_box(handle, first + length - 1, self._box_pointer)
            left, right = min(left, box.left), max(right, box.right)
            bottom, top = min(bottom, box.bottom), max(top, box.top)
        return Box(left, bottom, right, top)

    def _visible(
        self, page: Any, handle: Any, lines: list[list[Word]], glyphs: Glyphs, *, may_render: bool
    ) -> list[list[Word]]:
        """Return the lines without the words that a reader cannot see."""
        objects = read_objects(self._raw, page)
        glyphs.has_image = objects.has_image
        glyphs.rules = RuleReader(self._raw).read(objects)
        render = may_render and self._rendered < _MAX_RENDERED
        found = self._finder.find(page, handle, lines, objects, render=render)
        self._rendered += found.rendered
        glyphs.unchecked = found.unchecked
        if not found.reasons:
            return lines
        for word in (word for line in lines for word in line):
            if word.first in found.reasons:
                glyphs.hidden[found.reasons[word.first]] += len(word.text)
        return [[word for word in line if word.first not in found.reasons] for line in lines]

    def _line_runs(self, handle: Any, words: list[Word]) -> list[tuple[int, WordRun]]:
        """Return the runs of a line with the angle of their text."""
        longest = max(words, key=_word_length)
        angle, size = self._angle_and_size(handle, longest.first)
        runs: list[tuple[WordRun, list[Word]]] = []
        horizontal = angle in (0, 180)
        for word in words:
            box = word.box
            link = self._links.target_of(box) if self._links else ""
            x0, x1 = (box.left, box.right) if horizontal else (box.bottom, box.top)
            if runs and -size < x0 - runs[-1][0].x1 < _MAX_WORD_GAP * size:
                run, run_words = runs[-1]
                run.text += f" {word.text}"
                run.x1 = max(run.x1, x1)
                run.words.append(PlacedWord(word.text, x0, x1, link))
                run.has_links = run.has_links or bool(link)
                run_words.append(word)
            else:
                placed = [PlacedWord(word.text, x0, x1, link)]
                run = WordRun(word.text, x0, x1, 0.0, size, words=placed, has_links=bool(link))
                runs.append((run, [word]))
        for run, run_words in runs:
            self._set_font(handle, run, run_words)
            # neither a raised number nor the low first letter of a chapter is on the line
            letter = first_letter(run_words)
            start = max(run_words, key=_word_length).first if letter is None else letter
            run.y = self._baseline(handle, start, horizontal=horizontal)
            if letter is not None:
                run.rewrite(self._raised.write(handle, run_words, letter, angle, run.size))
        return [(angle, run) for run, _ in runs]

    def _set_font(self, handle: Any, run: WordRun, words: list[Word]) -> None:
        """Set size and font of the longest word: a bullet may have its own."""
        longest = max(words, key=_word_length)
        run.size = self._angle_and_size(handle, longest.first)[1]
        run.bold, run.mono = self._font(handle, longest.first)
        if run.bold or run.mono:  # rare: then all words must agree
            fonts = [self._font(handle, word.first) for word in words]
            run.bold = run.bold and all(bold for bold, _ in fonts)
            run.mono = run.mono and all(mono for _, mono in fonts)

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


def _left(word: Word) -> float:
    return word.box.left


def _word_length(word: Word) -> int:
    return len(word.text)


def _upright(run: WordRun, angle: int) -> WordRun:
    """Return the run on a page rotated so that text of this angle is upright."""
    if angle == 90:
        run.y = -run.y
    elif angle == 180:
        run.x0, run.x1, run.y = -run.x1, -run.x0, -run.y
    elif angle == 270:
        run.x0, run.x1 = -run.x1, -run.x0
    if angle in (180, 270):
        run.words = [word._replace(x0=-word.x1, x1=-word.x0) for word in run.words]
    return run
