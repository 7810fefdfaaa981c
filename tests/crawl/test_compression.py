"""Stored bodies: the fast gzip library gives the results of zlib."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.crawl import compression
from webquarry.crawl.compression import decompress
from webquarry.net.client.content_encoding import EncodingError

LIMIT = 10_000


def result(body: bytes, library: object) -> bytes | str | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compression, "gzip_library", library)
        try:
            return decompress(body, "gzip", LIMIT)
        except EncodingError:
            return "damaged"


@given(st.binary(max_size=300), st.integers(1, 60), st.integers(0, 9))
def test_a_gzip_body_is_decompressed_up_to_the_limit(part: bytes, times: int, level: int) -> None:
    content = part * times
    body = gzip.compress(content, level)
    assert decompress(body, "gzip", LIMIT) == (content if len(content) <= LIMIT else None)


@given(
    content=st.binary(max_size=200),
    place=st.integers(10, 400),
    damage=st.binary(max_size=3),
    cut=st.booleans(),
)
def test_a_damaged_body_has_the_same_result_with_either_library(
    content: bytes, place: int, damage: bytes, *, cut: bool
) -> None:
    body = gzip.compress(content * 5)
    # after the header: isal ignores reserved flags there
    broken = body[:place] + damage + (b"" if cut else body[place + len(damage) :])
    assert result(broken, compression.gzip_library) == result(broken, zlib)


def test_several_streams_are_one_body() -> None:
    assert decompress(gzip.compress(b"one ") + gzip.compress(b"two"), "gzip", LIMIT) == b"one two"


def test_a_body_that_is_not_gzip_is_returned_as_it_is() -> None:
    assert decompress(b"plain text", "gzip", LIMIT) == b"plain text"
