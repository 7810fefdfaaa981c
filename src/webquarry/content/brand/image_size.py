"""Detects the format and size of an image from its first bytes."""

import re
import struct
from typing import NamedTuple

from webquarry.content.text.length_limits import cap_text

_SVG_TAG = re.compile(r"<svg\b([^>]*+)(>?)", re.IGNORECASE | re.DOTALL)
_SIZE = re.compile(r"""\b(width|height)\s*=\s*["']\s*(\d+(?:\.\d+)?)(?:px)?\s*["']""", re.I)
_VIEW_BOX = re.compile(
    r"""\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+(\d+(?:\.\d+)?)[\s,]+(\d+(?:\.\d+)?)""",
    re.IGNORECASE,
)
_JPEG_FRAME_MARKERS = frozenset(
    (*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0))
)
_SVG_SEARCH_BYTES = 4096


class ImageSize(NamedTuple):
    """The format of an image, and its size if the bytes contain it."""

    format: str
    width: int | None = None
    height: int | None = None


def image_size_of(content: bytes) -> ImageSize | None:
    """Return format and size, or None when the bytes are not an image."""
    sizes = (detect(content) for detect in (_png, _gif, _webp, _jpeg, _ico, _svg))
    return next(filter(None, sizes), None)


def _png(content: bytes) -> ImageSize | None:
    if not content.startswith(b"\x89PNG\r\n\x1a\n") or len(content) < 24:
        return None
    return ImageSize("png", *struct.unpack(">II", content[16:24]))


def _gif(content: bytes) -> ImageSize | None:
    if not content.startswith((b"GIF87a", b"GIF89a")) or len(content) < 10:
        return None
    return ImageSize("gif", *struct.unpack("<HH", content[6:10]))


def _webp(content: bytes) -> ImageSize | None:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP" or len(content) < 30:
        return None
    kind = content[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(content[24:27], "little") + 1
        return ImageSize("webp", width, int.from_bytes(content[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return ImageSize("webp", (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    width, height = struct.unpack("<HH", content[26:30])
    return ImageSize("webp", width & 0x3FFF, height & 0x3FFF)


def _jpeg(content: bytes) -> ImageSize | None:
    if not content.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        if content[at + 1] in _JPEG_FRAME_MARKERS:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return ImageSize("jpeg", width, height)
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return ImageSize("jpeg")


def _ico(content: bytes) -> ImageSize | None:
    if not content.startswith(b"\x00\x00\x01\x00") or len(content) < 22:
        return None
    count = int.from_bytes(content[4:6], "little")
    entries = [content[6 + 16 * n : 8 + 16 * n] for n in range(min(count, 64))]
    sizes = [(entry[0] or 256, entry[1] or 256) for entry in entries if len(entry) == 2]
    return ImageSize("ico", *max(sizes)) if sizes else None


def _svg(content: bytes) -> ImageSize | None:
    head = cap_text(content, _SVG_SEARCH_BYTES).decode("utf-8", "replace")
    start = _SVG_TAG.search(head)
    # an HTML page may contain an <svg>, too
    if start is None or not start[2]:
        return None
    if re.search(r"<(?:html|body|head)\b", head[: start.start()], re.IGNORECASE):
        return None
    sizes = {name.lower(): float(value) for name, value in _SIZE.findall(start[1])}
    if {"width", "height"} <= sizes.keys():
        return ImageSize("svg", round(sizes["width"]), round(sizes["height"]))
    box = _VIEW_BOX.search(start[1])
    return ImageSize("svg", round(float(box[1])), round(float(box[2]))) if box else ImageSize("svg")
