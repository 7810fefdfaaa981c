"""Undoes Content-Encoding piece by piece, so that a bomb never unfolds further than it is read."""

# here rather than in wreq, which gives up on raw deflate, drops all but the first gzip member and
# loses what a body that was cut off had already said

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

ACCEPTED = "gzip, deflate, br, zstd"
_PIECE = 2**16
_MOST_LAYERS = 3
_PLAIN = frozenset({"", "identity", "none", "utf-8"})  # the last two are common mistakes
# browsers refuse larger windows, and each is memory that a server makes us take
_ZSTD_WINDOW_LOG = 23


class EncodingError(Exception):
    """The body is not what its Content-Encoding says."""


class Decoder:
    """Undoes the encodings of one body."""

    def __init__(self, content_encoding: str) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        wanted = [name for name in reversed(names) if name not in _PLAIN]
        if unknown := [name for name in wanted if name not in _CODECS]:
            raise EncodingError(f"unknown content encoding {unknown[0][:40]!r}")
        if len(wanted) > _MOST_LAYERS:
            raise EncodingError("too many content encodings")
        self._layers = [_Layer(_CODECS[name]) for name in wanted]

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes of the body unfold to, in pieces of bounded size."""
        pieces: Iterable[bytes] = (data,)
        for layer in self._layers:
            pieces = _through(layer, pieces)
        return iter(pieces)

    @property
    def complete(self) -> bool:
        """Whether the body ended where it should."""
        return all(layer.complete for layer in self._layers)


def _through(layer: "_Layer", pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from layer.feed(piece)


class _Stream(Protocol):
    @property
    def ended(self) -> bool: ...

    @property
    def unused(self) -> bytes:
        """What followed the end."""
        ...

    def unfold(self, data: bytes) -> Iterator[bytes]: ...


class _Begin(Protocol):
    def __call__(self, head: bytes, *, first: bool) -> _Stream | None:
        """Start on a body, or on what follows the end of one; None ignores it."""
        ...


class _Layer:
    """One encoding; formats that allow it may be several streams in a row."""

    def __init__(self, begin: _Begin) -> None:
        self._begin = begin
        self._stream: _Stream | None = None
        self._head = b""
        self._first = True
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._over:
            stream = self._stream
            if stream is None:
                data = self._head + data
                stream = self._start(data)
                if stream is None:
                    return
            yield from stream.unfold(data)
            data = b""
            if stream.ended:
                data, self._stream = stream.unused, None

    def _start(self, data: bytes) -> _Stream | None:
        # two bytes tell the formats apart
        if len(data) < 2:
            self._head = data
            return None
        self._head = b""
        self._stream = self._begin(data[:2], first=self._first)
        self._over = self._stream is None
        self._first = False
        return self._stream

    @property
    def complete(self) -> bool:
        return self._stream is None or self._stream.ended


class _Plain:
    """A body whose Content-Encoding is a lie."""

    ended = True
    unused = b""

    def unfold(self, data: bytes) -> Iterator[bytes]:
        self.ended = False  # more may come, and the next piece has no head to look at
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

    def unfold(self, data: bytes) -> Iterator[bytes]:
        piece = b""
        while not self._zlib.eof and (data or len(piece) == _PIECE):
            piece = _checked(lambda data=data: self._zlib.decompress(data, _PIECE), zlib.error)
            data = self._zlib.unconsumed_tail
            yield piece


class _Brotli:
    unused = b""

    def __init__(self) -> None:
        # imported here because few answers need it; it comes without types
        brotli: Any = import_module("brotli")
        self._brotli = brotli.Decompressor()
        self._error: type[Exception] = brotli.error

    @property
    def ended(self) -> bool:
        return self._brotli.is_finished()

    def unfold(self, data: bytes) -> Iterator[bytes]:
        yield self._process(data)
        while not self._brotli.can_accept_more_data():
            yield self._process(b"")

    def _process(self, data: bytes) -> bytes:
        return _checked(lambda: self._brotli.process(data, output_buffer_limit=_PIECE), self._error)


class _Zstd:
    def __init__(self) -> None:
        # imported here because few answers need it
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

    def unfold(self, data: bytes) -> Iterator[bytes]:
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
    return _Plain() if first else None


def _deflate(head: bytes, *, first: bool) -> _Stream | None:
    # the standard means zlib, but some servers send bare deflate
    wrapped = head[0] & 0x0F == 8 and int.from_bytes(head, "big") % 31 == 0
    return _Zlib(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS) if first else None


def _brotli(head: bytes, *, first: bool) -> _Stream | None:
    del head  # the format has no mark
    return _Brotli() if first else None


def _zstd(head: bytes, *, first: bool) -> _Stream | None:
    if head == b"\x28\xb5":
        return _Zstd()
    return _Plain() if first else None


_CODECS: dict[str, _Begin] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
