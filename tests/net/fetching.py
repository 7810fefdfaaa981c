"""A fetcher whose outside is this machine."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from tests.replay import StillClock
from webquarry.errors import WebquarryError
from webquarry.net.dial import Dialer
from webquarry.net.fetch import Fetch, Fetcher
from webquarry.net.guard import Guard
from webquarry.net.http import Request, Response, WreqHttp
from webquarry.net.pipe import End
from webquarry.net.policy import Policy
from webquarry.net.resolve import Pinned, Resolver

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


class Detour(Dialer):
    """Leads every address that passed the checks to this machine."""

    async def dial(self, pinned: Pinned) -> End:
        return await super().dial(Pinned(pinned.url, ("127.0.0.1",)))


@asynccontextmanager
async def fetching(policy: Policy = LOCAL) -> AsyncGenerator[Fetcher]:
    async with Guard(Resolver(policy, lookup=loopback)) as guard:
        fetcher = Fetcher(guard, clock=StillClock().clock())
        yield fetcher
        fetcher.close()


async def failure_of(fetcher: Fetcher, url: str, seconds: float = 20.0) -> WebquarryError:
    with pytest.raises(WebquarryError) as caught:
        await fetcher.fetch(Fetch(url=url, timeout=seconds))
    return caught.value
