"""HTTP/1.1 without TLS, directly on the event loop (ADR 10).

wreq runs in threads of its own, and each switch between those and the event loop costs more than
the request. Only ordinary requests are sent here: `encode` returns None for those that need wreq.
"""

import asyncio
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType

from webquarry.net.client.http1_connection import Http1Connection
from webquarry.net.client.request import NO_COOKIES, HttpRequest
from webquarry.net.client.response import ResponseStream
from webquarry.net.client.transport_errors import NoResponseError, connect_error, timeout_error

Endpoint = tuple[str, int]  # host and port

_METHODS = frozenset({"GET", "POST"})
_IDEMPOTENT = frozenset({"GET"})
# URLs that all parsers read alike: no credentials, no escapes in the host, no dot segments
_ORDINARY_URL = re.compile(
    r"http://([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?"
    r"((?:/(?!\.|%2[eE])[\w.~!$&()*+,;=:@%-]*)*(?:\?[\w.~!$&()*+,;=:@%/?-]*)?)",
    re.ASCII,
)
_HEADER_LINES = re.compile(r"(?:[\w!#$%&'*+.^`|~-]+: [\t\x20-\x7e]*\r\n)*", re.ASCII)
_RESERVED = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "expect", "cookie"}
)
_MAX_IDLE = 32  # connections to one endpoint
_IDLE_TIMEOUT = 60.0  # seconds
_CONNECT_TIMEOUT = 8.0
_GRACE = 1.0  # the caller's own deadline comes first and has the better message


@dataclass(frozen=True, slots=True)
class EncodedRequest:
    """A request with the bytes to send."""

    endpoint: Endpoint
    data: bytes
    idempotent: bool
    request: HttpRequest


class Http1Pool:
    """A pool of HTTP/1.1 connections."""

    def __init__(self, headers: Mapping[str, str], addresses: Sequence[str] = ()) -> None:
        """Use `headers`, in lower case, as defaults for every request.

        With `addresses` no name is resolved: every connection goes to one of these IP addresses.
        """
        self._headers = dict(headers)
        self._addresses = addresses
        self._last_head: tuple[str, Mapping[str, str], str | None] | None = None
        self._idle: dict[Endpoint, list[Http1Connection]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cleanup: asyncio.TimerHandle | None = None
        self._closed = False

    def encode(self, request: HttpRequest) -> EncodedRequest | None:
        """Return the request as bytes; None if it is unusual in any way."""
        match = _ORDINARY_URL.fullmatch(request.url)
        if not match or request.method not in _METHODS or request.proxy:
            return None
        if request.cookies and request.cookies.state != NO_COOKIES:
            return None
        host, port, target = match.groups()
        head = self._header_lines(request, f"{host}:{port}" if port and port != "80" else host)
        if head is None:
            return None
        path = target if target.startswith("/") else f"/{target}"
        data = f"{request.method} {path} HTTP/1.1\r\n{head}\r\n".encode("ascii")
        return EncodedRequest(
            (host, int(port or 80)),
            data + (request.body or b""),
            request.method in _IDEMPOTENT,
            request,
        )

    def _header_lines(self, request: HttpRequest, host: str) -> str | None:
        """Return the header lines of a request; those of the last request are cached."""
        if request.body is not None or request.method == "POST":
            return _header_lines(self._headers, request, host)
        last = self._last_head
        if last and last[0] == host and last[1] == request.headers:
            return last[2]
        head = _header_lines(self._headers, request, host)
        self._last_head = (host, dict(request.headers), head)
        return head

    def send(self, encoded: EncodedRequest) -> "_Exchange":
        """Send the request; the response is open inside the block."""
        return _Exchange(self, encoded)

    def close(self) -> None:
        """Close idle connections now, and each of the others after its response."""
        self._closed = True
        idle = [connection for group in self._idle.values() for connection in group]
        self._idle = {}
        if self._cleanup:
            self._cleanup.cancel()
        if self._loop and not self._loop.is_closed():
            for connection in idle:
                connection.abort()

    def take_idle(self, endpoint: Endpoint) -> Http1Connection | None:
        """Return an open idle connection."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # connections belong to the loop that made them
            self._loop, self._idle, self._cleanup = loop, {}, None
        idle = self._idle.get(endpoint, [])
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
        return None

    async def connect(self, endpoint: Endpoint) -> Http1Connection:
        """Return a new connection to the first IP address that accepts one."""
        loop = asyncio.get_running_loop()
        host, port = endpoint
        failure = OSError()
        for address in self._addresses or await _resolve(host, port):
            try:
                _, connection = await loop.create_connection(Http1Connection, address, port)
            except OSError as error:
                failure = error
            else:
                return connection
        raise connect_error(failure) from failure

    def release(self, endpoint: Endpoint, connection: Http1Connection) -> None:
        """Return a connection to the pool if it is reusable; otherwise close it."""
        idle = self._idle.setdefault(endpoint, [])
        if self._closed or not connection.is_reusable or len(idle) >= _MAX_IDLE:
            connection.abort()
            return
        loop = asyncio.get_running_loop()
        connection.idle_since = loop.time()
        idle.append(connection)
        if self._cleanup is None:
            self._cleanup = loop.call_later(_IDLE_TIMEOUT, self._close_expired, loop)

    def _close_expired(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close connections that were idle too long; repeat while any are left."""
        self._cleanup = None
        oldest = loop.time() - _IDLE_TIMEOUT
        for endpoint, idle in tuple(self._idle.items()):
            for connection in idle:
                if connection.idle_since <= oldest:
                    connection.abort()
            self._idle[endpoint] = [c for c in idle if c.idle_since > oldest and c.is_open]
            if not self._idle[endpoint]:
                del self._idle[endpoint]
        if self._idle:
            self._cleanup = loop.call_later(_IDLE_TIMEOUT, self._close_expired, loop)


@dataclass(slots=True)
class _Exchange:
    """One request and its response, on a connection that is released afterwards."""

    pool: Http1Pool
    encoded: EncodedRequest
    _connection: Http1Connection | None = field(default=None, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    async def __aenter__(self) -> ResponseStream:
        # a server may close an idle connection just as a request is sent on it, so requests that
        # are not idempotent never use one
        idle = self.pool.take_idle(self.encoded.endpoint) if self.encoded.idempotent else None
        try:
            response = await self._send(idle) if idle else None
        except NoResponseError:
            response = None
        if response is None:
            response = await self._send(await self._connect())
        cookies = self.encoded.request.cookies
        if cookies and (set_cookie := response.headers.get_all("set-cookie")):
            cookies.add(set_cookie, self.encoded.request.url)
        return response

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        connection = self._connection
        self._connection = None
        self._abort()
        if connection:
            self.pool.release(self.encoded.endpoint, connection)

    async def _send(self, connection: Http1Connection) -> ResponseStream:
        self._connection = connection
        seconds = self.encoded.request.timeout + _GRACE
        self._timer = asyncio.get_running_loop().call_later(seconds, connection.time_out)
        try:
            return await connection.send(self.encoded.data, self.encoded.request.url)
        except BaseException:  # also when cancelled: the response may still arrive
            self._abort()
            raise

    async def _connect(self) -> Http1Connection:
        timeout = min(_CONNECT_TIMEOUT, self.encoded.request.timeout + _GRACE)
        try:
            async with asyncio.timeout(timeout):
                return await self.pool.connect(self.encoded.endpoint)
        except TimeoutError as error:
            raise timeout_error() from error

    def _abort(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._connection:
            self._connection.abort()
            self._connection = None


def _header_lines(defaults: Mapping[str, str], request: HttpRequest, host: str) -> str | None:
    """Return the header lines of a request; None if one is unusual."""
    given = {name.lower(): value for name, value in request.headers.items()}
    if len(given) < len(request.headers) or not _RESERVED.isdisjoint(given):
        return None
    fields = {**defaults, **given}
    if request.body is not None or request.method == "POST":
        fields["content-length"] = str(len(request.body or b""))
    fields["host"] = host
    head = "".join([f"{name}: {value}\r\n" for name, value in fields.items()])
    # reject CR and LF in names and values: prevents header injection
    return head if head.count("\n") == len(fields) and _HEADER_LINES.fullmatch(head) else None


async def _resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise connect_error(error) from error
    return [str(address[0]) for *_, address in found]
