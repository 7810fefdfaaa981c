"""A fetcher for tests, whose test hosts resolve to loopback."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from tests.replay import FakeClock
from webquarry.errors import WebquarryError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.connector import Connector
from webquarry.net.guard.relay import RelayEnd
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import ApiRequest, WreqHttp

LOCAL = Policy(allow_private=True)


async def loopback(host: str) -> tuple[str, ...]:
    return ("127.0.0.1",) if host.endswith(".test") else ()


class ClosingHttp(WreqHttp):
    """An HTTP port that closes its connections after each request."""

    async def send(self, request: ApiRequest) -> FetchedResponse:
        try:
            return await super().send(request)
        finally:
            self.close()


class LoopbackConnector(Connector):
    """Connects to loopback in place of every checked address."""

    async def connect(self, pinned: PinnedHost) -> RelayEnd:
        return await super().connect(PinnedHost(pinned.url, ("127.0.0.1",)))


@asynccontextmanager
async def fetching(policy: Policy = LOCAL) -> AsyncGenerator[Fetcher]:
    async with Guard(Resolver(policy, lookup=loopback)) as guard:
        fetcher = Fetcher(guard, clock=FakeClock().clock())
        yield fetcher
        fetcher.close()


async def failure_of(fetcher: Fetcher, url: str, seconds: float = 20.0) -> WebquarryError:
    with pytest.raises(WebquarryError) as caught:
        await fetcher.fetch(FetchRequest(url=url, timeout=seconds))
    return caught.value
