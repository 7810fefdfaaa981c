"""The server's half of SOCKS5 (RFC 1928) up to the request, without any input or output."""

import re
import socket
from dataclasses import dataclass

from webquarry.net.guard.refusals import Code

_VERSION = 5
_NO_AUTHENTICATION = 0
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
# a name or an address, and nothing that means something in a URL
_HOST = re.compile(r"[0-9A-Za-z._:-]{1,253}")
_NOWHERE = b"\x00\x01\x00\x00\x00\x00\x00\x00"

SUCCEEDED = b"\x05\x00" + _NOWHERE
_NOT_SUPPORTED = b"\x05\x07" + _NOWHERE
_REPLIES: dict[Code, int] = {
    "policy": 2,
    "dns_no_such_name": 4,
    "dns_failed": 4,
    "unreachable": 4,
    "timeout": 4,
    "connection_refused": 5,
    "proxy": 1,
    "busy": 1,
}


def refusal(code: Code) -> bytes:
    """Return the reply that refuses a request."""
    return bytes((_VERSION, _REPLIES[code])) + _NOWHERE


@dataclass(frozen=True)
class Destination:
    """Where a client wants to go."""

    host: str
    port: int

    @property
    def href(self) -> str:
        """The destination as a URL, to be read by the one parser; the scheme means nothing."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"


class Handshake:
    """Takes bytes as they come; then either `destination` is set or `failed`."""

    def __init__(self) -> None:
        self.destination: Destination | None = None
        self.failed = False
        self.rest = b""  # what came after the request
        self._buffer = b""
        self._greeted = False

    def receive(self, data: bytes) -> bytes:
        """Return what to answer now."""
        self._buffer += data
        answer = b"" if self._greeted else self._greeting()
        if self._greeted and not self.failed and self.destination is None:
            answer += self._request()
        return answer

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
        self.rest, self._buffer = buffer[end:], b""
        if host is None:
            self.failed = True
            return refusal("policy")
        self.destination = Destination(host, int.from_bytes(buffer[end - 2 : end], "big"))
        return b""


def _host(kind: int, raw: bytes) -> str | None:
    if kind == _NAME:
        name = raw[1:].decode("latin-1")
        return name if _HOST.fullmatch(name) else None
    return socket.inet_ntop(socket.AF_INET if kind == _IPV4 else socket.AF_INET6, raw)
