"""Places that are asked often are reached without the guard, and no less safely."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.net.fetching import LOCAL, failure_of
from tests.net.servers import Asked, pages, serve
from tests.replay import StillClock
from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.direct import CHECKED, FEW, LIFETIME, RECENT
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import OutgoingRequest
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.connector import Connector, Proxies
from webquarry.net.guard.resolver import PinnedHost, Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.url import parse

pytestmark = pytest.mark.anyio

HOME = ("127.0.0.1",)
# two requests through the guard, on one connection, and then no more of them
OFTEN = FEW + 3


@dataclass
class Names:
    """A DNS whose answers change; every question is noted."""

    answers: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    asked: list[str] = field(default_factory=list[str])

    async def __call__(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        return self.answers.get(host, HOME if host.endswith(".test") else ())


@dataclass
class Bench:
    """A fetcher that may go straight to what was checked."""

    fetcher: Fetcher
    guard: Guard
    clock: StillClock
    names: Names

    async def read(self, url: str, times: int = 1) -> list[bytes]:
        """Return the page as often as asked."""
        return [(await self.fetcher.fetch(FetchRequest(url=url))).content for _ in range(times)]


@asynccontextmanager
async def straight(
    policy: Policy = LOCAL, *, dialer: Connector | None = None
) -> AsyncGenerator[Bench]:
    names, clock = Names(), StillClock()
    async with Guard(Resolver(policy, lookup=names), dialer=dialer) as guard:
        fetcher = Fetcher(guard, clock=clock.clock(), direct=True)
        yield Bench(fetcher, guard, clock, names)
        fetcher.close()


def _any(status: int, headers: Headers) -> bool:
    return status == 200 and "content-length" in headers


def _connections(asked: list[Asked]) -> list[int]:
    """Return for each request the number of the connection it came on."""
    seen = dict.fromkeys(id(each.writer) for each in asked)
    return [list(seen).index(id(each.writer)) for each in asked]


async def test_a_place_asked_often_is_reached_by_its_checked_address() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        found = await bench.read(site.url("/", "owls.test"), OFTEN)

    # only our own lookup knows the name, so nothing else can have been asked for it
    assert found == [b"owls"] * OFTEN
    assert _connections(site.asked) == [0] * FEW + [1] * (OFTEN - FEW)
    assert (bench.guard.opened, bench.names.asked) == (1, ["owls.test", "owls.test"])


async def test_both_ways_send_the_same_request() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        for _ in range(OFTEN):
            await bench.fetcher.fetch(
                FetchRequest(url=site.url("/", "owls.test"), accept="text/html")
            )

    sent = [(each.method, each.target, dict(each.headers)) for each in site.asked]
    assert sent == [sent[0]] * OFTEN


async def test_an_address_needs_no_name() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        await bench.read(site.url("/"), OFTEN)

    assert (bench.guard.opened, bench.names.asked) == (1, [])
    assert max(_connections(site.asked)) == 1


async def test_a_name_that_turns_inwards_is_refused_when_it_is_checked_again() -> None:
    async def handle(asked: Asked) -> None:
        # so that the guard has no open connection to the old address left
        await asked.answer(200, b"owls", connection="close" if len(site.asked) <= FEW else "")

    async with serve(handle) as site, straight() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        bench.names.answers["owls.test"] = ("169.254.169.254",)
        bench.clock.time += CHECKED / 2
        # its client knows the checked address and no other
        assert await bench.read(url) == [b"owls"]
        bench.clock.time += CHECKED / 2
        failure = await failure_of(bench.fetcher, url)

    assert isinstance(failure, BlockedError)
    assert "the address of owls.test is not public" in str(failure)
    assert len(site.asked) == OFTEN + 1


async def test_a_place_that_moved_is_followed_to_its_new_checked_address() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        bench.names.answers["owls.test"] = ("127.0.0.1", "127.0.0.2")
        bench.clock.time += CHECKED
        await bench.read(url, 2)

    assert _connections(site.asked)[-2:] == [2, 2]


async def test_a_place_not_asked_for_a_while_counts_as_new() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        bench.clock.time += RECENT + 1
        await bench.read(site.url("/", "owls.test"))

    assert _connections(site.asked)[-1] == 0  # the one through the guard


async def test_a_client_does_not_get_old() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        url = site.url("/", "owls.test")
        await bench.read(url, OFTEN)
        for _ in range(int(LIFETIME / (RECENT - 1)) + 1):
            bench.clock.time += RECENT - 1
            await bench.read(url)

    assert sorted(set(_connections(site.asked))) == [0, 1, 2]


async def test_a_server_that_went_away_is_reported_in_the_words_of_the_guard() -> None:
    async with straight() as bench:
        async with serve(pages({"/": b"owls"})) as site:
            url = site.url("/", "owls.test")
            await bench.read(url, OFTEN)
        failure = await failure_of(bench.fetcher, url)

    assert f"Network error on {url}: owls.test refused the connection." in str(failure)
    assert failure.block()["detail"] == "connection_refused"


async def test_a_connection_closed_when_it_is_asked_again_is_not_the_end() -> None:
    rude: list[Asked] = []

    async def answer(asked: Asked) -> None:
        if len(rude) == OFTEN:
            rude.append(asked)
            asked.hang_up()  # as a server does that was about to close an idle connection
            return
        rude.append(asked)
        await asked.answer(200, b"owls")

    async with serve(answer) as site, straight() as bench:
        url = site.url("/", "owls.test")
        found = await bench.read(url, OFTEN + 1)

    assert found == [b"owls"] * (OFTEN + 1)
    assert len(rude) == OFTEN + 2


async def test_a_step_of_a_crawl_falls_back_to_the_guard_too() -> None:
    async def handle(asked: Asked) -> None:
        # so that the guard has no open connection left, whose end it might not know of yet
        await asked.answer(200, b"owls", connection="close" if len(site.asked) <= FEW else "")

    async with straight() as bench:
        async with serve(handle) as site:
            here = parse(site.url("/", "owls.test"))
            wanted = FetchRequest(url=here.href)
            steps = [await bench.fetcher.step(here, wanted, _any) for _ in range(OFTEN)]
        with pytest.raises(NetworkError, match=r"owls\.test refused the connection"):
            await bench.fetcher.step(here, wanted, _any)

    assert [step.wire for step in steps] == [b"owls"] * OFTEN
    assert _connections(site.asked) == [0, 1] + [2] * (OFTEN - FEW)


@pytest.mark.parametrize(
    "location", ["http://169.254.169.254/", "http://inside.test/", "http://metadata.goog/"]
)
async def test_redirects_of_such_a_place_are_checked_like_all(location: str) -> None:
    answers = {"/": b"owls", "/away": (302, {"location": location})}
    async with serve(pages(answers)) as site, straight() as bench:
        bench.names.answers["inside.test"] = ("169.254.169.254",)
        await bench.read(site.url("/", "owls.test"), OFTEN)
        failure = await failure_of(bench.fetcher, site.url("/away", "owls.test"))

    assert isinstance(failure, BlockedError)


async def test_other_ports_of_the_place_are_checked_like_all() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        failure = await failure_of(bench.fetcher, "http://owls.test:6379/")

    assert "port 6379 is not for web pages" in str(failure)


async def test_a_flood_is_cut_at_the_cap_there_as_well() -> None:
    async def handle(asked: Asked) -> None:
        if asked.target == "/":
            await asked.answer(200, b"owls")
        else:
            head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked"
            await asked.raw(head + b"\r\n\r\n")
            while True:
                await asked.raw(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    async with serve(handle) as site, straight() as bench:
        await bench.read(site.url("/", "owls.test"), OFTEN)
        flood = FetchRequest(url=site.url("/flood", "owls.test"), page_bytes=200_000)
        fetched = await bench.fetcher.fetch(flood)

    assert (len(fetched.content), fetched.truncated) == (200_000, True)


@pytest.mark.parametrize("host", ["owls.test.", "under_score.test", "localhost"])
async def test_unusual_names_stay_with_the_guard(host: str) -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        bench.names.answers |= {"localhost": HOME, "owls.test.": HOME}
        await bench.read(site.url("/", host), OFTEN)

    assert set(_connections(site.asked)) == {0}


async def test_the_operators_proxy_is_never_passed_by() -> None:
    async with straight(dialer=Connector(Proxies(https="http://127.0.0.1:9", http=""))) as bench:
        pinned = [
            await bench.guard.pin(parse(url)) for url in ("https://a.test/", "http://a.test/")
        ]

    assert pinned == [None, PinnedHost(parse("http://a.test/"), HOME)]


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://inside.test/", "http://x.example/"]
)
async def test_the_guard_pins_nothing_it_would_refuse(url: str) -> None:
    async with straight() as bench:
        bench.names.answers["inside.test"] = ("169.254.169.254",)
        assert await bench.guard.pin(parse(url)) is None


@pytest.mark.parametrize("url", ["http://other.test:81/", "http://owls.test:82/"])
async def test_a_pinned_client_goes_nowhere_else(url: str) -> None:
    engine = HttpClient(ClientOptions(pinned=PinnedHost(parse("http://owls.test:81/"), HOME)))

    with pytest.raises(NetworkError, match="leads to another place"):
        async with engine.send(OutgoingRequest(url=url, headers={}, timeout=1)):
            pass


async def test_only_so_many_places_have_a_client() -> None:
    async with serve(pages({"/": b"owls"})) as site, straight() as bench:
        for number in range(20):
            await bench.read(site.url("/", f"n{number}.test"), FEW + 1)
        await bench.read(site.url("/", "n0.test"))
        await bench.read(site.url("/", "n19.test"))

    last = _connections(site.asked)[-2:]
    assert last == [0, 39]  # through the guard; by its own client
