"""Responses over TLS that end too early, with HTTP/1.1 and HTTP/2: what came is returned."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from tests.net.servers import listen
from tests.net.tls_servers import VALID, authority, context, fetching_with
from webquarry.net.client.direct import REQUESTS_THROUGH_GUARD
from webquarry.net.fetch import FetchRequest

pytestmark = pytest.mark.anyio

BODY = b"owl " * 1500
SECONDS = 2.5  # for a response that stalls
ENDS = ("closed", "aborted", "stalled")
# frames of HTTP/2 (RFC 9113)
_DATA, _HEADERS, _RESET, _SETTINGS, _GO_AWAY = 0, 1, 3, 4, 7
_END_HEADERS, _ACKNOWLEDGED = 4, 1
_PREFACE_BYTES = 24
_STATUS_200 = b"\x88"  # of the static table of HPACK


@dataclass
class TlsConnection:
    """A connection of a test server, after its handshake."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def end(self, how: str) -> None:
        """Close the connection, break it off, or say nothing more."""
        await self.writer.drain()
        if how == "stalled":
            await anyio.sleep_forever()
        elif how == "aborted":
            self.writer.transport.abort()

    async def receive_http1(self) -> None:
        while (await self.reader.readline()).strip():
            pass

    def send_frame(self, kind: int, payload: bytes, *, flags: int = 0, stream: int = 0) -> None:
        head = len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big")
        self.writer.write(head + payload)

    async def receive_http2(self) -> int:
        """Return the stream of the first request."""
        await self.reader.readexactly(_PREFACE_BYTES)
        self.send_frame(_SETTINGS, b"")
        while True:
            head = await self.reader.readexactly(9)
            await self.reader.readexactly(int.from_bytes(head[:3], "big"))
            if head[3] == _SETTINGS and not head[4] & _ACKNOWLEDGED:
                self.send_frame(_SETTINGS, b"", flags=_ACKNOWLEDGED)
            if head[3] == _HEADERS:
                return int.from_bytes(head[5:], "big")


Handler = Callable[[TlsConnection], Awaitable[None]]


@asynccontextmanager
async def tls_site(
    folder: Path, protocol: str, answer: Handler
) -> AsyncGenerator[tuple[str, Path]]:
    """Serve over TLS; yields the URL and the file of the authority."""
    known = authority(folder, "known")
    wrapped: ssl.SSLContext = context(folder, known, VALID)
    wrapped.set_alpn_protocols([protocol])

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await writer.start_tls(wrapped)
        await answer(TlsConnection(reader, writer))

    async with listen(handle) as port:
        yield f"https://owls.test:{port}/", known.file


async def _fetch_often(url: str, ca_file: Path, seconds: float) -> list[tuple[bytes, str]]:
    """Return what was read through the guard, and by a direct client."""
    times = 1 if seconds == SECONDS else REQUESTS_THROUGH_GUARD + 2
    async with fetching_with(ca_file) as fetcher:
        request = FetchRequest(url=url, timeout=seconds)
        fetched = [await fetcher.fetch(request) for _ in range(times)]
    return [(response.content, response.ending) for response in fetched]


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("header", ["content-length: 20000", "transfer-encoding: chunked"])
async def test_the_content_before_the_end_of_http1_over_tls_is_returned(
    tmp_path: Path, header: str, how: str
) -> None:
    body = b"%x\r\n%s\r\n" % (len(BODY), BODY) if "chunked" in header else BODY

    async def answer(connection: TlsConnection) -> None:
        await connection.receive_http1()
        connection.writer.write(b"HTTP/1.1 200 OK\r\n%s\r\n\r\n%s" % (header.encode(), body))
        await connection.end(how)

    async with tls_site(tmp_path, "http/1.1", answer) as (url, ca_file):
        fetched = await _fetch_often(url, ca_file, SECONDS if how == "stalled" else 20)

    assert set(fetched) == {(BODY, "broken")}


@pytest.mark.parametrize("how", [*ENDS, "reset", "going away"])
async def test_the_content_before_the_end_of_http2_is_returned(tmp_path: Path, how: str) -> None:
    async def answer(connection: TlsConnection) -> None:
        stream = await connection.receive_http2()
        connection.send_frame(_HEADERS, _STATUS_200, flags=_END_HEADERS, stream=stream)
        connection.send_frame(_DATA, BODY, stream=stream)
        if how == "reset":
            connection.send_frame(_RESET, (2).to_bytes(4, "big"), stream=stream)
        if how == "going away":
            connection.send_frame(_GO_AWAY, stream.to_bytes(4, "big") + bytes(4))
        await connection.end(how)

    async with tls_site(tmp_path, "h2", answer) as (url, ca_file):
        fetched = await _fetch_often(url, ca_file, SECONDS if how == "stalled" else 20)

    assert set(fetched) == {(BODY, "broken")}
