"""Compression of stored pages: as they were transferred, or with zstd."""

from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from webquarry.net.client.content_encoding import Decoder, EncodingError

# isal needs a third of the CPU time, but there are no wheels for every platform
gzip_library: Any = import_module("isal.isal_zlib" if find_spec("isal") else "zlib")
_GZIP = 31  # the largest window, with the header of gzip


def decompress(body: bytes, encoding: str, max_bytes: int) -> bytes | None:
    """Return the content of a body; None if it is longer than `max_bytes`."""
    if not encoding:
        return body
    if encoding == "gzip":  # fast path: nearly always one stream
        stream = gzip_library.decompressobj(_GZIP)
        with suppress(gzip_library.error):  # it may not be gzip after all
            content = stream.decompress(body, max_bytes + 1)
            if len(content) > max_bytes:
                return None
            if stream.eof and not stream.unused_data:
                return content
    decoder = Decoder(encoding)
    pieces: list[bytes] = []
    length = 0
    for piece in decoder.feed(body):
        pieces.append(piece)
        length += len(piece)
        if length > max_bytes:
            return None
    if not decoder.complete:
        raise EncodingError("the body ends too early")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def compress(content: bytes) -> tuple[bytes, str]:
    """Return content compressed for storage, and its encoding."""
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    return zstd.compress(content, 1), "zstd"
