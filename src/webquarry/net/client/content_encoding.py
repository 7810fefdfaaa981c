"""Decodes Content-Encoding in pieces, so that a decompression bomb stops at the size limit."""

# not left to wreq, which rejects raw deflate, drops all but the first gzip member and loses the
# content of a body that was cut off

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

from webquarry.errors import NetworkError

ACCEPTED = "gzip, deflate, br, zstd"
_PIECE = 2**16
_MAX_LAYERS = 3
_NO_ENCODING = frozenset({"", "identity", "none", "utf-8"})  # the last two are common mistakes
# browsers refuse larger windows; the server decides how much memory a window takes
_ZSTD_WINDOW_LOG = 23


class EncodingError(NetworkError):
    """The body does not match its Content-Encoding."""


class Decoder:
    """Decodes one body."""

    def __init__(self, content_encoding: str) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        encodings = [name for name in reversed(names) if name not in _NO_ENCODING]
        if unknown := [name for name in encodings if name not in _CODECS]:
            raise EncodingError(f"unknown content encoding {unknown[0][:40]!r}")
        if len(encodings) > _MAX_LAYERS:
            raise EncodingError("too many content encodings")
        self._layers = [_Layer(_CODECS[name]) for name in encodings]

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded content of the next bytes, in pieces of bounded size."""
        pieces: Iterable[bytes] = (data,)
        for layer in self._layers:
            pieces = _decode(layer, pieces)
        return iter(pieces)

    @property
    def complete(self) -> bool:
        """Whether the body ended where its format says."""
        return all(layer.complete for layer in self._layers)


def _decode(layer: "_Layer", pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from layer.feed(piece)


class _Stream(Protocol):
    @property
    def ended(self) -> bool: ...

    @property
    def unused(self) -> bytes:
        """The bytes after the end."""
        ...

    def decode(self, data: bytes) -> Iterator[bytes]: ...


class _OpenStream(Protocol):
    def __call__(self, head: bytes, *, first: bool) -> _Stream | None:
        """Open the first stream of a body, or one that follows; None ignores the rest."""
        ...


class _Layer:
    """One encoding. Some formats allow several streams in a row."""

    def __init__(self, open_stream: _OpenStream) -> None:
        self._open_stream = open_stream
        self._stream: _Stream | None = None
        self._head = b""
        self._first = True
        self._ended = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            stream = self._stream
            if stream is None:
                data = self._head + data
                stream = self._start(data)
                if stream is None:
                    return
            yield from stream.decode(data)
            data = b""
            if stream.ended:
                data, self._stream = stream.unused, None

    def _start(self, data: bytes) -> _Stream | None:
        # two bytes identify the format
        if len(data) < 2:
            self._head = data
            return None
        self._head = b""
        self._stream = self._open_stream(data[:2], first=self._first)
        self._ended = self._stream is None
        self._first = False
        return self._stream

    @property
    def complete(self) -> bool:
        return self._stream is None or self._stream.ended


class _Unencoded:
    """A body that is not encoded although its Content-Encoding says so."""

    ended = True
    unused = b""

    def decode(self, data: bytes) -> Iterator[bytes]:
        self.ended = False  # later pieces have no magic number to check
        yield data


class _Zlib:
    def __init__(self, window: int) -> None:
        self._zlib = zlib.decompressobj(window)

    @property
    def ended(self) -> bool:
        return self._zlib.eof

    @property
    def unused(self) -> bytes:
        return self._zlib.unused_data

    def decode(self, data: bytes) -> Iterator[bytes]:
        piece = b""
        while not self._zlib.eof and (data or len(piece) == _PIECE):
            piece = _checked(lambda data=data: self._zlib.decompress(data, _PIECE), zlib.error)
            data = self._zlib.unconsumed_tail
            yield piece


class _Brotli:
    unused = b""

    def __init__(self) -> None:
        # imported here because few responses need it; it has no types
        brotli: Any = import_module("brotli")
        self._brotli = brotli.Decompressor()
        self._error: type[Exception] = brotli.error

    @property
    def ended(self) -> bool:
        return self._brotli.is_finished()

    def decode(self, data: bytes) -> Iterator[bytes]:
        yield self._process(data)
        while not self._brotli.can_accept_more_data():
            yield self._process(b"")

    def _process(self, data: bytes) -> bytes:
        return _checked(lambda: self._brotli.process(data, output_buffer_limit=_PIECE), self._error)


class _Zstd:
    def __init__(self) -> None:
        # imported here because few responses need it
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd

        limits: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        self._zstd = zstd.ZstdDecompressor(options=limits)
        self._error = zstd.ZstdError

    @property
    def ended(self) -> bool:
        return self._zstd.eof

    @property
    def unused(self) -> bytes:
        return self._zstd.unused_data

    def decode(self, data: bytes) -> Iterator[bytes]:
        yield self._process(data)
        while not self._zstd.eof and not self._zstd.needs_input:
            yield self._process(b"")

    def _process(self, data: bytes) -> bytes:
        return _checked(lambda: self._zstd.decompress(data, _PIECE), self._error)


def _checked(decompress: Callable[[], bytes], error: type[Exception]) -> bytes:
    try:
        return decompress()
    except error as failure:
        raise EncodingError(f"the body is damaged: {failure}") from failure


def _gzip(head: bytes, *, first: bool) -> _Stream | None:
    if head == b"\x1f\x8b":
        return _Zlib(zlib.MAX_WBITS | 16)
    return _Unencoded() if first else None


def _deflate(head: bytes, *, first: bool) -> _Stream | None:
    # the standard means zlib, but some servers send raw deflate
    wrapped = head[0] & 0x0F == 8 and int.from_bytes(head, "big") % 31 == 0
    return _Zlib(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS) if first else None


def _brotli(head: bytes, *, first: bool) -> _Stream | None:
    del head  # the format has no magic number
    return _Brotli() if first else None


def _zstd(head: bytes, *, first: bool) -> _Stream | None:
    if head == b"\x28\xb5":
        return _Zstd()
    return _Unencoded() if first else None


_CODECS: dict[str, _OpenStream] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
