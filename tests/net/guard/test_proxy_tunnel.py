"""Connections through SOCKS5 proxies, and the switch to another proxy when one fails."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.net.servers import listen
from webquarry.errors import NetworkError
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.connector import Connector, Proxies, RotatingProxies
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy

pytestmark = pytest.mark.anyio

_ANY = Policy(allow_private=True)


@dataclass
class SocksServer:
    """A SOCKS5 server that answers for every destination, and what it was told."""

    port: int = 0
    signed_in: list[bytes] = field(default_factory=list[bytes])
    requested: list[bytes] = field(default_factory=list[bytes])


@asynccontextmanager
async def _socks_server(*, method: int = 0, status: int = 0) -> AsyncGenerator[SocksServer]:
    server = SocksServer()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = await reader.readexactly(2)
        offered = await reader.readexactly(count)
        writer.write(bytes([5, method if method in offered else 0xFF]))
        if method == 2 and method in offered:
            _, length = await reader.readexactly(2)
            user = await reader.readexactly(length)
            password = await reader.readexactly((await reader.readexactly(1))[0])
            server.signed_in.append(user + b":" + password)
            writer.write(b"\x01" + bytes([password != b"p:w"]))
        request = await reader.readexactly(10)
        server.requested.append(request[3:8])
        writer.write(bytes([5, status, 0, 1, 0, 0, 0, 0, 0, 0]))
        if status:
            return
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n<p>owls</p>")

    async with listen(handle) as server.port:
        yield server


async def _ignore(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    """Close the connection at once."""


async def _fetch(proxies: Proxies | RotatingProxies) -> bytes:
    async def lookup(_: str) -> tuple[str, ...]:
        return ("127.0.0.9",)

    guard = Guard(Resolver(_ANY, lookup=lookup), connector=Connector(proxies))
    async with guard:
        fetcher = Fetcher(guard)
        try:
            response = await fetcher.fetch(FetchRequest(url="http://a.test:8080/", timeout=5))
        finally:
            fetcher.close()
        return response.content


async def test_a_socks_proxy_receives_the_checked_address_and_the_password() -> None:
    async with _socks_server(method=2) as socks:
        url = f"socks5://us%40er:p%3Aw@127.0.0.1:{socks.port}"

        assert await _fetch(RotatingProxies((url,))) == b"<p>owls</p>"

    assert socks.signed_in == [b"us@er:p:w"]
    assert socks.requested == [b"\x01\x7f\x00\x00\x09"]


async def test_the_operators_proxy_may_be_a_socks_proxy() -> None:
    async with _socks_server() as socks:
        proxies = Proxies(https=f"socks5h://127.0.0.1:{socks.port}")

        assert await _fetch(proxies) == b"<p>owls</p>"


async def test_another_proxy_is_used_when_one_cannot_be_reached() -> None:
    async with _socks_server() as socks:
        async with listen(_ignore) as port:
            pass
        dead = f"socks5://127.0.0.1:{port}"
        proxies = RotatingProxies((dead, f"socks5://127.0.0.1:{socks.port}"))

        assert await _fetch(proxies) == b"<p>owls</p>"
        assert proxies.candidates("a.test", 80) == (f"socks5://127.0.0.1:{socks.port}",)


@pytest.mark.parametrize(
    ("method", "status", "user", "reason"),
    [
        (7, 0, "", "the proxy accepts none of our ways to sign in"),
        (2, 0, "ada:wrong@", "the proxy refused the user name or password"),
        (0, 5, "", r"the proxy could not connect \(SOCKS status 5\)"),
    ],
)
async def test_a_refusal_by_a_socks_proxy_is_reported(
    method: int, status: int, user: str, reason: str
) -> None:
    async with _socks_server(method=method, status=status) as socks:
        with pytest.raises(NetworkError, match=reason):
            await _fetch(RotatingProxies((f"socks5://{user}127.0.0.1:{socks.port}",)))
