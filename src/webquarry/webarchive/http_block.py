"""Reads the HTTP message in a WARC record."""

import re

from webquarry.models.exchange import Fields

_STATUS = re.compile(rb"HTTP/[\d.]{1,4} +(\d{3})")
_CHUNK_SIZE = re.compile(rb"\s{0,4}([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")
_MAX_FIELDS = 1000


def parse_http(block: bytes) -> tuple[int, Fields, bytes]:
    """Return status, header and body of a response; status 0 if the block is none."""
    head, separator, body = block.partition(b"\r\n\r\n")
    if not separator:
        head, _, body = block.partition(b"\n\n")
    lines = head.replace(b"\r\n", b"\n").split(b"\n")
    status = _STATUS.match(lines[0])
    fields: list[tuple[str, str]] = []
    for line in lines[1:_MAX_FIELDS]:
        name, colon, value = line.decode("latin-1").partition(":")
        if colon:
            fields.append((name.strip().lower(), value.strip()))
    is_chunked = any(name == "transfer-encoding" and "chunked" in value for name, value in fields)
    if is_chunked:
        body = _joined(body)
        fields = [pair for pair in fields if pair[0] != "transfer-encoding"]
    return int(status[1]) if status else 0, tuple(fields), body


def _joined(body: bytes) -> bytes:
    """Return a chunked body as one piece; the body itself if it is not chunked after all."""
    pieces: list[bytes] = []
    position = 0
    while match := _CHUNK_SIZE.match(body, position):
        size = int(match[1], 16)
        if not size:
            return b"".join(pieces)
        pieces.append(body[match.end() : match.end() + size])
        position = match.end() + size
        if body[position : position + 2] == b"\r\n":
            position += 2
    return b"".join(pieces) or body
