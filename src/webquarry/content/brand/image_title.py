"""The title that an image carries: in XMP, in the text of a PNG, or in Exif."""

import html
import re
import struct

from webquarry.content.text.length_limits import cap_text

_SEARCHED_BYTES = 2**18
_MAX_TITLE = 300
_XMP = re.compile(
    rb"<dc:(?:title|description)>.{0,250}?<rdf:li[^>]{0,100}>([^<]{1,1000})<", re.DOTALL
)
_PNG_TEXT = re.compile(rb"(.{4})tEXt(?:Title|Description)\0", re.DOTALL)
_EXIF = b"Exif\0\0"
_DESCRIPTION_TAG, _ASCII_TYPE, _MAX_TAGS = 0x010E, 2, 100


def image_title(content: bytes) -> str:
    """Return the title or description in the metadata of an image; "" if it has none."""
    head = cap_text(content, _SEARCHED_BYTES)
    title = _xmp_title(head) or _png_title(head) or _exif_title(head)
    return " ".join(title.split())[:_MAX_TITLE]


def _xmp_title(head: bytes) -> str:
    match = _XMP.search(head)
    return html.unescape(match[1].decode("utf-8", "replace")) if match else ""


def _png_title(head: bytes) -> str:
    match = _PNG_TEXT.search(head)
    if not match:
        return ""
    end = match.end(1) + 4 + int.from_bytes(match[1], "big")
    return head[match.end() : min(end, match.end() + 1000)].decode("latin-1")


def _exif_title(head: bytes) -> str:
    start = head.find(_EXIF)
    if start < 0:
        return ""
    tiff = head[start + len(_EXIF) :]
    order = "<" if tiff.startswith(b"II") else ">"
    try:
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for number in range(min(count, _MAX_TAGS)):
            tag, kind, size, offset = struct.unpack_from(f"{order}HHII", tiff, at + 2 + 12 * number)
            if (tag, kind) == (_DESCRIPTION_TAG, _ASCII_TYPE) and size > 4:
                return (
                    tiff[offset : offset + min(size, 1000)].rstrip(b"\0").decode("utf-8", "replace")
                )
    except struct.error:  # broken or cut off
        return ""
    return ""
