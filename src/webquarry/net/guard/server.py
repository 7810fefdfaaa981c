"""The one door to the outside: a SOCKS5 server inside this process.

wreq and Chromium connect through it, so every redirect, sub-resource, worker and WebSocket is
resolved once, checked, and connected to exactly the checked address.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from types import TracebackType

from webquarry.errors import BadInputError
from webquarry.net import url
from webquarry.net.guard import socks5
from webquarry.net.guard.connector import Connector
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.relay import End
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.policy import Policy
from webquarry.net.url import Url

_REMEMBERED = 1000


@dataclass(frozen=True, kw_only=True)
class GuardLimits:
    """How long and how many."""

    handshake: float = 10.0  # seconds until a client has said where it wants to go
    opening: float = 15.0  # seconds to resolve, check and connect
    idle: float = 60.0  # seconds without a byte in either direction
    lifetime: float = 600.0  # seconds of one connection
    connections: int = 512


class Guard:
    """Listens on a loopback port of its own from the first use until it is closed."""

    def __init__(
        self,
        resolver: Resolver,
        *,
        dialer: Connector | None = None,
        limits: GuardLimits | None = None,
    ) -> None:
        self._resolver = resolver
        self._dialer = dialer or Connector()
        self.limits = limits or GuardLimits()
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._clients: set[_Client] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self._refusals: OrderedDict[tuple[str, int], RefusedError] = OrderedDict()
        self.opened = 0
        self.refused = 0

    @property
    def policy(self) -> Policy:
        """What this guard allows."""
        return self._resolver.policy

    async def __aenter__(self) -> "Guard":
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self) -> str:
        """Listen, unless it does already; return the address for clients, like socks5h://..."""
        async with self._starting:
            if self._server is None:
                loop = asyncio.get_running_loop()
                self._server = await loop.create_server(
                    lambda: _Client(self), "127.0.0.1", 0, backlog=256
                )
            port: int = self._server.sockets[0].getsockname()[1]
        return f"socks5h://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening and cut every connection."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for client in tuple(self._clients):
            client.stop()
        await self.idle()
        await server.wait_closed()

    async def idle(self) -> None:
        """Wait until nobody is connected."""
        await self._empty.wait()

    def refusal(self, wanted: Url) -> RefusedError | None:
        """Return why the last connection to a place was not made, if it was not."""
        return self._refusals.get((wanted.host, wanted.port))

    async def pin(self, wanted: Url) -> PinnedHost | None:
        """Return the checked addresses of a place; None when only `connect` leads there, if any."""
        if self._dialer.proxies.of(wanted.host, wanted.port):
            return None
        try:
            async with asyncio.timeout(self.limits.opening):
                return await self._resolver.pin(wanted)
        except (RefusedError, TimeoutError):
            return None

    async def connect(self, destination: socks5.Destination) -> End:
        """Return a connection to a destination, or raise and remember why not."""
        try:
            wanted = url.parse(destination.href)
        except BadInputError as error:
            raise RefusedError("policy", "it is not the name of a host") from error
        place = (wanted.host, wanted.port)
        try:
            end = await self._connect(wanted)
        except RefusedError as error:
            self.refused += 1
            self._refusals[place] = error
            while len(self._refusals) > _REMEMBERED:
                self._refusals.popitem(last=False)
            raise
        self.opened += 1
        self._refusals.pop(place, None)
        return end

    async def _connect(self, wanted: Url) -> End:
        if len(self._clients) > self.limits.connections:
            raise RefusedError("busy", "too many connections are open")
        try:
            async with asyncio.timeout(self.limits.opening):
                return await self._dialer.dial(await self._resolver.pin(wanted))
        except TimeoutError as error:
            raise RefusedError("timeout", f"{wanted.site} did not answer in time") from error

    def enter(self, client: "_Client") -> None:
        """Count a client."""
        self._clients.add(client)
        self._empty.clear()

    def leave(self, client: "_Client") -> None:
        """Stop counting a client."""
        self._clients.discard(client)
        if not self._clients:
            self._empty.set()


class _Client(End):
    """One connection of wreq or Chromium."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard
        self._handshake = socks5.Handshake()
        self._opening: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._born = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._guard.enter(self)
        loop = asyncio.get_running_loop()
        self._born = loop.time()
        self._timer = loop.call_later(self._guard.limits.handshake, self.stop)

    def data_received(self, data: bytes) -> None:
        if self._handshake.destination is not None:
            super().data_received(data)
            return
        self._answer(self._handshake.receive(data))
        if self._handshake.failed:
            self._hang_up()
        elif self._handshake.destination is not None:
            self.hold(self._handshake.rest)
            # the client waits for our word; what it sends before that need not pile up
            if self.transport:
                self.transport.pause_reading()
            self._opening = asyncio.ensure_future(self._open(self._handshake.destination))

    def connection_lost(self, exc: Exception | None) -> None:
        self._guard.leave(self)
        if self._timer:
            self._timer.cancel()
        if self._opening:
            self._opening.cancel()
        super().connection_lost(exc)

    def stop(self) -> None:
        """Cut the connection, whatever it is doing."""
        if self._opening:
            self._opening.cancel()
        self.abort()

    async def _open(self, destination: socks5.Destination) -> None:
        if self._timer:
            self._timer.cancel()
        try:
            end = await self._guard.connect(destination)
        except RefusedError as error:
            self._answer(socks5.refusal(error.code))
            self._hang_up()
            return
        if self.transport is None or self.transport.is_closing():
            end.abort()
            return
        self._answer(socks5.SUCCEEDED)
        self.join(end)
        self.transport.resume_reading()
        self._watch()

    def _watch(self) -> None:
        """Come back when the connection could have become idle or old."""
        loop = asyncio.get_running_loop()
        limits, now = self._guard.limits, loop.time()
        seen = max(self.last_seen, self.peer.last_seen if self.peer else 0.0)
        ends = min(self._born + limits.lifetime, seen + limits.idle)
        if now >= ends:
            self.stop()
        else:
            self._timer = loop.call_later(ends - now, self._watch)

    def _answer(self, data: bytes) -> None:
        if data and self.transport and not self.transport.is_closing():
            self.transport.write(data)

    def _hang_up(self) -> None:
        if self.transport:
            self.transport.close()
