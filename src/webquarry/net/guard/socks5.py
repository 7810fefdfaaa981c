"""The server side of the SOCKS5 handshake (RFC 1928), without I/O."""

import re
import socket
from dataclasses import dataclass

from webquarry.net.guard.refusals import RefusalCode

_VERSION = 5
_NO_AUTHENTICATION = 0
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
# a name or an IP address, without characters that have a meaning in a URL
_HOST = re.compile(r"[0-9A-Za-z._:-]{1,253}")
_NO_BOUND_ADDRESS = b"\x00\x01\x00\x00\x00\x00\x00\x00"

SUCCEEDED = b"\x05\x00" + _NO_BOUND_ADDRESS
_NOT_SUPPORTED = b"\x05\x07" + _NO_BOUND_ADDRESS
_REPLIES: dict[RefusalCode, int] = {
    "policy": 2,
    "dns_no_such_name": 4,
    "dns_failed": 4,
    "unreachable": 4,
    "timeout": 4,
    "connection_refused": 5,
    "proxy": 1,
    "busy": 1,
}


def refusal_reply(code: RefusalCode) -> bytes:
    """Return the reply to a refused request."""
    return bytes((_VERSION, _REPLIES[code])) + _NO_BOUND_ADDRESS


@dataclass(frozen=True)
class Destination:
    """The host and port that a client requests."""

    host: str
    port: int

    @property
    def href(self) -> str:
        """The destination as a URL for the one URL parser; the scheme has no meaning."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"


class Handshake:
    """Parses the handshake; in the end either `destination` is set or `failed` is true."""

    def __init__(self) -> None:
        self.destination: Destination | None = None
        self.failed = False
        self.remaining = b""  # bytes after the request
        self._buffer = b""
        self._greeted = False

    def receive(self, data: bytes) -> bytes:
        """Parse the next bytes; return the reply to send now."""
        self._buffer += data
        reply = b"" if self._greeted else self._greeting()
        if self._greeted and not self.failed and self.destination is None:
            reply += self._request()
        return reply

    def _greeting(self) -> bytes:
        buffer = self._buffer
        if buffer[:1] not in {b"", bytes((_VERSION,))}:
            self.failed = True
            return b""
        if len(buffer) < 2 or len(buffer) < 2 + buffer[1]:
            return b""
        methods, self._buffer = buffer[2 : 2 + buffer[1]], buffer[2 + buffer[1] :]
        if _NO_AUTHENTICATION not in methods:
            self.failed = True
            return b"\x05\xff"
        self._greeted = True
        return b"\x05\x00"

    def _request(self) -> bytes:
        buffer = self._buffer
        if len(buffer) < 5:
            return b""
        version, command, _, kind, first = buffer[:5]
        length = {_IPV4: 4, _NAME: 1 + first, _IPV6: 16}.get(kind)
        if version != _VERSION or command != _CONNECT or length is None:
            self.failed = True
            return _NOT_SUPPORTED
        end = 4 + length + 2
        if len(buffer) < end:
            return b""
        host = _host(kind, buffer[4 : 4 + length])
        self.remaining, self._buffer = buffer[end:], b""
        if host is None:
            self.failed = True
            return refusal_reply("policy")
        self.destination = Destination(host, int.from_bytes(buffer[end - 2 : end], "big"))
        return b""


def _host(kind: int, raw: bytes) -> str | None:
    if kind == _NAME:
        name = raw[1:].decode("latin-1")
        return name if _HOST.fullmatch(name) else None
    return socket.inet_ntop(socket.AF_INET if kind == _IPV4 else socket.AF_INET6, raw)
