"""The server side of the SOCKS5 handshake."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.net.guard.socks5 import Destination, Handshake

HELLO = b"\x05\x01\x00"
REQUESTS = [
    (b"\x05\x01\x00\x03\x06a.test\x01\xbb", Destination("a.test", 443)),
    (b"\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50", Destination("127.0.0.1", 80)),
    (b"\x05\x01\x00\x04" + bytes(15) + b"\x01\x00\x50", Destination("::1", 80)),
]


@pytest.mark.parametrize(("request_bytes", "destination"), REQUESTS)
@given(size=st.integers(min_value=1, max_value=40))
def test_a_request_is_parsed_however_it_is_split(
    request_bytes: bytes, destination: Destination, size: int
) -> None:
    handshake, sent, answer = Handshake(), HELLO + request_bytes, b""
    for start in range(0, len(sent), size):
        answer += handshake.receive(sent[start : start + size])

    assert (handshake.destination, handshake.failed, answer) == (destination, False, b"\x05\x00")


def test_bytes_after_the_request_are_kept() -> None:
    handshake = Handshake()
    handshake.receive(HELLO + REQUESTS[0][0] + b"GET /")

    assert handshake.remaining == b"GET /"


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b""),
        (b"\x04\x01\x00\x50\x7f\x00\x00\x01\x00", b""),
        (b"\x05\x01\x02", b"\x05\xff"),
        (HELLO + b"\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", b"\x05\x00\x05\x07"),
        (HELLO + b"\x05\x03\x00\x01\x7f\x00\x00\x01\x00\x50", b"\x05\x00\x05\x07"),
        (HELLO + b"\x05\x01\x00\x09\x7f\x00\x00\x01\x00\x50", b"\x05\x00\x05\x07"),
        (HELLO + b"\x05\x01\x00\x03\x00\x00\x50", b"\x05\x00\x05\x02"),
        (HELLO + b"\x05\x01\x00\x03\x01\xff\x00\x50", b"\x05\x00\x05\x02"),
    ],
)
def test_only_connect_requests_are_accepted(sent: bytes, answer: bytes) -> None:
    handshake = Handshake()
    said = handshake.receive(sent)

    assert (handshake.failed, handshake.destination) == (True, None)
    assert said[:4] == answer


@given(st.lists(st.binary(max_size=20), max_size=8))
def test_any_bytes_end_the_handshake_or_wait_for_more(chunks: list[bytes]) -> None:
    handshake = Handshake()
    for chunk in chunks:
        if not handshake.failed and handshake.destination is None:
            handshake.receive(chunk)
    assert not (handshake.failed and handshake.destination)


def test_an_ipv6_destination_is_written_as_a_url_needs_it() -> None:
    assert Destination("::1", 80).href == "http://[::1]:80/"
