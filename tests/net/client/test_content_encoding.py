"""Decoding of Content-Encoding, with limits."""

import gzip
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.net.client.content_encoding import Decoder, EncodingError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

brotli: Any = import_module("brotli")


def _raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "X-GZIP": gzip.compress,
    "deflate": zlib.compress,
    " deflate": _raw_deflate,
    "br": partial(brotli.compress, quality=1),
    "zstd": zstd.compress,
    "": bytes,
    "identity": bytes,
}
CHUNKS = st.integers(min_value=1, max_value=50)


def _decode(encoding: str, body: bytes, size: int = 1000) -> tuple[bytes, bool]:
    decoder = Decoder(encoding)
    content = b"".join(
        piece
        for start in range(0, len(body), size)
        for piece in decoder.feed(body[start : start + size])
    )
    return content, decoder.complete


@pytest.mark.parametrize("encoding", ENCODERS)
@given(data=st.binary(min_size=2, max_size=300), size=CHUNKS)
def test_encoded_content_is_decoded_however_it_is_split(
    encoding: str, data: bytes, size: int
) -> None:
    assert _decode(encoding, ENCODERS[encoding](data), size) == (data, True)


@pytest.mark.parametrize("encoding", ENCODERS)
def test_large_bodies_are_decoded_completely(encoding: str) -> None:
    data = b"".join(str(number).encode() for number in range(100_000))

    assert _decode(encoding, ENCODERS[encoding](data)) == (data, True)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@given(size=CHUNKS)
def test_several_compressed_members_are_one_body(encoding: str, size: int) -> None:
    body = ENCODERS[encoding](b"one, ") + ENCODERS[encoding](b"two")

    assert _decode(encoding, body, size) == (b"one, two", True)


def test_a_body_of_countless_empty_streams_is_rejected() -> None:
    # 1.2 KB on the wire once it is compressed three times, and minutes of work without a limit
    body = gzip.compress(b"") * 20_000

    with pytest.raises(EncodingError, match="more than 10000 compressed streams"):
        _decode("gzip", body)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_truncated_body_is_decoded_as_far_as_possible(encoding: str) -> None:
    data = bytes(range(256)) * 4000
    content, complete = _decode(encoding, ENCODERS[encoding](data)[:-9])

    assert data.startswith(content)
    assert not complete


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@given(size=CHUNKS)
def test_an_unencoded_body_with_an_encoding_header_is_returned(encoding: str, size: int) -> None:
    decoded = _decode(encoding, b"<html>plain</html>", size)

    assert decoded == (b"<html>plain</html>", True)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_bytes_after_the_end_of_the_stream_are_ignored(encoding: str) -> None:
    assert _decode(encoding, ENCODERS[encoding](b"content") + b"rubbish") == (b"content", True)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_compression_bomb_is_decoded_in_small_pieces(encoding: str) -> None:
    bomb = ENCODERS[encoding](bytes(2**26))
    pieces = Decoder(encoding).feed(bomb)

    first = [len(next(pieces)) for _ in range(3)]
    # the allocator of brotli rounds up
    assert max(first) <= 2**18


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip", b"\x1f\x8brubbish"), ("deflate", b"\xff\xff"), ("br", b"\xff\xff\xff rubbish" * 9),
     ("zstd", b"\x28\xb5\x2f\xfd" + b"\xff" * 30)],
)  # fmt: skip
def test_a_damaged_body_is_an_error(encoding: str, body: bytes) -> None:
    with pytest.raises(EncodingError, match="damaged"):
        _decode(encoding, body)


@pytest.mark.parametrize("encoding", ["foo", "gzip, foo", "gzip, gzip", "br, gzip"])
def test_unknown_encodings_are_rejected(encoding: str) -> None:
    with pytest.raises(EncodingError, match=r"unknown|more than once"):
        Decoder(encoding)


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(max_size=200))
def test_any_bytes_are_decoded_or_rejected(encoding: str, body: bytes) -> None:
    with suppress(EncodingError):
        _decode(encoding, body, 7)
