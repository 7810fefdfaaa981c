"""The guard, seen by its SOCKS5 clients."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import anyio
import pytest

from tests.net.servers import ReceivedRequest, listen, serve
from webquarry.net.guard.connector import Connector, Proxies
from webquarry.net.guard.resolver import Lookup, Resolver
from webquarry.net.guard.server import Guard, GuardLimits
from webquarry.net.policy import Policy
from webquarry.net.url import parse

pytestmark = pytest.mark.anyio

SUCCEEDED, FAILED, NOT_ALLOWED, UNREACHABLE, REFUSED = 0, 1, 2, 4, 5
ANY = Policy(allow_private=True)


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(2**16):
        writer.write(data)
        await writer.drain()
    writer.write(b"|end")


class Connection:
    """A SOCKS client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, host: str, port: int) -> int:
        """Request a destination; return the code of the reply."""
        name = host.encode()
        self.writer.write(b"\x05\x01\x00\x05\x01\x00\x03" + bytes((len(name),)) + name)
        self.writer.write(port.to_bytes(2, "big"))
        assert await self.reader.readexactly(2) == b"\x05\x00"
        return (await self.reader.readexactly(10))[1]


@asynccontextmanager
async def _client(guard: Guard) -> AsyncGenerator[Connection]:
    port = int((await guard.start()).rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Connection(reader, writer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _lookup(*addresses: str) -> Lookup:
    async def lookup(host: str) -> tuple[str, ...]:
        return addresses

    return lookup


async def test_a_connection_relays_bytes_and_eof_in_both_directions() -> None:
    async with listen(_echo) as port, Guard(Resolver(ANY)) as guard, _client(guard) as client:
        assert await client.ask("127.0.0.1", port) == SUCCEEDED
        payload = bytes(range(256)) * 8000
        client.writer.write(payload)
        client.writer.write_eof()

        assert await client.reader.read(-1) == payload + b"|end"
        assert (guard.opened, guard.refused) == (1, 0)
        await guard.wait_idle()


async def test_the_connection_goes_to_the_checked_address() -> None:
    resolver = Resolver(ANY, lookup=_lookup("127.0.0.1"))
    async with listen(_echo) as port, Guard(resolver) as guard, _client(guard) as client:
        assert await client.ask("anything.test", port) == SUCCEEDED


async def test_after_an_unresponsive_address_the_next_is_tried() -> None:
    resolver = Resolver(ANY, lookup=_lookup("127.0.0.2", "::1", "127.0.0.1"))
    async with listen(_echo) as port, Guard(resolver) as guard, _client(guard) as client:
        assert await client.ask("a.test", port) == SUCCEEDED


@pytest.mark.parametrize("host", ["127.0.0.1", "0x7f.1", "localhost", "::1", "a b", "x@y", "["])
async def test_internal_addresses_are_refused_without_a_connection(host: str) -> None:
    async with (
        listen(_echo) as port,
        Guard(Resolver(Policy(allowed_ports=(port,)))) as guard,
        _client(guard) as client,
    ):
        assert await client.ask(host, port) == NOT_ALLOWED
        assert await client.reader.read() == b""
        assert guard.opened == 0


async def test_the_reason_of_a_refusal_is_recorded() -> None:
    async with Guard(Resolver(Policy())) as guard, _client(guard) as client:
        await client.ask("127.0.0.1", 80)

        refusal = guard.refusal(parse("http://127.0.0.1/x"))
        assert refusal
        assert str(refusal.to_error("http://127.0.0.1/x")) == (
            "URL rejected for http://127.0.0.1/x: 127.0.0.1 is a private address (Loopback). "
            "Set ALLOW_PRIVATE_IPS=true to read pages on this machine or network. "
            "Provide a valid public http(s) URL."
        )
        assert guard.refusal(parse("http://127.0.0.1:8080/")) is None


async def test_a_closed_port_has_its_own_reply() -> None:
    async with listen(_echo) as port:
        pass
    async with Guard(Resolver(ANY)) as guard, _client(guard) as client:
        assert await client.ask("127.0.0.1", port) == REFUSED

        refusal = guard.refusal(parse(f"http://127.0.0.1:{port}/"))
        assert refusal
        assert refusal.code == "connection_refused"


async def test_an_unknown_host_has_its_own_reply() -> None:
    async with Guard(Resolver(ANY, lookup=_lookup())) as guard, _client(guard) as client:
        assert await client.ask("a.test", 80) == UNREACHABLE

        refusal = guard.refusal(parse("http://a.test/"))
        assert refusal
        assert str(refusal.to_error("http://a.test/")) == (
            "Network error on http://a.test/: there is no host named a.test. Check the URL."
        )


async def test_a_slow_lookup_times_out() -> None:
    async def lookup(host: str) -> tuple[str, ...]:
        await anyio.sleep_forever()
        return ()

    guard = Guard(Resolver(ANY, lookup=lookup), limits=GuardLimits(opening=0.05))
    async with guard, _client(guard) as client:
        assert await client.ask("a.test", 80) == UNREACHABLE


@pytest.mark.parametrize(
    "limits", [GuardLimits(idle=0.05), GuardLimits(lifetime=0.05)], ids=["idle", "old"]
)
async def test_an_idle_or_old_connection_is_closed(limits: GuardLimits) -> None:
    async with (
        listen(_echo) as port,
        Guard(Resolver(ANY), limits=limits) as guard,
        _client(guard) as client,
    ):
        await client.ask("127.0.0.1", port)
        assert await client.reader.read() == b""


async def test_a_silent_client_is_disconnected() -> None:
    limits = GuardLimits(handshake=0.05)
    async with Guard(Resolver(ANY), limits=limits) as guard, _client(guard) as client:
        assert await client.reader.read() == b""


async def test_more_connections_than_allowed_are_refused() -> None:
    guard = Guard(Resolver(ANY), limits=GuardLimits(connections=1))
    async with listen(_echo) as port, guard, _client(guard) as first:
        assert await first.ask("127.0.0.1", port) == SUCCEEDED
        async with _client(guard) as second:
            assert await second.ask("127.0.0.1", port) == FAILED

        refusal = guard.refusal(parse(f"http://127.0.0.1:{port}/"))
        assert refusal
        assert refusal.reason == "too many connections are open"


async def test_closing_the_guard_closes_all_connections() -> None:
    async with listen(_echo) as port:
        guard = Guard(Resolver(ANY))
        async with _client(guard) as client:
            await client.ask("127.0.0.1", port)
            await guard.close()
            assert await client.reader.read() == b""


async def _tunnel(request: ReceivedRequest) -> None:
    await request.send_raw(b"HTTP/1.1 200 OK\r\n\r\nwelcome")


async def test_the_proxy_receives_the_checked_address() -> None:
    resolver = Resolver(ANY, lookup=_lookup("127.0.0.9"))
    async with serve(_tunnel) as proxy:
        proxies = Proxies(https=f"http://us%40er:pass@127.0.0.1:{proxy.port}")
        async with Guard(resolver, connector=Connector(proxies)) as guard, _client(guard) as client:
            assert await client.ask("a.test", 443) == SUCCEEDED
            assert await client.reader.readexactly(7) == b"welcome"

    request = proxy.requests[0]
    assert (request.method, request.target) == ("CONNECT", "127.0.0.9:443")
    assert request.headers["proxy-authorization"] == "Basic dXNAZXI6cGFzcw=="


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (b"HTTP/1.1 407 No\r\n\r\n", "the proxy responded 407"),
        (b"nonsense\r\n\r\n", "the proxy responded without a status"),
        (b"x" * 20_000, "the proxy sent no valid response"),
        (b"", "the proxy closed the connection"),
    ],
)
async def test_a_refusal_by_the_proxy_is_reported_as_such(reply: bytes, why: str) -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(reply)
        request.close()

    async with serve(handle) as proxy:
        proxies = Proxies(http=f"http://127.0.0.1:{proxy.port}")
        resolver = Resolver(ANY, lookup=_lookup("127.0.0.9"))
        async with Guard(resolver, connector=Connector(proxies)) as guard, _client(guard) as client:
            assert await client.ask("a.test", 80) == FAILED

            refusal = guard.refusal(parse("http://a.test/"))
            assert refusal
            assert (refusal.code, refusal.reason) == ("proxy", why)


async def test_the_policy_applies_before_a_proxy_is_used() -> None:
    async with serve(_tunnel) as proxy:
        proxies = Proxies(http=f"http://127.0.0.1:{proxy.port}")
        guard = Guard(Resolver(Policy()), connector=Connector(proxies))
        async with guard, _client(guard) as client:
            assert await client.ask("127.0.0.1", 80) == NOT_ALLOWED

    assert proxy.requests == []
