"""Direct clients: busy hosts are fetched without the guard, with the same checks."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.net.fetching import LOCAL, failure_of
from tests.net.servers import ReceivedRequest, pages, serve
from tests.replay import FakeClock
from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.direct import (
    CLIENT_LIFETIME,
    RECHECK_INTERVAL,
    REQUESTS_THROUGH_GUARD,
    USAGE_WINDOW,
)
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.response import Headers
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.connector import Connector, Proxies
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.url import parse

pytestmark = pytest.mark.anyio

HOME = ("127.0.0.1",)
# the first requests go through the guard on one connection, the others use a direct client
OFTEN = REQUESTS_THROUGH_GUARD + 3


@dataclass
class FakeDns:
    """A DNS whose responses change; it records every query."""

    answers: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    queries: list[str] = field(default_factory=list[str])

    async def __call__(self, host: str) -> tuple[str, ...]:
        self.queries.append(host)
        return self.answers.get(host, HOME if host.endswith(".test") else ())


@dataclass
class DirectFetcher:
    """A fetcher with direct clients."""

    fetcher: Fetcher
    guard: Guard
    clock: FakeClock
    names: FakeDns

    async def read(self, url: str, times: int = 1) -> list[bytes]:
        """Read the URL this many times and return the bodies."""
        return [(await self.fetcher.fetch(FetchRequest(url=url))).content for _ in range(times)]


@asynccontextmanager
async def direct_fetching(
    policy: Policy = LOCAL, *, connector: Connector | None = None
) -> AsyncGenerator[DirectFetcher]:
    names, clock = FakeDns(), FakeClock()
    async with Guard(Resolver(policy, lookup=names), connector=connector) as guard:
        fetcher = Fetcher(guard, clock=clock.clock(), direct=True)
        yield DirectFetcher(fetcher, guard, clock, names)
        fetcher.close()


def _any(status: int, headers: Headers) -> int:
    return 2**20 if status == 200 and "content-length" in headers else 0


def _connections(request: list[ReceivedRequest]) -> list[int]:
    """Return for each request the number of its connection."""
    seen = dict.fromkeys(id(each.writer) for each in request)
    return [list(seen).index(id(each.writer)) for each in request]


async def test_a_busy_host_is_reached_by_its_checked_address() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        found = await bench.read(site.url("/", "owls.test"), OFTEN)

    # only our own lookup knows the name, so no other resolver was used
    assert found == [b"owls"] * OFTEN
    assert _connections(site.requests) == [0] * REQUESTS_THROUGH_GUARD + [1] * (
        OFTEN - REQUESTS_THROUGH_GUARD
    )
    assert (bench.guard.opened, bench.names.queries) == (1, ["owls.test", "owls.test"])


async def test_the_guard_and_a_direct_client_send_the_same_request() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        for _ in range(OFTEN):
            await bench.fetcher.fetch(
                FetchRequest(url=site.url("/", "owls.test"), accept="text/html")
            )

    sent = [(each.method, each.target, dict(each.headers)) for each in site.requests]
    assert sent == [sent[0]] * OFTEN


async def test_an_ip_address_is_not_resolved() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        await bench.read(site.url("/"), OFTEN)

    assert (bench.guard.opened, bench.names.queries) == (1, [])
    assert max(_connections(site.requests)) == 1


async def test_a_host_that_becomes_internal_is_refused_at_the_next_check() -> None:
    async def handle(request: ReceivedRequest) -> None:
        # so that the guard has no open connection to the old address left
        await request.respond(
            200, b"owls", connection="close" if len(site.requests) <= REQUESTS_THROUGH_GUARD else ""
        )

    async with serve(handle) as site, direct_fetching() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        bench.names.answers["owls.test"] = ("169.254.169.254",)
        bench.clock.time += RECHECK_INTERVAL / 2
        # its client knows the checked address and no other
        assert await bench.read(url) == [b"owls"]
        bench.clock.time += RECHECK_INTERVAL / 2
        failure = await failure_of(bench.fetcher, url)

    assert isinstance(failure, BlockedError)
    assert "the address of owls.test is not public" in str(failure)
    assert len(site.requests) == OFTEN + 1


async def test_a_host_with_a_new_address_is_checked_and_reached_there() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        bench.names.answers["owls.test"] = ("127.0.0.1", "127.0.0.2")
        bench.clock.time += RECHECK_INTERVAL
        await bench.read(url, 2)

    assert _connections(site.requests)[-2:] == [2, 2]


async def test_a_host_without_recent_requests_counts_as_new() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        bench.clock.time += USAGE_WINDOW + 1
        await bench.read(site.url("/", "owls.test"))

    assert _connections(site.requests)[-1] == 0  # the one through the guard


async def test_a_direct_client_is_replaced_after_a_while() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        for _ in range(int(CLIENT_LIFETIME / (USAGE_WINDOW - 1)) + 1):
            bench.clock.time += USAGE_WINDOW - 1
            await bench.read(url)

    assert sorted(set(_connections(site.requests))) == [0, 1, 2]


async def test_a_server_that_has_stopped_is_reported_by_the_guard() -> None:
    async with direct_fetching() as bench:
        async with serve(pages({"/": b"owls"})) as site:
            url = site.url("/", "owls.test")
            await bench.read(url, OFTEN)
        failure = await failure_of(bench.fetcher, url)

    assert f"Network error on {url}: owls.test refused the connection." in str(failure)
    assert failure.block()["detail"] == "connection_refused"


async def test_a_closed_idle_connection_is_replaced() -> None:
    rude: list[ReceivedRequest] = []

    async def answer(request: ReceivedRequest) -> None:
        if len(rude) == OFTEN:
            rude.append(request)
            request.close()  # as a server does that was about to close an idle connection
            return
        rude.append(request)
        await request.respond(200, b"owls")

    async with serve(answer) as site, direct_fetching() as bench:
        url = site.url("/", "owls.test")
        found = await bench.read(url, OFTEN + 1)

    assert found == [b"owls"] * (OFTEN + 1)
    assert len(rude) == OFTEN + 2


async def test_a_crawl_request_falls_back_to_the_guard_too() -> None:
    async def handle(request: ReceivedRequest) -> None:
        # so that the guard has no open connection left, whose end it might not know of yet
        await request.respond(
            200, b"owls", connection="close" if len(site.requests) <= REQUESTS_THROUGH_GUARD else ""
        )

    async with direct_fetching() as bench:
        async with serve(handle) as site:
            here = parse(site.url("/", "owls.test"))
            wanted = FetchRequest(url=here.href)
            steps = [await bench.fetcher.fetch_once(here, wanted, _any) for _ in range(OFTEN)]
        with pytest.raises(NetworkError, match=r"owls\.test refused the connection"):
            await bench.fetcher.fetch_once(here, wanted, _any)

    assert [step.encoded_body for step in steps] == [b"owls"] * OFTEN
    assert _connections(site.requests) == [0, 1] + [2] * (OFTEN - REQUESTS_THROUGH_GUARD)


@pytest.mark.parametrize(
    "location", ["http://169.254.169.254/", "http://inside.test/", "http://metadata.goog/"]
)
async def test_redirects_of_a_busy_host_are_checked(location: str) -> None:
    answers = {"/": b"owls", "/away": (302, {"location": location})}
    async with serve(pages(answers)) as site, direct_fetching() as bench:
        bench.names.answers["inside.test"] = ("169.254.169.254",)
        await bench.read(site.url("/", "owls.test"), OFTEN)
        failure = await failure_of(bench.fetcher, site.url("/away", "owls.test"))

    assert isinstance(failure, BlockedError)


async def test_other_ports_of_a_busy_host_are_checked() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        failure = await failure_of(bench.fetcher, "http://owls.test:6379/")

    assert "port 6379 is not for web pages" in str(failure)


async def test_a_direct_response_is_cut_at_the_size_limit() -> None:
    async def handle(request: ReceivedRequest) -> None:
        if request.target == "/":
            await request.respond(200, b"owls")
        else:
            head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked"
            await request.send_raw(head + b"\r\n\r\n")
            while True:
                await request.send_raw(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    async with serve(handle) as site, direct_fetching() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        flood = FetchRequest(url=site.url("/flood", "owls.test"), max_page_bytes=200_000)
        fetched = await bench.fetcher.fetch(flood)

    assert (len(fetched.content), fetched.truncated) == (200_000, True)


@pytest.mark.parametrize("host", ["owls.test.", "under_score.test", "localhost"])
async def test_unusual_host_names_are_fetched_through_the_guard(host: str) -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        bench.names.answers |= {"localhost": HOME, "owls.test.": HOME}
        await bench.read(site.url("/", host), OFTEN)

    assert set(_connections(site.requests)) == {0}


async def test_direct_clients_are_not_used_behind_a_proxy() -> None:
    async with direct_fetching(
        connector=Connector(Proxies(https="http://127.0.0.1:9", http=""))
    ) as bench:
        pinned = [
            await bench.guard.pin(parse(url)) for url in ("https://a.test/", "http://a.test/")
        ]

    assert pinned == [None, PinnedHost(parse("http://a.test/"), HOME)]


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://inside.test/", "http://x.example/"]
)
async def test_a_forbidden_address_is_never_pinned(url: str) -> None:
    async with direct_fetching() as bench:
        bench.names.answers["inside.test"] = ("169.254.169.254",)
        assert await bench.guard.pin(parse(url)) is None


@pytest.mark.parametrize("url", ["http://other.test:81/", "http://owls.test:82/"])
async def test_a_pinned_client_refuses_other_hosts(url: str) -> None:
    client = HttpClient(ClientOptions(pinned=PinnedHost(parse("http://owls.test:81/"), HOME)))

    with pytest.raises(NetworkError, match="not that of the pinned host"):
        async with client.send(HttpRequest(url=url, headers={}, timeout=1)):
            pass


async def test_the_number_of_direct_clients_is_limited() -> None:
    async with serve(pages({"/": b"owls"})) as site, direct_fetching() as bench:
        for number in range(20):
            await bench.read(site.url("/", f"n{number}.test"), REQUESTS_THROUGH_GUARD + 1)
        await bench.read(site.url("/", "n0.test"))
        await bench.read(site.url("/", "n19.test"))

    last = _connections(site.requests)[-2:]
    assert last == [0, 39]  # through the guard; by its own client
