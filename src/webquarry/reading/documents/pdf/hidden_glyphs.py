"""Finds words on a PDF page that a reader cannot see.

Cheap checks find words that may be hidden. Where only the painted page can tell, it is rendered
with and without these words: words that change no pixel are hidden.
"""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from webquarry.reading.documents.pdf.page_objects import (
    WHITE,
    Box,
    PageObjects,
    PlacedText,
    address,
    is_same_color,
    transformed,
)
from webquarry.reading.documents.pdf.painted_words import unpainted

_MIN_SIZE = 1.5  # points; smaller text is hidden
_FILL = 0  # render mode
_UNPAINTED = (3, 7)  # render modes: invisible, and clipping only
_MIN_WIDTH = 0.1  # points per character; a narrower word is squeezed to nothing
_MAX_CLIP_PATHS = 4
_MAX_CLIP_SEGMENTS = 12
_MAX_MARKS = 8

OFF_PAGE = "off the page"
INVISIBLE = "invisible"
TINY = "too small to read"
SAME_COLOR = "in the colour of its background"
COVERED = "covered"
CLIPPED = "clipped away"
LAYER = "in a hidden layer"
SQUEEZED = "squeezed to nothing"


class Word(NamedTuple):
    """A word with its box on the page."""

    text: str
    first: int  # index of its first glyph
    box: Box


@dataclass(slots=True)
class HiddenWords:
    """The words that a reader cannot see."""

    reasons: dict[int, str] = field(default_factory=dict[int, str])  # by the first glyph
    rendered: bool = False
    unchecked: bool = False  # some words may be hidden, but the page was not rendered


class _TextObject(NamedTuple):
    pointer: Any
    placed: PlacedText | None
    mode: int
    hidden: str  # why all of its words are hidden
    suspect: str  # why they may be
    clip: Box | None = None


class _Suspect(NamedTuple):
    word: Word
    text: _TextObject
    reason: str  # why the word may be hidden


class HiddenWordFinder:
    """Finds the hidden words of pages; one finder serves a document."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._matrix = raw.FS_MATRIX()
        self._color = [ctypes.c_uint() for _ in range(4)]
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._name = ctypes.create_string_buffer(16)
        self._length = ctypes.c_ulong()

    def find(
        self, page: Any, handle: Any, lines: list[list[Word]], objects: PageObjects, *, render: bool
    ) -> HiddenWords:
        """Return the hidden words; without `render` only those that cheap checks find."""
        found = HiddenWords()
        texts: dict[int, _TextObject] = {}
        suspects: list[_Suspect] = []
        for word, text in self._unclear_words(handle, lines, texts, objects):
            reason = _certain(word, text, objects)
            if reason:
                found.reasons[word.first] = reason
            elif suspect := _suspect(word, text, objects):
                suspects.append(_Suspect(word, text, suspect))
        if render:
            found.rendered = bool(suspects)
            found.reasons |= self._unpainted_words(page, suspects)
        found.unchecked = len(suspects) > 0 and not render
        return found

    def _unpainted_words(self, page: Any, suspects: list[_Suspect]) -> dict[int, str]:
        """Return the suspects that change no pixel of the page."""
        if not suspects:
            return {}
        boxes = [suspect.word.box for suspect in suspects]
        pointers = {address(suspect.text.pointer): suspect.text.pointer for suspect in suspects}
        indexes = unpainted(self._raw, page, boxes, list(pointers.values()))
        return {suspects[index].word.first: suspects[index].reason for index in indexes}

    def _unclear_words(
        self, handle: Any, lines: list[list[Word]], texts: dict[int, _TextObject],
        objects: PageObjects,
    ) -> Iterator[tuple[Word, _TextObject]]:  # fmt: skip
        """Yield the words that may be hidden with their text objects."""
        for line in filter(None, lines):
            first, last = (self._of(handle, word, texts, objects) for word in (line[0], line[-1]))
            # the words between two of one object belong to it too
            is_one = first is not None and first is last
            if first is not None and is_one and _is_clear(line[0], line[-1], first, objects):
                continue
            for word in line:
                text = first if is_one else self._of(handle, word, texts, objects)
                if text is not None:
                    yield word, text

    def _of(
        self, handle: Any, word: Word, texts: dict[int, _TextObject], objects: PageObjects
    ) -> _TextObject | None:
        """Return the text object of the word."""
        pointer = self._raw.FPDFText_GetTextObject(handle, word.first)
        key = address(pointer)
        if key and key not in texts:
            texts[key] = self._text_object(handle, pointer, word, objects)
        return texts.get(key)

    def _text_object(
        self, handle: Any, pointer: Any, word: Word, objects: PageObjects
    ) -> _TextObject:
        placed = objects.texts.get(address(pointer))
        mode = self._raw.FPDFTextObj_GetTextRenderMode(pointer)
        # text recognition in a scan estimates the size
        if mode not in _UNPAINTED and self._size(handle, word.first) < _MIN_SIZE:
            return _TextObject(pointer, placed, mode, TINY, "")
        if mode == _FILL and self._has_background_color(pointer, word, placed, objects):
            hidden, suspect = (SAME_COLOR, "") if objects.only_text else ("", SAME_COLOR)
            return _TextObject(pointer, placed, mode, hidden, suspect)
        suspect = LAYER if self._in_layer(pointer) else ""
        return _TextObject(pointer, placed, mode, "", suspect, self._clip_box(pointer, placed))

    def _size(self, handle: Any, index: int) -> float:
        size = float(self._raw.FPDFText_GetFontSize(handle, index))
        if not self._raw.FPDFText_GetMatrix(handle, index, ctypes.byref(self._matrix)):
            return size or 10.0
        scale = math.hypot(self._matrix.c, self._matrix.d)
        return size * scale if scale else size or 10.0

    def _has_background_color(
        self, pointer: Any, word: Word, placed: PlacedText | None, objects: PageObjects
    ) -> bool:
        """Return whether the text seems to have the color of what is painted below it."""
        channels = self._color
        if not self._raw.FPDFPageObj_GetFillColor(pointer, *map(ctypes.byref, channels)):
            return False
        if channels[3].value == 0:
            return True
        color = (channels[0].value, channels[1].value, channels[2].value)
        if not objects.may_be_background(color):
            return False
        background = objects.background(placed.order if placed else 0, word.box)
        # an image may be white
        return is_same_color(color, WHITE if background is None else background)

    def _in_layer(self, pointer: Any) -> bool:
        """Return whether the text belongs to optional content, which may be switched off."""
        raw = self._raw
        for number in range(min(raw.FPDFPageObj_CountMarks(pointer), _MAX_MARKS)):
            mark = raw.FPDFPageObj_GetMark(pointer, number)
            if raw.FPDFPageObjMark_GetName(
                mark, ctypes.cast(self._name, ctypes.POINTER(ctypes.c_ushort)), len(self._name),
                ctypes.byref(self._length),
            ) and self._name.raw[: self._length.value] == b"O\0C\0\0\0":  # fmt: skip
                return True
        return False

    def _clip_box(self, pointer: Any, placed: PlacedText | None) -> Box | None:
        """Return the box that all simple clip paths of the text leave; None without one."""
        raw = self._raw
        clip = raw.FPDFPageObj_GetClipPath(pointer)
        paths = raw.FPDFClipPath_CountPaths(clip) if clip else 0
        box: Box | None = None
        for path in range(min(paths, _MAX_CLIP_PATHS)):
            segments = raw.FPDFClipPath_CountPathSegments(clip, path)
            if 0 < segments <= _MAX_CLIP_SEGMENTS:
                own = self._path_box(clip, path, segments)
                box = own if box is None else box.common(own)
        return transformed(box, placed.matrix) if box and placed else None

    def _path_box(self, clip: Any, path: int, segments: int) -> Box:
        raw, x, y = self._raw, self._x, self._y
        xs, ys = list[float](), list[float]()
        corners = (0, 2) if segments in (4, 5) else range(segments)  # opposite ones of a rectangle
        for number in corners:
            segment = raw.FPDFClipPath_GetPathSegment(clip, path, number)
            raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            xs.append(x.value)
            ys.append(y.value)
        return Box(min(xs), min(ys), max(xs), max(ys))


def _is_clear(first: Word, last: Word, text: _TextObject, objects: PageObjects) -> bool:
    """Return whether the text object of a whole line hides none of its words."""
    if _may_be_covered(text, objects):
        return False
    # the page and the clip are convex: what is between two words inside is inside
    return _is_clear_word(first, text, objects) and _is_clear_word(last, text, objects)


def _may_be_covered(text: _TextObject, objects: PageObjects) -> bool:
    order = text.placed.order if text.placed else 0
    return bool(objects.covers) and objects.covers[0].order > order


def _is_clear_word(word: Word, text: _TextObject, objects: PageObjects) -> bool:
    return not (_certain(word, text, objects) or _suspect(word, text, objects))


def _suspect(word: Word, text: _TextObject, objects: PageObjects) -> str:
    """Return why a word may be hidden where only the painted page can tell."""
    if text.suspect or text.mode in _UNPAINTED:
        return text.suspect
    if _is_covered(word, text, objects):
        return COVERED
    return CLIPPED if _is_clipped(word, text) else ""


def _is_covered(word: Word, text: _TextObject, objects: PageObjects) -> bool:
    return text.placed is not None and objects.is_covered(text.placed.order, word.box)


def _is_clipped(word: Word, text: _TextObject) -> bool:
    return text.clip is not None and not text.clip.has_center_of(word.box)


def _certain(word: Word, text: _TextObject, objects: PageObjects) -> str:
    """Return why a word is hidden, where its place and its object tell."""
    if text.hidden:
        return text.hidden
    if not objects.page_box.has_center_of(word.box):
        return OFF_PAGE
    if text.mode in _UNPAINTED:
        return "" if _is_on_image(word.box, objects) else INVISIBLE
    return SQUEEZED if _is_squeezed(word.box, len(word.text)) else ""


def _is_on_image(box: Box, objects: PageObjects) -> bool:
    """Return whether invisible text was read in an image (OCR)."""
    images = (shape.box for shape in objects.shapes if shape.is_image)
    return objects.is_scan or any(image.has_center_of(box) for image in images)


def _is_squeezed(box: Box, length: int) -> bool:
    shortest = min(box.right - box.left, box.top - box.bottom)
    return length > 2 and shortest < _MIN_WIDTH * min(length, 10)
