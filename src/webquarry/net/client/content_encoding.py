"""Decodes Content-Encoding in pieces, so that a decompression bomb stops at the size limit."""

# not left to wreq, which rejects raw deflate, drops all but the first gzip member and loses the
# content of a body that was cut off

import sys
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Protocol

from webquarry.errors import NetworkError

ACCEPTED = "gzip, deflate, br, zstd"
_PIECE = 2**16
# Streams in a row, of which gzip and zstd allow any number. An empty one takes 20 bytes and as much
# time as a page, so a small body could keep the event loop busy for minutes. A file compressed in
# blocks of 64 KiB (bgzip) has 800 streams in 50 MB.
_MAX_STREAMS = 10_000
_NO_ENCODING = frozenset({"", "identity", "none", "utf-8"})  # the last two are common mistakes
# browsers refuse larger windows; the server decides how much memory a window takes
_ZSTD_WINDOW_LOG = 23


class EncodingError(NetworkError):
    """The body does not match its Content-Encoding."""


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


class Decoder:
    """Decodes one body. Some formats allow several streams in a row."""

    def __init__(self, content_encoding: str) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        encodings = [name for name in names if name not in _NO_ENCODING]
        if unknown := [name for name in encodings if name not in _CODECS]:
            raise EncodingError(f"unknown content encoding {unknown[0][:40]!r}")
        if len(encodings) > 1:
            # an inner layer could expand without limit before its first byte reaches the size limit
            raise EncodingError("it is compressed more than once")
        self._open_stream = _CODECS[encodings[0]] if encodings else None
        self._stream: _Stream | None = None
        self._head = b""
        self._streams = 0
        self._ended = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded content of the next bytes, in pieces of bounded size."""
        if self._open_stream is None:
            yield data
            return
        # in small pieces: every stream in a row copies the bytes that follow it
        for start in range(0, len(data), _PIECE):
            yield from self._decode(data[start : start + _PIECE], self._open_stream)

    def _decode(self, data: bytes, open_stream: _OpenStream) -> Iterator[bytes]:
        while data and not self._ended:
            stream = self._stream
            if stream is None:
                data = self._head + data
                stream = self._start(data, open_stream)
                if stream is None:
                    return
            yield from stream.decode(data)
            data = b""
            if stream.ended:
                data, self._stream = stream.unused, None

    def _start(self, data: bytes, open_stream: _OpenStream) -> _Stream | None:
        # two bytes identify the format
        if len(data) < 2:
            self._head = data
            return None
        if self._streams >= _MAX_STREAMS:
            raise EncodingError(f"it has more than {_MAX_STREAMS} compressed streams")
        self._head = b""
        self._stream = open_stream(data[:2], first=self._streams == 0)
        self._ended = self._stream is None
        self._streams += 1
        return self._stream

    @property
    def complete(self) -> bool:
        """Whether the body ended where its format says."""
        stream = self._stream
        return stream is None or stream.ended or isinstance(stream, _Unencoded)


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
