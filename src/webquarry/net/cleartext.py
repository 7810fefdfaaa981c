"""HTTP/1.1 without TLS to upstreams the operator chose, on the event loop itself (ADR 10).

wreq answers from threads of its own, and every step between those and the event loop wakes
somebody up. A SearXNG next door answers faster than that. Only what is quite ordinary is sent
here; whoever sends asks `spoken` first and takes wreq for the rest.
"""

import asyncio
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from webquarry.errors import NetworkError
from webquarry.net.encodings import EncodingError
from webquarry.net.engine import MOST_HEADER_BYTES, MOST_HEADERS, Sending
from webquarry.net.failures import broken, unconnected
from webquarry.net.headers import Headers
from webquarry.net.vessel import Body, Ending, Vessel

Place = tuple[str, int]

_METHODS = frozenset({"GET", "POST"})
_REPEATABLE = frozenset({"GET"})
# what every reader of URLs reads in the same way: no user, no escapes of the host, no dot segments
_ORDINARY = re.compile(
    r"http://([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?"
    r"((?:/(?!\.|%2[eE])[\w.~!$&()*+,;=:@%-]*)*(?:\?[\w.~!$&()*+,;=:@%/?-]*)?)",
    re.ASCII,
)
_FIELDS = re.compile(r"(?:[\w!#$%&'*+.^`|~-]+: [\t\x20-\x7e]*\r\n)*", re.ASCII)
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "expect"})
_MOST_IDLE = 8  # connections kept open to one place
_IDLE = 60.0  # seconds


@dataclass(frozen=True)
class Spoken:
    """A request as it goes over the wire."""

    place: Place
    data: bytes
    repeatable: bool


@dataclass(frozen=True)
class Heard:
    """The answer to it."""

    status: int
    headers: Headers
    body: Body


class Cleartext:
    """Connections to a few places, kept open."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        """`headers`, in lower case, go with every request that does not bring them."""
        self._headers = headers
        self._idle: dict[Place, list[_Line]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def spoken(self, sending: Sending) -> Spoken | None:
        """Return how the request is put; None for what is unusual in any way."""
        found = _ORDINARY.fullmatch(sending.url)
        if not found or sending.method not in _METHODS or sending.through or sending.cookies:
            return None
        host, port, target = found.groups()
        given = {name.lower(): value for name, value in sending.headers.items()}
        if len(given) < len(sending.headers) or not _OURS.isdisjoint(given):
            return None
        fields = {**self._headers, **given}
        fields["host"] = f"{host}:{port}" if port and port != "80" else host
        if sending.body is not None or sending.method == "POST":
            fields["content-length"] = str(len(sending.body or b""))
        head = "".join([f"{name}: {value}\r\n" for name, value in fields.items()])
        # a line that a value would begin is one too many
        if head.count("\n") != len(fields) or not _FIELDS.fullmatch(head):
            return None
        path = target if target.startswith("/") else f"/{target}"
        data = f"{sending.method} {path} HTTP/1.1\r\n{head}\r\n".encode("ascii")
        place = (host, int(port or 80))
        return Spoken(place, data + (sending.body or b""), sending.method in _REPEATABLE)

    async def send(self, spoken: Spoken, most: int) -> Heard:
        """Return the answer with at most so many bytes; raise `NetworkError` when there is none."""
        # a server may close a connection that it kept just when it is asked again; what must not
        # be said twice therefore gets a new one
        kept = self._kept(spoken.place) if spoken.repeatable else None
        if kept:
            try:
                return await self._ask(kept, spoken, most)
            except _SilentError:
                pass
        return await self._ask(await _connected(spoken.place), spoken, most)

    def close(self) -> None:
        """Close all connections."""
        lines = [line for kept in self._idle.values() for line in kept]
        self._idle = {}
        if self._loop and not self._loop.is_closed():
            for line in lines:
                line.hang_up()

    async def _ask(self, line: "_Line", spoken: Spoken, most: int) -> Heard:
        try:
            heard = await line.ask(spoken.data, most)
        except BaseException:  # also when nobody waits any more: the rest of the answer may come
            line.hang_up()
            raise
        idle = self._idle.setdefault(spoken.place, [])
        if line.may_be_asked_again and len(idle) < _MOST_IDLE:
            line.since = asyncio.get_running_loop().time()
            idle.append(line)
        else:
            line.hang_up()
        return heard

    def _kept(self, place: Place) -> "_Line | None":
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # connections belong to the loop that made them
            self._loop, self._idle = loop, {}
        idle = self._idle.get(place, [])
        while idle:
            line = idle.pop()
            if line.is_open and loop.time() - line.since < _IDLE:
                return line
            line.hang_up()
        return None


async def _connected(place: Place) -> "_Line":
    """Return a new connection to the first address that takes one."""
    loop = asyncio.get_running_loop()
    host, port = place
    failed = OSError()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise unconnected(error) from error
    for family, _, _, _, address in found:
        try:
            _, line = await loop.create_connection(_Line, str(address[0]), port, family=family)
        except OSError as error:
            failed = error
        else:
            return line
    raise unconnected(failed) from failed


class _SilentError(NetworkError):
    """The connection was closed before a single byte of the answer came."""


class _Line(asyncio.Protocol):
    """One connection: a request, its answer, then perhaps the next."""

    def __init__(self) -> None:
        self.since = 0.0  # when it was last used
        self._transport: asyncio.Transport | None = None
        self._answer: _Answer | None = None

    @property
    def is_open(self) -> bool:
        """Whether the other side has not hung up."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def may_be_asked_again(self) -> bool:
        """Whether the answer has left the connection ready for another."""
        return self.is_open and self._answer is not None and self._answer.keeps_open

    async def ask(self, data: bytes, most: int) -> Heard:
        """Send a request and return the answer."""
        answer = self._answer = _Answer(asyncio.get_running_loop().create_future(), most)
        if self._transport is None or self._transport.is_closing():
            answer.ended(None)
        else:
            self._transport.write(data)
        return await answer.coming

    def hang_up(self) -> None:
        """Close the connection at once."""
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        # bytes that nobody asked for mean that the two sides do not understand each other
        if self._answer is None or not self._answer.takes(data):
            self.hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._answer:
            self._answer.ended(exc)


class _Answer:
    """One answer while it comes. httptools calls the methods that begin with `on_`."""

    def __init__(self, coming: "asyncio.Future[Heard]", most: int) -> None:
        import httptools

        self.coming = coming
        self.keeps_open = False
        self._most = most
        self._parser = httptools.HttpResponseParser(self)
        self._fields: list[tuple[str, str]] = []
        self._received = 0  # bytes until the head is complete
        self._field_bytes = 0
        self._headers: Headers | None = None
        self._vessel: Vessel | None = None

    def takes(self, data: bytes) -> bool:
        """Read the next bytes; return False when no more are wanted on this connection."""
        if self.coming.done():
            return False
        import httptools

        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(broken("the answer is not HTTP"))
        if self._headers is None and self._received > MOST_HEADER_BYTES:
            self._fail(_too_large())
        return not self.coming.done() or self.keeps_open

    def ended(self, error: Exception | None) -> None:
        """Note that the connection is closed."""
        if self.coming.done():
            return
        if self._vessel and self._headers is not None and _ends_with_connection(self._headers):
            whole = error is None and self._vessel.decoder.complete
            self._finish("whole" if whole else "cut")
        elif self._received:
            self._fail(broken("the answer broke off"))
        else:
            reset = isinstance(error, ConnectionResetError)
            words = "was reset" if reset else "was closed without an answer"
            self._fail(_SilentError(f"the connection {words}", details={"detail": "broken"}))

    def on_message_begin(self) -> None:
        self.keeps_open = False  # a second answer to one question

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields.append((name.decode("latin-1"), value.decode("latin-1")))
        self._field_bytes += len(name) + len(value)
        if len(self._fields) > MOST_HEADERS or self._field_bytes > MOST_HEADER_BYTES:
            self._fail(_too_large())

    def on_headers_complete(self) -> None:
        if self.coming.done():
            return
        if self._parser.get_status_code() < 200:  # "please go on": the answer is still to come
            self._fields = []
            return
        self._headers = Headers(self._fields)
        try:
            self._vessel = Vessel(self._headers, self._most)
        except EncodingError as error:
            self._fail(NetworkError(str(error)))

    def on_body(self, data: bytes) -> None:
        if self.coming.done() or self._vessel is None:
            return
        try:
            if not self._vessel.takes(data):
                self._finish("cap")
        except EncodingError as error:
            self._fail(NetworkError(str(error)))

    def on_message_complete(self) -> None:
        if self.coming.done() or self._vessel is None:
            return
        self._finish("whole" if self._vessel.decoder.complete else "cut")
        self.keeps_open = self._parser.should_keep_alive()

    def _finish(self, ending: Ending) -> None:
        if self._vessel and self._headers is not None:
            body = self._vessel.body(ending)
            self.coming.set_result(Heard(self._parser.get_status_code(), self._headers, body))

    def _fail(self, error: NetworkError) -> None:
        if not self.coming.done():
            self.coming.set_exception(error)


def _ends_with_connection(headers: Headers) -> bool:
    return "content-length" not in headers and "transfer-encoding" not in headers


def _too_large() -> NetworkError:
    return NetworkError("its headers are too large", details={"detail": "too_large"})
