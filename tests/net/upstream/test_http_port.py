"""The HTTP port, over wreq and without it, against real servers on loopback."""

import gzip
import json

import anyio
import pytest

from tests.net.fetching import ClosingHttp
from tests.net.servers import ReceivedRequest, pages, serve
from webquarry.errors import BlockedError, NetworkError, PayloadError
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.wreq_client import ClientOptions
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import USER_AGENT, ApiRequest

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["wreq", "cleartext"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Send every request with wreq, or ordinary ones without it; both must behave the same."""
    if request.param == "wreq":
        monkeypatch.setattr(Http1Pool, "encode", _nothing)
    return request.param


def _nothing(_: Http1Pool, __: HttpRequest) -> None:
    return None


async def _ok(request: ReceivedRequest) -> None:
    await request.respond(200, b"hello", content_type="text/plain; charset=utf-8", x_a="1")


async def test_a_request_is_sent_as_given_and_its_response_returned() -> None:
    async with serve(_ok) as site:
        response = await ClosingHttp().send(
            ApiRequest(
                method="POST",
                url=site.url("/a?b=1"),
                params={"c": "d e", "f": [1, 2], "g": None, "h": True},
                headers={"X-Key": "k"},
                json={"ü": 1},
            )
        )

    request = site.requests[0]
    assert (request.method, request.target) == ("POST", "/a?b=1&c=d+e&f=1&f=2&h=true")
    assert (request.headers["x-key"], request.headers["content-type"]) == ("k", "application/json")
    assert request.headers["user-agent"] == USER_AGENT
    assert json.loads(request.body) == {"ü": 1}
    assert (response.status, response.content, response.text) == (200, b"hello", "hello")
    assert response.headers["x-a"] == "1"
    assert response.url == site.url("/a?b=1&c=d+e&f=1&f=2&h=true")


async def test_forms_and_raw_bodies_are_sent() -> None:
    async with serve(_ok) as site:
        http = ClosingHttp()
        await http.send(ApiRequest(method="POST", url=site.url(), form={"q": "a b"}))
        await http.send(
            ApiRequest(method="PUT", url=site.url(), body=b"raw", headers={"content-type": "x/y"})
        )

    assert [(a.headers["content-type"], a.body) for a in site.requests] == [
        ("application/x-www-form-urlencoded", b"q=a+b"),
        ("x/y", b"raw"),
    ]


@pytest.mark.parametrize("status", [204, 304, 404, 429, 500])
async def test_a_response_of_any_status_is_returned(status: int) -> None:
    async with serve(pages({"/": (status, {})})) as site:
        assert (await ClosingHttp().send(ApiRequest(url=site.url()))).status == status


async def test_compressed_responses_are_decoded() -> None:
    async def handle(request: ReceivedRequest) -> None:
        assert "gzip" in request.headers["accept-encoding"]
        await request.respond(200, gzip.compress(b"hello"), content_encoding="gzip")

    async with serve(handle) as site:
        assert (await ClosingHttp().send(ApiRequest(url=site.url()))).content == b"hello"


async def test_a_response_that_decodes_beyond_the_size_limit_is_refused() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(200, gzip.compress(bytes(10**7)), content_encoding="gzip")

    async with serve(handle) as site:
        with pytest.raises(PayloadError, match="larger than 1000 bytes"):
            await ClosingHttp().send(ApiRequest(url=site.url(), max_bytes=1000))


async def test_a_missing_response_ends_at_the_timeout() -> None:
    async with serve(lambda _: anyio.sleep_forever()) as site:
        with pytest.raises(NetworkError, match=r"no response within 0\.05 seconds"):
            await ClosingHttp().send(ApiRequest(url=site.url(), timeout=0.05))


async def test_a_closed_port_is_a_network_error() -> None:
    async with serve(_ok) as site:
        pass
    with pytest.raises(NetworkError, match="the connection was refused"):
        await ClosingHttp().send(ApiRequest(url=site.url()))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "closed without a response"),
        (b"lalala\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc", "cut off"),
        (b"HTTP/1.1 200 OK\r\n" + b"x-y: z\r\n" * 300 + b"\r\n", "headers are too large"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: foo\r\ncontent-length: 1\r\n\r\nx", "'foo'"),
    ],
)
async def test_a_broken_response_is_a_network_error(data: bytes, error: str) -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(data)
        request.close()

    async with serve(handle) as site:
        with pytest.raises(NetworkError, match=error):
            await ClosingHttp().send(ApiRequest(url=site.url()))


async def test_redirects_within_the_origin_are_followed_with_their_headers() -> None:
    answers = {"/a": (302, {"location": "/b"}), "/b": b"there"}
    async with serve(pages(answers)) as site:
        request = ApiRequest(method="POST", url=site.url("/a"), headers={"X-Key": "k"}, json={})
        response = await ClosingHttp().send(request)

    assert (response.content, response.url) == (b"there", site.url("/b"))
    assert [(a.method, a.headers.get("x-key")) for a in site.requests] == [
        ("POST", "k"),
        ("GET", "k"),
    ]


async def test_endless_redirects_are_an_error() -> None:
    async with serve(pages({"/": (302, {"location": "/"})})) as site:
        with pytest.raises(NetworkError, match="more than 5 redirects"):
            await ClosingHttp().send(ApiRequest(url=site.url()))


async def test_a_redirect_to_another_origin_is_refused_without_a_guard() -> None:
    async with serve(pages({"/": (302, {"location": "http://elsewhere.test/"})})) as site:
        with pytest.raises(BlockedError, match=r"elsewhere\.test"):
            await ClosingHttp().send(ApiRequest(url=site.url()))


async def test_a_redirect_to_another_origin_goes_through_the_guard_without_keys() -> None:
    async with (
        serve(_ok) as other,
        Guard(Resolver(Policy(allow_private=True))) as guard,
        serve(pages({"/": (302, {"location": other.url()})})) as site,
    ):
        headers = {"X-Key": "k", "Accept": "a/b"}
        await ClosingHttp(guard=guard).send(ApiRequest(url=site.url(), headers=headers))

    request = other.requests[0].headers
    assert ("x-key" in request, request["accept"], guard.opened) == (False, "a/b", 1)


async def test_a_redirect_to_an_internal_address_is_refused_by_the_guard() -> None:
    async with (
        serve(_ok) as inside,
        Guard(Resolver(Policy(allowed_ports=tuple(range(1024, 65536))))) as guard,
        serve(pages({"/": (302, {"location": inside.url()})})) as site,
    ):
        with pytest.raises(BlockedError, match=r"127\.0\.0\.1 is a private address"):
            await ClosingHttp(guard=guard).send(ApiRequest(url=site.url()))

    assert inside.requests == []


async def test_cookies_are_not_stored() -> None:
    async with serve(pages({"/": (200, {"set_cookie": "a=1"})})) as site:
        http = ClosingHttp()
        await http.send(ApiRequest(url=site.url()))
        await http.send(ApiRequest(url=site.url()))

    assert ["cookie" in request.headers for request in site.requests] == [False, False]


async def test_the_operators_proxy_is_used() -> None:
    async with serve(_ok) as proxy:
        http = ClosingHttp(ClientOptions(http_proxy=proxy.url("")))
        assert (await http.send(ApiRequest(url="http://api.test/x"))).content == b"hello"

    assert proxy.targets == ["http://api.test/x"]


@pytest.mark.parametrize("bypass", ["127.0.0.1", "*"])
async def test_hosts_in_no_proxy_are_reached_without_the_proxy(bypass: str) -> None:
    async with serve(_ok) as site, serve(_ok) as proxy:
        http = ClosingHttp(ClientOptions(http_proxy=proxy.url(""), no_proxy=(bypass,)))
        await http.send(ApiRequest(url=site.url("/x")))

    assert (site.targets, proxy.targets) == (["/x"], [])


async def test_a_cancelled_request_leaves_the_client_usable() -> None:
    async def handle(request: ReceivedRequest) -> None:
        if request.target == "/slow":
            started.set()
            await anyio.sleep_forever()
        await request.respond(200, b"hello")

    started = anyio.Event()
    async with serve(handle) as site:
        http = ClosingHttp()
        async with anyio.create_task_group() as group:
            group.start_soon(http.send, ApiRequest(url=site.url("/slow")))
            await started.wait()
            group.cancel_scope.cancel()
        assert (await http.send(ApiRequest(url=site.url("/quick")))).content == b"hello"


async def test_text_is_decoded_by_its_charset() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(
            200, b"\xe9", content_type=f"text/plain; charset={request.target[1:]}"
        )

    async with serve(handle) as site:
        http = ClosingHttp()
        texts = [
            (await http.send(ApiRequest(url=site.url(f"/{charset}")))).text
            for charset in ("latin-1", "utf-8", "nonsense")
        ]

    assert texts == ["é", "\ufffd", "\ufffd"]
