"""Joins PNG images of the same width into one, below each other.

The rows are copied as they are compressed in each image, so that a page of 100,000 rows is never
unpacked as a whole. Only the first row of a slice refers to a row that is no longer above it.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)
_LEVEL = 6


@dataclass(frozen=True)
class _Header:
    """The properties of an image that its slices share."""

    width: int
    depth: int
    colour: int

    @property
    def pixel_bytes(self) -> int:
        return max(1, _CHANNELS[self.colour] * self.depth // 8)

    @property
    def row_bytes(self) -> int:
        """The length of a row with its filter."""
        return 1 + (self.width * _CHANNELS[self.colour] * self.depth + 7) // 8


def joined_png(slices: Sequence[bytes]) -> bytes:
    """Return one image; `ValueError` if the slices differ in width or kind of pixels."""
    header, height = _header(slices[0])
    packer = zlib.compressobj(_LEVEL)
    data: list[bytes] = []
    total = 0
    for content in slices:
        own, height = _header(content)
        if own != header:
            raise ValueError("the slices of a page are of different kinds")
        total += height
        rows = zlib.decompress(b"".join(_chunks(content, b"IDAT")))
        first = _first_row(rows[: header.row_bytes], header.pixel_bytes)
        data += (packer.compress(first), packer.compress(rows[header.row_bytes :]))
    data.append(packer.flush())
    size = struct.pack(">IIBBBBB", header.width, total, header.depth, header.colour, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", b"".join(data)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(name, body) for name, body in chunks)


def png_size(content: bytes) -> tuple[int, int]:
    """Return the width and height of an image."""
    header, height = _header(content)
    return header.width, height


def _first_row(row: bytes, pixel: int) -> bytes:
    """Return the first row so that it does not depend on the row above: that was all zero."""
    kind, values = row[0], row[1:]
    if kind == _UP:
        return bytes((_NONE,)) + values
    if kind == _PAETH:  # with zeros above, the predictor is always the pixel on the left
        return bytes((_SUB,)) + values
    if kind != _AVERAGE:
        return row
    plain = bytearray(values)
    for at in range(pixel, len(plain)):
        plain[at] = (plain[at] + plain[at - pixel] // 2) & 255
    return bytes((_NONE,)) + bytes(plain)


def _header(content: bytes) -> tuple[_Header, int]:
    body = next(_chunks(content, b"IHDR"))
    width, height, depth, colour = struct.unpack(">IIBB", body[:10])
    return _Header(width, depth, colour), height


def _chunks(content: bytes, wanted: bytes) -> Iterator[bytes]:
    at = len(_SIGNATURE)
    while at + 12 <= len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        if name == wanted:
            yield content[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
