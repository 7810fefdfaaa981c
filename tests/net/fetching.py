"""A fetcher whose outside is this machine."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from tests.replay import StillClock
from webquarry.errors import WebquarryError
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.connector import Connector
from webquarry.net.guard.relay import End
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import Request, Response, WreqHttp

LOCAL = Policy(allow_private=True)


async def loopback(host: str) -> tuple[str, ...]:
    return ("127.0.0.1",) if host.endswith(".test") else ()


class PassingHttp(WreqHttp):
    """Leaves no connection open behind a test."""

    async def send(self, request: Request) -> Response:
        try:
            return await super().send(request)
        finally:
            self.close()


class Detour(Connector):
    """Leads every address that passed the checks to this machine."""

    async def dial(self, pinned: PinnedHost) -> End:
        return await super().dial(PinnedHost(pinned.url, ("127.0.0.1",)))


@asynccontextmanager
async def fetching(policy: Policy = LOCAL) -> AsyncGenerator[Fetcher]:
    async with Guard(Resolver(policy, lookup=loopback)) as guard:
        fetcher = Fetcher(guard, clock=StillClock().clock())
        yield fetcher
        fetcher.close()


async def failure_of(fetcher: Fetcher, url: str, seconds: float = 20.0) -> WebquarryError:
    with pytest.raises(WebquarryError) as caught:
        await fetcher.fetch(FetchRequest(url=url, timeout=seconds))
    return caught.value
