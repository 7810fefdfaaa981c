"""HTTP/1.1 without TLS on the event loop itself, where nobody stands in between (ADR 10).

wreq answers from threads of its own, and every step between those and the event loop wakes
somebody up, which costs more than the request. Only what is quite ordinary is sent here: whoever
sends asks `spoken` first and takes wreq for the rest.
"""

import asyncio
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from webquarry.net.client.http1_connection import Http1Connection
from webquarry.net.client.outgoing import NO_COOKIES, Cookies, OutgoingRequest
from webquarry.net.client.response import ResponseStream
from webquarry.net.client.transport_errors import NoResponseError, late, unconnected

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
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "expect", "cookie"})
_MOST_IDLE = 32  # connections kept open to one place
_IDLE = 60.0  # seconds
_CONNECTING = 8.0
_GRACE = 1.0  # the caller's own deadline comes first, and says more


@dataclass(frozen=True, slots=True)
class EncodedRequest:
    """A request as it goes over the wire."""

    place: Place
    data: bytes
    repeatable: bool
    sending: OutgoingRequest


class Http1Pool:
    """Connections to a few places, kept open."""

    def __init__(self, headers: Mapping[str, str], addresses: Sequence[str] = ()) -> None:
        """`headers`, in lower case, go with every request that does not bring them.

        With `addresses` nothing is looked up: they are where every connection leads.
        """
        self._headers = dict(headers)
        self._addresses = addresses
        self._last_head: tuple[str, Mapping[str, str], str | None] | None = None
        self._idle: dict[Place, list[Http1Connection]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._closed = False

    def spoken(self, sending: OutgoingRequest) -> EncodedRequest | None:
        """Return how the request is put; None for what is unusual in any way."""
        found = _ORDINARY.fullmatch(sending.url)
        if not found or sending.method not in _METHODS or sending.through:
            return None
        if sending.cookies and sending.cookies.state != NO_COOKIES:
            return None
        host, port, target = found.groups()
        named = f"{host}:{port}" if port and port != "80" else host
        head = self._head_of(sending, named)
        if head is None:
            return None
        path = target if target.startswith("/") else f"/{target}"
        data = f"{sending.method} {path} HTTP/1.1\r\n{head}\r\n".encode("ascii")
        place = (host, int(port or 80))
        return EncodedRequest(
            place, data + (sending.body or b""), sending.method in _REPEATABLE, sending
        )

    def _head_of(self, sending: OutgoingRequest, host: str) -> str | None:
        """Return the header lines of a request; those of its like are the same, but for a body."""
        if sending.body is not None or sending.method == "POST":
            return _written(self._headers, sending, host)
        last = self._last_head
        if last and last[0] == host and last[1] == sending.headers:
            return last[2]
        head = _written(self._headers, sending, host)
        self._last_head = (host, dict(sending.headers), head)
        return head

    def send(self, spoken: EncodedRequest) -> "_Talk":
        """Send the request; the answer is open inside the block."""
        return _Talk(self, spoken)

    def close(self) -> None:
        """Close the connections that nobody uses now, and each of the others after its answer."""
        self._closed = True
        lines = [line for kept in self._idle.values() for line in kept]
        self._idle = {}
        if self._sweeping:
            self._sweeping.cancel()
        if self._loop and not self._loop.is_closed():
            for line in lines:
                line.hang_up()

    def kept(self, place: Place) -> Http1Connection | None:
        """Return a connection that is open already."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # connections belong to the loop that made them
            self._loop, self._idle, self._sweeping = loop, {}, None
        idle = self._idle.get(place, [])
        while idle:
            line = idle.pop()
            if line.is_open:
                return line
        return None

    async def connected(self, place: Place) -> Http1Connection:
        """Return a new connection, to the first address that takes one."""
        loop = asyncio.get_running_loop()
        host, port = place
        failed = OSError()
        for address in self._addresses or await _looked_up(host, port):
            try:
                _, line = await loop.create_connection(Http1Connection, address, port)
            except OSError as error:
                failed = error
            else:
                return line
        raise unconnected(failed) from failed

    def keep(self, place: Place, line: Http1Connection) -> None:
        """Keep a connection for the next request, if it may be used again."""
        idle = self._idle.setdefault(place, [])
        if self._closed or not line.may_be_asked_again or len(idle) >= _MOST_IDLE:
            line.hang_up()
            return
        loop = asyncio.get_running_loop()
        line.since = loop.time()
        idle.append(line)
        if self._sweeping is None:
            self._sweeping = loop.call_later(_IDLE, self._sweep, loop)

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close what nobody has used for a while, and look again as long as there is something."""
        self._sweeping = None
        ended = loop.time() - _IDLE
        for place, idle in tuple(self._idle.items()):
            for line in idle:
                if line.since <= ended:
                    line.hang_up()
            self._idle[place] = [line for line in idle if line.since > ended and line.is_open]
            if not self._idle[place]:
                del self._idle[place]
        if self._idle:
            self._sweeping = loop.call_later(_IDLE, self._sweep, loop)


class _Talk:
    """One request and its answer, on a connection that is kept or left behind afterwards."""

    def __init__(self, lines: Http1Pool, spoken: EncodedRequest) -> None:
        self._lines = lines
        self._spoken = spoken
        self._line: Http1Connection | None = None
        self._alarm: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> ResponseStream:
        # a server may close a connection that it kept just when it is asked again; what must not
        # be said twice therefore gets a new one
        kept = self._lines.kept(self._spoken.place) if self._spoken.repeatable else None
        try:
            answer = await self._begun(kept) if kept else None
        except NoResponseError:
            answer = None
        if answer is None:
            answer = await self._begun(await self._connected())
        _note_cookies(self._spoken.sending.cookies, answer, self._spoken.sending.url)
        return answer

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        line = self._line
        self._line = None
        self._leave()
        if line:
            self._lines.keep(self._spoken.place, line)

    async def _begun(self, line: Http1Connection) -> ResponseStream:
        self._line = line
        seconds = self._spoken.sending.timeout + _GRACE
        self._alarm = asyncio.get_running_loop().call_later(seconds, line.give_up)
        try:
            return await line.ask(self._spoken.data)
        except BaseException:  # also when nobody waits any more: the rest of the answer may come
            self._leave()
            raise

    async def _connected(self) -> Http1Connection:
        try:
            async with asyncio.timeout(min(_CONNECTING, self._spoken.sending.timeout + _GRACE)):
                return await self._lines.connected(self._spoken.place)
        except TimeoutError as error:
            raise late() from error

    def _leave(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        if self._line:
            self._line.hang_up()
            self._line = None


def _written(usual: Mapping[str, str], sending: OutgoingRequest, host: str) -> str | None:
    """Return the header lines of a request; None for unusual ones."""
    given = {name.lower(): value for name, value in sending.headers.items()}
    if len(given) < len(sending.headers) or not _OURS.isdisjoint(given):
        return None
    fields = {**usual, **given}
    if sending.body is not None or sending.method == "POST":
        fields["content-length"] = str(len(sending.body or b""))
    fields["host"] = host
    head = "".join([f"{name}: {value}\r\n" for name, value in fields.items()])
    # a line that a value would begin is one too many
    return head if head.count("\n") == len(fields) and _FIELDS.fullmatch(head) else None


async def _looked_up(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise unconnected(error) from error
    return [str(address[0]) for *_, address in found]


def _note_cookies(cookies: Cookies | None, answer: ResponseStream, url: str) -> None:
    if cookies and (lines := answer.headers.every("set-cookie")):
        cookies.take(lines, url)
