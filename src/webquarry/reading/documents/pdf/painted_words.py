"""Which words change no pixel of a PDF page."""

import ctypes
import math
from collections.abc import Sequence
from typing import Any

from webquarry.reading.documents.pdf.page_objects import Box

_INVISIBLE = 3  # render mode
_MAX_PIXELS = 4_000_000
_SCALE = 1.5  # pixels per point
_CHANNELS = 3
_MIN_CONTRAST = 10  # of 255, between pixels with the words and without


class _Image:
    """The page as pixels."""

    def __init__(self, raw: Any, page: Any, scale: float) -> None:
        bitmap = page.render(scale=scale, force_bitmap_format=raw.FPDFBitmap_BGR)
        self.width, self.height = int(bitmap.width), int(bitmap.height)
        self._stride = int(bitmap.stride)
        self._pixels = bytes(bitmap.buffer)
        bitmap.close()

    def row(self, y: int, left: int, right: int) -> bytes:
        """Return pixels of one row."""
        start = y * self._stride
        return self._pixels[start + left * _CHANNELS : start + right * _CHANNELS]


def unpainted(raw: Any, page: Any, boxes: Sequence[Box], text_objects: Sequence[Any]) -> list[int]:
    """Return the indexes of boxes in which the text objects paint nothing that can be seen."""
    pixels = max(page.get_width() * page.get_height(), 1.0)
    scale = min(_SCALE, math.sqrt(_MAX_PIXELS / pixels))
    with_words = _Image(raw, page, scale)
    modes = [raw.FPDFTextObj_GetTextRenderMode(text) for text in text_objects]
    for text in text_objects:
        raw.FPDFTextObj_SetTextRenderMode(text, _INVISIBLE)
    without = _Image(raw, page, scale)
    for text, mode in zip(text_objects, modes, strict=True):
        raw.FPDFTextObj_SetTextRenderMode(text, mode)
    return [
        index
        for index, box in enumerate(boxes)
        if not _differs(with_words, without, _pixel_box(raw, page, with_words, box))
    ]


def _pixel_box(raw: Any, page: Any, image: _Image, box: Box) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the box in the image."""
    x, y = ctypes.c_int(), ctypes.c_int()
    xs, ys = list[int](), list[int]()
    for corner in ((box.left, box.bottom), (box.right, box.top)):
        raw.FPDF_PageToDevice(
            page.raw, 0, 0, image.width, image.height, 0, *corner, ctypes.byref(x), ctypes.byref(y)
        )
        xs.append(x.value)
        ys.append(y.value)
    return (
        max(min(xs) - 1, 0), max(min(ys) - 1, 0),
        min(max(xs) + 2, image.width), min(max(ys) + 2, image.height),
    )  # fmt: skip


def _differs(first: _Image, second: _Image, box: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = box
    for y in range(top, bottom):
        a, b = first.row(y, left, right), second.row(y, left, right)
        if a != b and any(abs(x - y) >= _MIN_CONTRAST for x, y in zip(a, b, strict=True)):
            return True
    return False
