"""The guard: a SOCKS5 proxy inside this process (SSRF protection).

wreq and Chromium connect through it. For every redirect, sub-resource, worker and WebSocket it
resolves the host once, checks the IP addresses, and connects to a checked one.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from webquarry.errors import BadInputError
from webquarry.net.guard import socks5
from webquarry.net.guard.connector import Connector
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.relay import RelayEnd
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.url import Url, parse

_MAX_REFUSALS = 1000


@dataclass(frozen=True, kw_only=True)
class GuardLimits:
    """Time limits in seconds, and the number of connections."""

    handshake: float = 10.0  # until a client has sent its request
    opening: float = 15.0  # to resolve, check and connect
    idle: float = 60.0  # without a byte in either direction
    lifetime: float = 600.0  # of one connection
    connections: int = 512


class Guard:
    """Listens on a loopback port from the first use until it is closed."""

    def __init__(
        self,
        resolver: Resolver,
        *,
        connector: Connector | None = None,
        limits: GuardLimits | None = None,
    ) -> None:
        self._resolver = resolver
        self.policy = resolver.policy
        self._connector = connector or Connector()
        self.limits = limits or GuardLimits()
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._clients: set[_Client] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self._refusals: OrderedDict[tuple[str, int], RefusedError] = OrderedDict()
        self.opened = 0
        self.refused = 0

    async def __aenter__(self) -> "Guard":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> str:
        """Start to listen, unless it does already; return the proxy URL, like socks5h://..."""
        async with self._starting:
            if self._server is None:
                loop = asyncio.get_running_loop()
                self._server = await loop.create_server(
                    lambda: _Client(self), "127.0.0.1", 0, backlog=256
                )
            port: int = self._server.sockets[0].getsockname()[1]
        return f"socks5h://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening and abort every connection."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for client in tuple(self._clients):
            client.abort()
        await self.wait_idle()
        await server.wait_closed()

    async def wait_idle(self) -> None:
        """Wait until no client is connected."""
        await self._empty.wait()

    def refusal(self, url: Url) -> RefusedError | None:
        """Return why the last connection to the host of a URL was refused, if it was."""
        return self._refusals.get((url.host, url.port))

    async def pin(self, url: Url) -> PinnedHost | None:
        """Return the checked IP addresses of a host; None if it needs a proxy or is refused."""
        if self._connector.proxies.candidates(url.host, url.port):
            return None
        try:
            async with asyncio.timeout(self.limits.opening):
                return await self._resolver.pin(url)
        except (RefusedError, TimeoutError):
            return None

    async def connect(self, destination: socks5.Destination) -> RelayEnd:
        """Return a connection to a destination, or raise `RefusedError` and record it."""
        try:
            url = parse(destination.href)
        except BadInputError as error:
            raise RefusedError("policy", "it is not a valid host name") from error
        endpoint = (url.host, url.port)
        try:
            connection = await self._connect(url)
        except RefusedError as error:
            self.refused += 1
            self._refusals[endpoint] = error
            while len(self._refusals) > _MAX_REFUSALS:
                self._refusals.popitem(last=False)
            raise
        self.opened += 1
        self._refusals.pop(endpoint, None)
        return connection

    async def _connect(self, url: Url) -> RelayEnd:
        if len(self._clients) > self.limits.connections:
            raise RefusedError("busy", "too many connections are open")
        try:
            async with asyncio.timeout(self.limits.opening):
                return await self._connector.connect(await self._resolver.pin(url))
        except TimeoutError as error:
            raise RefusedError("timeout", f"{url.site} did not respond in time") from error

    def add_client(self, client: "_Client") -> None:
        """Register a connected client."""
        self._clients.add(client)
        self._empty.clear()

    def remove_client(self, client: "_Client") -> None:
        """Unregister a client."""
        self._clients.discard(client)
        if not self._clients:
            self._empty.set()


class _Client(RelayEnd):
    """One connection of wreq or Chromium."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard
        self._handshake = socks5.Handshake()
        self._opening: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._connected_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._guard.add_client(self)
        loop = asyncio.get_running_loop()
        self._connected_at = loop.time()
        self._timer = loop.call_later(self._guard.limits.handshake, self.abort)

    def data_received(self, data: bytes) -> None:
        if self._handshake.destination is not None:
            super().data_received(data)
            return
        self._reply(self._handshake.receive(data))
        if self._handshake.failed:
            self._close()
        elif self._handshake.destination is not None:
            self.buffer(self._handshake.remaining)
            # the client waits for our reply; buffer nothing that it sends before
            if self.transport:
                self.transport.pause_reading()
            self._opening = asyncio.ensure_future(self._open(self._handshake.destination))

    def connection_lost(self, exc: Exception | None) -> None:
        self._guard.remove_client(self)
        if self._timer:
            self._timer.cancel()
        if self._opening:
            self._opening.cancel()
        super().connection_lost(exc)

    def abort(self) -> None:
        """Abort the connection, whatever its state."""
        if self._opening:
            self._opening.cancel()
        super().abort()

    async def _open(self, destination: socks5.Destination) -> None:
        if self._timer:
            self._timer.cancel()
        try:
            peer = await self._guard.connect(destination)
        except RefusedError as error:
            self._reply(socks5.refusal_reply(error.code))
            self._close()
            return
        if self.transport is None or self.transport.is_closing():
            peer.abort()
            return
        self._reply(socks5.SUCCEEDED)
        self.join(peer)
        self.transport.resume_reading()
        self._check_limits()

    def _check_limits(self) -> None:
        """Abort a connection that is idle or too old; otherwise schedule the next check."""
        loop = asyncio.get_running_loop()
        limits, now = self._guard.limits, loop.time()
        active = max(self.last_active, self.peer.last_active if self.peer else 0.0)
        deadline = min(self._connected_at + limits.lifetime, active + limits.idle)
        if now >= deadline:
            self.abort()
        else:
            self._timer = loop.call_later(deadline - now, self._check_limits)

    def _reply(self, data: bytes) -> None:
        if data and self.transport and not self.transport.is_closing():
            self.transport.write(data)

    def _close(self) -> None:
        if self.transport:
            self.transport.close()
