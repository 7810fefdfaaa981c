"""One HTTP/1.1 connection on the event loop: a request, its answer, then perhaps the next."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from webquarry.errors import NetworkError
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import MOST_HEADER_BYTES, MOST_HEADERS
from webquarry.net.client.response import ResponseStream
from webquarry.net.client.transport_errors import broken, late, silent

_AHEAD = 2**20  # bytes of a body that may wait for their reader


class Http1Connection(asyncio.Protocol):
    """One connection."""

    def __init__(self) -> None:
        self.since = 0.0  # when it was last used
        self._transport: asyncio.Transport | None = None
        self._coming: _IncomingResponse | None = None

    @property
    def is_open(self) -> bool:
        """Whether the other side has not hung up."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def may_be_asked_again(self) -> bool:
        """Whether the answer has left the connection ready for another."""
        return self.is_open and self._coming is not None and self._coming.keeps_open

    async def ask(self, data: bytes) -> ResponseStream:
        """Send a request and return the answer when its head is there."""
        if self._transport is None or self._transport.is_closing():
            raise silent(None)
        coming = self._coming = _IncomingResponse(self._transport)
        self._transport.write(data)
        await coming.head()
        return _LineAnswer(coming)

    def give_up(self) -> None:
        """End the answer that is coming: it takes too long."""
        if self._coming:
            self._coming.fail(late())

    def hang_up(self) -> None:
        """Close the connection at once."""
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        # bytes that nobody asked for mean that the two sides do not understand each other
        if self._coming is None or not self._coming.takes(data):
            self.hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._coming:
            self._coming.ended(exc)


class _IncomingResponse:
    """An answer while it comes. httptools calls the methods that begin with `on_`."""

    def __init__(self, transport: asyncio.Transport) -> None:
        import httptools

        self.status = 0
        self.headers: Headers | None = None
        self.chunks: list[bytes] = []  # of the body, not taken yet
        self.complete = False
        self.failure: NetworkError | None = None
        self.keeps_open = False
        self._transport = transport
        self._parser = httptools.HttpResponseParser(self)
        self._fields: list[tuple[str, str]] = []
        self._field_bytes = 0
        self._received = 0  # bytes
        self._ahead = 0  # bytes in `chunks`
        self._waiter: asyncio.Future[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.complete or self.failure is not None

    async def head(self) -> None:
        """Wait until status and headers are there."""
        while self.headers is None:
            if self.failure:
                raise self.failure
            await self._wait()

    async def next(self) -> bytes:
        """Return the next bytes of the body, empty at its end; raise where it breaks off."""
        while not self.chunks:
            if self.failure:
                raise self.failure
            if self.complete:
                return b""
            await self._wait()
        return self.take()

    def take(self) -> bytes:
        """Return what has come of the body since."""
        taken = self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)
        self.chunks = []
        if self._ahead > _AHEAD and not self._transport.is_closing():
            self._transport.resume_reading()
        self._ahead = 0
        return taken

    def takes(self, data: bytes) -> bool:
        """Read the next bytes; return False when no more are wanted on this connection."""
        if self.is_over:
            self.keeps_open = False
            return False
        import httptools

        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self.complete:  # what follows an answer spoils the connection only
                self.fail(broken("the answer is not HTTP"))
            self.keeps_open = False
        if self.headers is None and self._received > MOST_HEADER_BYTES:
            self.fail(_too_large())
        self._wake()
        return self.keeps_open if self.is_over else True

    def ended(self, error: Exception | None) -> None:
        """Note that the connection is closed."""
        self.keeps_open = False
        if self.is_over:
            return
        if self.headers is not None and _ends_with_connection(self.headers) and error is None:
            self.complete = True
            self._wake()
        elif self._received:
            self.fail(broken("the answer broke off"))
        else:
            self.fail(silent(error))

    def fail(self, error: NetworkError) -> None:
        """End it with an error."""
        if not self.is_over:
            self.failure = error
            self._wake()

    def on_message_begin(self) -> None:
        self.keeps_open = False  # a second answer to one question

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields.append((name.decode("latin-1"), value.decode("latin-1")))
        self._field_bytes += len(name) + len(value)
        if len(self._fields) > MOST_HEADERS or self._field_bytes > MOST_HEADER_BYTES:
            self.fail(_too_large())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:  # "please go on": the answer is still to come
            self._fields = []
        elif not self.is_over:
            self.status, self.headers = status, Headers(self._fields)

    def on_body(self, data: bytes) -> None:
        if self.is_over:
            return
        self.chunks.append(data)
        before, self._ahead = self._ahead, self._ahead + len(data)
        if before <= _AHEAD < self._ahead and not self._transport.is_closing():
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self.headers is not None and not self.is_over:
            self.complete = True
            self.keeps_open = self._parser.should_keep_alive()

    async def _wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)


class _LineAnswer(ResponseStream):
    def __init__(self, coming: _IncomingResponse) -> None:
        super().__init__(coming.status, coming.headers or Headers())
        self._coming = coming

    def arrived(self) -> bytes | None:
        return self._coming.take() if self._coming.complete else None

    async def chunks(self) -> AsyncGenerator[bytes]:
        while chunk := await self._coming.next():
            yield chunk


def _ends_with_connection(headers: Headers) -> bool:
    return "content-length" not in headers and "transfer-encoding" not in headers


def _too_large() -> NetworkError:
    return NetworkError("its headers are too large", details={"detail": "too_large"})
