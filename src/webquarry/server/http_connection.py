"""One HTTP connection that neither waits for ever nor takes whatever it is sent."""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webquarry.settings.groups.http import HttpSettings


def bounded(http: HttpSettings) -> type[HttpToolsProtocol]:
    """Return uvicorn's protocol with the bounds of these settings."""

    class Bounded(_Bounded):
        bounds = http

    return Bounded


class _Bounded(HttpToolsProtocol):
    """Ends a connection whose request is too slow to arrive or whose head is too large."""

    bounds = HttpSettings()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0  # bytes of a head that is not complete; -1 while a body arrives
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._expect(self.bounds.read_header_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head >= 0:
            if self._head == 0 and self._timer is None:
                self._expect(self.bounds.read_header_timeout)
            self._head += len(data)
            # what came along after the head is not known before it is parsed, so it counts too
            before = self._head - len(data)
            if before > self.bounds.max_header_bytes:
                self._refuse(431, "Request Header Fields Too Large")
                return
        super().data_received(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        size = len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers)
        if size > self.bounds.max_header_bytes:
            self._refuse(431, "Request Header Fields Too Large")
            raise ValueError("the head is too large")

    def on_headers_complete(self) -> None:
        self._head = -1
        self._expect(self.bounds.read_timeout)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head = 0
        self._calm()
        super().on_message_complete()

    def _expect(self, seconds: float) -> None:
        self._calm()
        self._timer = self.loop.call_later(seconds, self._too_slow)

    def _calm(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        if self._head == 0:  # nothing was sent: nobody waits for an answer
            self.transport.close()
        else:
            self._refuse(408, "Request Timeout")

    def _refuse(self, status: int, reason: str) -> None:
        self._calm()
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)  # none before the first request
        if cycle is None or not cycle.response_started or cycle.response_complete:
            head = f"HTTP/1.1 {status} {reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(head.encode())
        self.transport.close()
