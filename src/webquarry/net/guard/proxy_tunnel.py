"""Tunnels through an HTTP or SOCKS5 proxy. The proxy is told the checked IP address, no name."""

import asyncio
import base64
import ssl
from abc import abstractmethod
from ipaddress import ip_address
from urllib.parse import SplitResult, unquote, urlsplit

from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.relay import RelayEnd

SCHEMES = ("http", "https", "socks5", "socks5h")
_DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_MAX_REPLY_BYTES = 16 * 2**10
_VERSION, _NO_AUTHENTICATION, _PASSWORD = 5, 0, 2
_REPLY_LENGTHS = {1: 10, 4: 22}  # by type of address: IPv4, IPv6


class ProxyUnusableError(RefusedError):
    """The proxy itself failed, whatever the destination."""

    def __init__(self, reason: str) -> None:
        super().__init__("proxy", reason)


async def open_tunnel(proxy: str, address: str, port: int, *, proxy_host: str = "") -> RelayEnd:
    """Return a connection to an IP address through a proxy, or raise `RefusedError`.

    `proxy_host` is the checked IP address of the proxy; without it, the proxy's name is resolved.
    """
    parts = urlsplit(proxy)
    protocol = _SocksTunnel if parts.scheme.startswith("socks5") else _HttpTunnel
    secure = parts.scheme == "https"
    try:
        _, end = await asyncio.get_running_loop().create_connection(
            lambda: protocol(address, port, parts),
            proxy_host or parts.hostname or "",
            parts.port or _DEFAULT_PORTS[parts.scheme],
            ssl=ssl.create_default_context() if secure else None,
            server_hostname=parts.hostname if secure else None,
        )
    except OSError as error:
        raise ProxyUnusableError("the proxy cannot be reached") from error
    try:
        await end.ready
    except BaseException:
        end.abort()
        raise
    return end


class _Tunnel(RelayEnd):
    """A connection that is used once the proxy has confirmed it."""

    def __init__(self, address: str, port: int, proxy: SplitResult) -> None:
        super().__init__()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._address = address
        self._port = port
        self._proxy = proxy
        self._reply = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._send(self._greeting())

    def data_received(self, data: bytes) -> None:
        if self.ready.done():
            super().data_received(data)
            return
        self._reply += data
        self._read_reply()
        if not self.ready.done() and len(self._reply) > _MAX_REPLY_BYTES:
            self._fail(ProxyUnusableError("the proxy sent no valid response"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ProxyUnusableError("the proxy closed the connection"))
        super().connection_lost(exc)

    @abstractmethod
    def _greeting(self) -> bytes: ...

    @abstractmethod
    def _read_reply(self) -> None: ...

    def _send(self, data: bytes) -> None:
        if self.transport:
            self.transport.write(data)

    def _succeed(self, rest: bytes) -> None:
        self.ready.set_result(None)
        self.buffer(rest)

    def _fail(self, error: RefusedError) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)


class _HttpTunnel(_Tunnel):
    """HTTP CONNECT."""

    def _greeting(self) -> bytes:
        host = f"[{self._address}]" if ":" in self._address else self._address
        target = f"{host}:{self._port}"
        return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{self._credentials()}\r\n".encode()

    def _credentials(self) -> str:
        if self._proxy.username is None:
            return ""
        user, password = unquote(self._proxy.username), unquote(self._proxy.password or "")
        pair = base64.b64encode(f"{user}:{password}".encode()).decode()
        return f"Proxy-Authorization: Basic {pair}\r\n"

    def _read_reply(self) -> None:
        head, end, rest = self._reply.partition(b"\r\n\r\n")
        if not end:
            return
        status = head.split(b"\r\n")[0].split()[1:2]
        if status and status[0].startswith(b"2"):
            self._succeed(rest)
        else:
            shown = status[0][:3].decode("ascii", "replace") if status else "without a status"
            reason = f"the proxy responded {shown}"
            refuses_us = shown in {"401", "403", "407"} or not status
            self._fail(ProxyUnusableError(reason) if refuses_us else RefusedError("proxy", reason))


class _SocksTunnel(_Tunnel):
    """SOCKS5 (RFC 1928), with a user name and password if the URL has them (RFC 1929)."""

    _step = "method"

    def _greeting(self) -> bytes:
        method = _NO_AUTHENTICATION if self._proxy.username is None else _PASSWORD
        return bytes([_VERSION, 1, method])

    def _read_reply(self) -> None:
        if self._step == "method" and len(self._reply) >= 2:
            self._read_method()
        if self._step == "password" and len(self._reply) >= 2:
            self._read_password_reply()
        if self._step == "connect" and len(self._reply) >= 4:
            self._read_connect_reply()

    def _read_method(self) -> None:
        version, method = self._take(2)
        if version != _VERSION or method not in (_NO_AUTHENTICATION, _PASSWORD):
            reason = "the proxy accepts none of our ways to sign in, or is no SOCKS5 proxy"
            self._fail(ProxyUnusableError(reason))
        elif method == _PASSWORD:
            self._step = "password"
            user = unquote(self._proxy.username or "").encode()[:255]
            password = unquote(self._proxy.password or "").encode()[:255]
            self._send(bytes([1, len(user), *user, len(password), *password]))
        else:
            self._send_connect()

    def _read_password_reply(self) -> None:
        _, status = self._take(2)
        if status:
            self._fail(ProxyUnusableError("the proxy refused the user name or password"))
        else:
            self._send_connect()

    def _send_connect(self) -> None:
        self._step = "connect"
        address = ip_address(self._address.partition("%")[0])
        kind = 1 if address.version == 4 else 4
        self._send(bytes([_VERSION, 1, 0, kind, *address.packed, *self._port.to_bytes(2, "big")]))

    def _read_connect_reply(self) -> None:
        status, kind = self._reply[1], self._reply[3]
        if status:
            reason = f"the proxy could not connect (SOCKS status {status})"
            self._fail(RefusedError("proxy", reason))
        elif kind not in _REPLY_LENGTHS:
            self._fail(ProxyUnusableError("the proxy sent no valid response"))
        elif len(self._reply) >= _REPLY_LENGTHS[kind]:
            self._succeed(self._reply[_REPLY_LENGTHS[kind] :])

    def _take(self, count: int) -> bytes:
        taken, self._reply = self._reply[:count], self._reply[count:]
        return taken
