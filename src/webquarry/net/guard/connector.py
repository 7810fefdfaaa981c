"""Connects to the checked IP addresses, directly or through the operator's proxy."""

import asyncio
import base64
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote, urlsplit

from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.relay import RelayEnd
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.url import in_domains

_TIMEOUT = 8.0  # seconds for all attempts
_STAGGER = 0.25  # seconds until the next address is tried as well (Happy Eyeballs)
_MAX_ATTEMPTS = 6
_MAX_REPLY_BYTES = 16 * 2**10


@dataclass(frozen=True, kw_only=True)
class Proxies:
    """The operator's proxies, as URLs; empty = direct."""

    http: str = ""
    https: str = ""
    bypass: tuple[str, ...] = ()  # domains to connect to directly, `*` for all

    def proxy_for(self, host: str, port: int) -> str:
        """Return the proxy for a destination."""
        if "*" in self.bypass or in_domains(host, self.bypass):
            return ""
        return self.http if port == 80 else self.https


class Connector:
    """Opens outgoing connections."""

    def __init__(self, proxies: Proxies | None = None, *, timeout: float = _TIMEOUT) -> None:
        self.proxies = proxies or Proxies()
        self._timeout = timeout

    async def connect(self, pinned: PinnedHost) -> RelayEnd:
        """Return an open connection to one of the IP addresses, or raise `RefusedError`."""
        port = pinned.url.port
        proxy = self.proxies.proxy_for(pinned.url.host, port)
        attempts = [
            partial(_connect, proxy, address, port)
            for address in _interleaved(pinned.addresses)[:_MAX_ATTEMPTS]
        ]
        try:
            async with asyncio.timeout(self._timeout):
                return await _first_to_succeed(attempts)
        except TimeoutError as error:
            raise RefusedError("timeout", f"{pinned.url.site} did not respond in time") from error
        except ConnectionRefusedError as error:
            refused = f"{pinned.url.site} refused the connection"
            raise RefusedError("connection_refused", refused) from error
        except OSError as error:
            raise RefusedError("unreachable", f"{pinned.url.site} cannot be reached") from error


async def _connect(proxy: str, address: str, port: int) -> RelayEnd:
    if proxy:
        return await _connect_through(proxy, address, port)
    _, end = await asyncio.get_running_loop().create_connection(RelayEnd, address, port)
    return end


async def _connect_through(proxy: str, address: str, port: int) -> RelayEnd:
    parts = urlsplit(proxy)
    secure = parts.scheme == "https"
    loop = asyncio.get_running_loop()
    try:
        _, end = await loop.create_connection(
            lambda: _Tunnel(address, port, _credentials(parts.username, parts.password)),
            parts.hostname or "",
            parts.port or (443 if secure else 80),
            ssl=ssl.create_default_context() if secure else None,
        )
    except OSError as error:
        raise RefusedError("proxy", "the proxy cannot be reached") from error
    try:
        await end.ready
    except BaseException:
        end.abort()
        raise
    return end


def _credentials(user: str | None, password: str | None) -> str:
    if user is None:
        return ""
    pair = f"{unquote(user)}:{unquote(password or '')}".encode()
    return f"Proxy-Authorization: Basic {base64.b64encode(pair).decode()}\r\n"


class _Tunnel(RelayEnd):
    """A connection through a proxy. The CONNECT request has the IP address, never the name."""

    def __init__(self, address: str, port: int, credentials: str) -> None:
        super().__init__()
        host = f"[{address}]" if ":" in address else address
        self._request = (
            f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n{credentials}\r\n"
        )
        self._reply = b""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self.transport:
            self.transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        if self.ready.done():
            super().data_received(data)
            return
        self._reply += data
        head, end, rest = self._reply.partition(b"\r\n\r\n")
        if end:
            self._check_status(head)
            self.buffer(rest)
        elif len(self._reply) > _MAX_REPLY_BYTES:
            self._fail("the proxy does not speak HTTP")

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail("the proxy closed the connection")
        super().connection_lost(exc)

    def _check_status(self, head: bytes) -> None:
        status = head.split(b"\r\n")[0].split()[1:2]
        if status and status[0].startswith(b"2"):
            self.ready.set_result(None)
        else:
            shown = status[0][:3].decode("ascii", "replace") if status else "without a status"
            self._fail(f"the proxy responded {shown}")

    def _fail(self, reason: str) -> None:
        if not self.ready.done():
            self.ready.set_exception(RefusedError("proxy", reason))


def _interleaved(addresses: Sequence[str]) -> list[str]:
    """Return the addresses with IPv4 and IPv6 alternating, as one family may be unreachable."""
    six = [address for address in addresses if ":" in address]
    four = [address for address in addresses if ":" not in address]
    first, second = (six, four) if addresses and ":" in addresses[0] else (four, six)
    paired = [address for pair in zip(first, second, strict=False) for address in pair]
    return paired + first[len(second) :] + second[len(first) :]


async def _first_to_succeed(attempts: Sequence[Callable[[], Awaitable[RelayEnd]]]) -> RelayEnd:
    """Start the attempts a moment apart; return the first connection and close the others."""
    running: set[asyncio.Future[RelayEnd]] = set()
    waiting = list(attempts)
    failure: BaseException = OSError("no address")
    try:
        while waiting or running:
            if waiting:
                running.add(asyncio.ensure_future(waiting.pop(0)()))
            done, running = await asyncio.wait(
                running,
                timeout=_STAGGER if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for attempt in done:
                error = attempt.exception()
                if error is None:
                    running |= done - {attempt}
                    return attempt.result()
                failure = error
    finally:
        for attempt in running:
            attempt.cancel()
            attempt.add_done_callback(_close_late)
    raise failure


def _close_late(attempt: asyncio.Future[RelayEnd]) -> None:
    """Close a connection that was not the first."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().abort()
