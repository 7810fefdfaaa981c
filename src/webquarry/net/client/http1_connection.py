"""One HTTP/1.1 connection on the event loop, for one request at a time (ADR 10)."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import cast

from webquarry.errors import NetworkError
from webquarry.net.client.response import MAX_HEADER_BYTES, MAX_HEADERS, Headers, ResponseStream
from webquarry.net.client.transport_errors import (
    broken_response_error,
    no_response_error,
    timeout_error,
)

_HIGH_WATER = 2**20  # unread bytes of a body, from which reading from the socket pauses


class Http1Connection(asyncio.Protocol):
    """One connection."""

    def __init__(self) -> None:
        self.idle_since = 0.0
        self._transport: asyncio.Transport | None = None
        self._response: _IncomingResponse | None = None

    @property
    def is_open(self) -> bool:
        """Whether the connection has not been closed."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def is_reusable(self) -> bool:
        """Whether the last response left the connection ready for another request."""
        return self.is_open and self._response is not None and self._response.keep_alive

    async def send(self, data: bytes, url: str) -> ResponseStream:
        """Send an encoded request; return the response once its headers have arrived."""
        if self._transport is None or self._transport.is_closing():
            raise no_response_error(None)
        response = self._response = _IncomingResponse(self._transport)
        self._transport.write(data)
        headers = await response.wait_for_headers()
        return _Http1Response(url, response.status, headers, response)

    def time_out(self) -> None:
        """Fail the pending response: it takes too long."""
        if self._response:
            self._response.fail(timeout_error())

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        # bytes without a pending request could be taken for the next response
        if self._response is None or not self._response.receive(data):
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._response:
            self._response.connection_lost(exc)


class _IncomingResponse:
    """A response while it arrives. httptools calls the methods that begin with `on_`."""

    def __init__(self, transport: asyncio.Transport) -> None:
        import httptools

        self.status = 0
        self.headers: Headers | None = None
        self.chunks: list[bytes] = []  # of the body, unread
        self.complete = False
        self.failure: NetworkError | None = None
        self.keep_alive = False
        self._transport = transport
        self._parser = httptools.HttpResponseParser(self)
        self._fields: list[tuple[str, str]] = []
        self._field_bytes = 0
        self._received_bytes = 0
        self.unread_bytes = 0  # in `chunks`
        self._waiter: asyncio.Future[None] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it is complete or has failed."""
        return self.complete or self.failure is not None

    async def wait_for_headers(self) -> Headers:
        """Return the headers once they and the status have arrived."""
        while self.headers is None:
            if self.failure:
                raise self.failure
            await self._wait()
        return self.headers

    async def next_chunk(self) -> bytes:
        """Return the next bytes of the body, b'' at its end; raise if it is cut off."""
        while not self.chunks:
            if self.failure:
                raise self.failure
            if self.complete:
                return b""
            await self._wait()
        return self.take_chunks()

    def take_chunks(self) -> bytes:
        """Return the unread bytes of the body."""
        taken = self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)
        self.chunks = []
        if self.unread_bytes > _HIGH_WATER and not self._transport.is_closing():
            self._transport.resume_reading()
        self.unread_bytes = 0
        return taken

    def receive(self, data: bytes) -> bool:
        """Parse the next bytes; return False if the connection must be closed."""
        if self.has_ended:
            self.keep_alive = False
            return False
        import httptools

        self._received_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            # bytes after a complete response only prevent the reuse of the connection
            if not self.complete:
                self.fail(broken_response_error("the response is not HTTP"))
            self.keep_alive = False
        if self.headers is None and self._received_bytes > MAX_HEADER_BYTES:
            self.fail(_headers_too_large())
        self._wake()
        return self.keep_alive if self.has_ended else True

    def connection_lost(self, error: Exception | None) -> None:
        """End the response: the connection is closed."""
        self.keep_alive = False
        if self.has_ended:
            return
        if self.headers is not None and _ends_with_connection(self.headers) and error is None:
            self.complete = True
            self._wake()
        elif self._received_bytes:
            self.fail(broken_response_error("the response was cut off"))
        else:
            self.fail(no_response_error(error))

    def fail(self, error: NetworkError) -> None:
        """End it with an error."""
        if not self.has_ended:
            self.failure = error
            self._wake()

    def on_message_begin(self) -> None:
        self.keep_alive = False  # also for a second response to one request

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields.append((name.decode("latin-1"), value.decode("latin-1")))
        self._field_bytes += len(name) + len(value)
        if len(self._fields) > MAX_HEADERS or self._field_bytes > MAX_HEADER_BYTES:
            self.fail(_headers_too_large())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:  # an interim response; the final one follows
            self._fields = []
        elif not self.has_ended:
            self.status, self.headers = status, Headers(self._fields)

    def on_body(self, data: bytes) -> None:
        if self.has_ended:
            return
        self.chunks.append(data)
        before, self.unread_bytes = self.unread_bytes, self.unread_bytes + len(data)
        if before <= _HIGH_WATER < self.unread_bytes and not self._transport.is_closing():
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self.headers is not None and not self.has_ended:
            self.complete = True
            self.keep_alive = self._parser.should_keep_alive()

    async def _wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)


@dataclass
class _Http1Response(ResponseStream):
    incoming: _IncomingResponse

    async def chunks(self) -> AsyncGenerator[bytes]:
        while chunk := await self.incoming.next_chunk():
            yield chunk

    def take_received(self, max_bytes: int) -> bytes | None:
        has_arrived = self.incoming.complete and self.incoming.unread_bytes <= max_bytes
        return self.incoming.take_chunks() if has_arrived else None

    async def read_encoded(self, max_bytes: int) -> bytes | None:
        if not self.incoming.complete:
            return await super().read_encoded(max_bytes)
        return self.take_received(max_bytes)


def _ends_with_connection(headers: Headers) -> bool:
    return "content-length" not in headers and "transfer-encoding" not in headers


def _headers_too_large() -> NetworkError:
    return NetworkError("its headers are too large", details={"detail": "too_large"})
