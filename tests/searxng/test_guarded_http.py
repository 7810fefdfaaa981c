"""What instances get to see of us, on the wire."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from tests.searxng.fakes import PLAIN
from tests.searxng.servers import Reply, free_port, serving
from webquarry.errors import BlockedError, NetworkError, PayloadError
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import ApiRequest, Http, WreqHttp
from webquarry.searxng.guarded_http import GuardedHttp
from webquarry.searxng.instance_client import USER_AGENTS
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio
SENT = {
    "accept", "accept-encoding", "accept-language", "dnt", "host", "sec-fetch-dest",
    "sec-fetch-mode", "sec-fetch-site", "sec-gpc", "user-agent",
}  # fmt: skip


@asynccontextmanager
async def guarded(*, allow_private: bool) -> AsyncGenerator[GuardedHttp]:
    async with Guard(Resolver(Policy(allow_private=allow_private))) as guard:
        fetcher = Fetcher(guard)
        yield GuardedHttp(fetcher)
        fetcher.close()


async def _headers_seen(http: Http) -> dict[str, str]:
    seen: list[dict[str, str]] = []

    def reply(_: str, headers: dict[str, str]) -> Reply:
        seen.append({name.lower(): value for name, value in headers.items()})
        cookie = {"Set-Cookie": "you=known", "Content-Type": "application/json"}
        return 200, cookie, b'{"results": []}'

    with serving(reply) as url:
        pool = open_pool(http, {"SEARXNG_URL": url}, options=PLAIN)
        for _ in range(2):
            await pool.search(SearxngQuery(text="owls"))
    return seen[-1]


async def test_nothing_that_identifies_us_is_sent_not_even_a_cookie() -> None:
    http = WreqHttp()
    seen = await _headers_seen(http)
    http.close()

    assert seen.keys() == SENT
    assert seen["user-agent"] in USER_AGENTS


async def test_nothing_more_is_sent_through_the_guard() -> None:
    async with guarded(allow_private=True) as http:
        seen = await _headers_seen(http)

    assert seen.keys() == SENT
    assert seen["user-agent"] in USER_AGENTS


async def test_listed_addresses_inside_our_network_are_not_reached() -> None:
    asked: list[str] = []

    def reply(path: str, _: dict[str, str]) -> Reply:
        asked.append(path)
        return 200, {}, b"{}"

    with serving(reply) as url:
        async with guarded(allow_private=False) as http:
            with pytest.raises(BlockedError):
                await http.send(ApiRequest(url=url))

    assert asked == []


async def test_a_huge_answer_is_cut_off() -> None:
    with serving(lambda _, __: (200, {}, b"x" * 5000)) as url:
        async with guarded(allow_private=True) as http:
            with pytest.raises(PayloadError, match="larger than 1000 bytes"):
                await http.send(ApiRequest(url=url, max_bytes=1000))


async def test_no_answer_is_a_network_error() -> None:
    async with guarded(allow_private=True) as http:
        with pytest.raises(NetworkError):
            await http.send(ApiRequest(url=f"http://127.0.0.1:{free_port()}/"))
