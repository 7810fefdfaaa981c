"""Time and size limits for HTTP connections: slow requests (408) and large heads (431)."""

import asyncio
from http import HTTPStatus
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webquarry.server.problem_details import MEDIA_TYPE, problem_bytes
from webquarry.settings.groups.http import HttpSettings

_MESSAGES = {
    400: "This is not a valid HTTP request.",
    408: "The request did not arrive in time (HTTP_READ_HEADER_TIMEOUT, HTTP_READ_TIMEOUT).",
    431: "The URL and headers of the request are too large (HTTP_MAX_HEADER_BYTES).",
}


def limited_protocol(http: HttpSettings) -> type[HttpToolsProtocol]:
    """Return uvicorn's protocol with the limits of these settings."""

    class Protocol(_LimitedProtocol):
        limits = http

    return Protocol


class _LimitedProtocol(HttpToolsProtocol):
    """Closes a connection whose request arrives too slowly or whose head is too large."""

    limits = HttpSettings()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0  # of a head that is not complete; -1 while a body arrives
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._start_timer(self.limits.read_header_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head_bytes >= 0:
            if self._head_bytes == 0 and self._timer is None:
                self._start_timer(self.limits.read_header_timeout)
            self._head_bytes += len(data)
            # the last chunk may contain the start of the body, so it does not count
            complete_chunks = self._head_bytes - len(data)
            if complete_chunks > self.limits.max_header_bytes:
                self._reject(431)
                return
        super().data_received(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        size = len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers)
        if size > self.limits.max_header_bytes:
            self._reject(431)
            raise ValueError("the request head is too large")

    def on_headers_complete(self) -> None:
        self._head_bytes = -1
        self._start_timer(self.limits.read_timeout)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over; a WebSocket may be open for long."""
        self._stop_timer()
        super().handle_websocket_upgrade()

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._on_timeout)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _on_timeout(self) -> None:
        if self._head_bytes == 0:  # an idle connection: no request to respond to
            self.transport.close()
        else:
            self._reject(408)

    def send_400_response(self, msg: str) -> None:
        """Respond to a request that is no HTTP, unless a response was sent already."""
        self._reject(400)

    def _reject(self, status: int) -> None:
        self._stop_timer()
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)  # none before the first request
        if cycle is None or not cycle.response_started or cycle.response_complete:
            body = problem_bytes(_MESSAGES[status], status)
            head = (
                f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nconnection: close\r\n"
                f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()
