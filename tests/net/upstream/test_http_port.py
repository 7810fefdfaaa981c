"""The HTTP port, over wreq and without it, against real servers on loopback."""

import gzip
import json

import anyio
import pytest

from tests.net.fetching import PassingHttp
from tests.net.servers import Asked, pages, serve
from webquarry.errors import BlockedError, NetworkError, PayloadError
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.outgoing import OutgoingRequest
from webquarry.net.client.wreq_client import ClientOptions
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import USER_AGENT, Request

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["wreq", "cleartext"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Send everything through wreq, or what is ordinary without it: nobody may tell them apart."""
    if request.param == "wreq":
        monkeypatch.setattr(Http1Pool, "spoken", _nothing)
    return request.param


def _nothing(_: Http1Pool, __: OutgoingRequest) -> None:
    return None


async def _ok(asked: Asked) -> None:
    await asked.answer(200, b"hello", content_type="text/plain; charset=utf-8", x_a="1")


async def test_a_request_arrives_as_written_and_the_answer_comes_back() -> None:
    async with serve(_ok) as site:
        response = await PassingHttp().send(
            Request(
                method="POST",
                url=site.url("/a?b=1"),
                params={"c": "d e", "f": [1, 2], "g": None, "h": True},
                headers={"X-Key": "k"},
                json={"ü": 1},
            )
        )

    asked = site.asked[0]
    assert (asked.method, asked.target) == ("POST", "/a?b=1&c=d+e&f=1&f=2&h=true")
    assert (asked.headers["x-key"], asked.headers["content-type"]) == ("k", "application/json")
    assert asked.headers["user-agent"] == USER_AGENT
    assert json.loads(asked.body) == {"ü": 1}
    assert (response.status, response.content, response.text) == (200, b"hello", "hello")
    assert response.headers["X-A"] == "1"
    assert response.url == site.url("/a?b=1&c=d+e&f=1&f=2&h=true")


async def test_forms_and_raw_bodies_are_sent() -> None:
    async with serve(_ok) as site:
        http = PassingHttp()
        await http.send(Request(method="POST", url=site.url(), form={"q": "a b"}))
        await http.send(
            Request(method="PUT", url=site.url(), body=b"raw", headers={"content-type": "x/y"})
        )

    assert [(a.headers["content-type"], a.body) for a in site.asked] == [
        ("application/x-www-form-urlencoded", b"q=a+b"),
        ("x/y", b"raw"),
    ]


@pytest.mark.parametrize("status", [204, 304, 404, 429, 500])
async def test_any_status_is_an_answer(status: int) -> None:
    async with serve(pages({"/": (status, {})})) as site:
        assert (await PassingHttp().send(Request(url=site.url()))).status == status


async def test_compressed_answers_are_read() -> None:
    async def handle(asked: Asked) -> None:
        assert "gzip" in asked.headers["accept-encoding"]
        await asked.answer(200, gzip.compress(b"hello"), content_encoding="gzip")

    async with serve(handle) as site:
        assert (await PassingHttp().send(Request(url=site.url()))).content == b"hello"


async def test_an_answer_that_unfolds_beyond_the_cap_is_refused() -> None:
    async def handle(asked: Asked) -> None:
        await asked.answer(200, gzip.compress(bytes(10**7)), content_encoding="gzip")

    async with serve(handle) as site:
        with pytest.raises(PayloadError, match="larger than 1000 bytes"):
            await PassingHttp().send(Request(url=site.url(), max_bytes=1000))


async def test_silence_ends_at_the_timeout() -> None:
    async with serve(lambda _: anyio.sleep_forever()) as site:
        with pytest.raises(NetworkError, match=r"no answer within 0\.05 seconds"):
            await PassingHttp().send(Request(url=site.url(), timeout=0.05))


async def test_a_closed_port_is_a_network_error() -> None:
    async with serve(_ok) as site:
        pass
    with pytest.raises(NetworkError, match="the connection was refused"):
        await PassingHttp().send(Request(url=site.url()))


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (b"", "closed without an answer"),
        (b"lalala\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc", "broke off"),
        (b"HTTP/1.1 200 OK\r\n" + b"x-y: z\r\n" * 300 + b"\r\n", "headers are too large"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: foo\r\ncontent-length: 1\r\n\r\nx", "'foo'"),
    ],
)
async def test_a_broken_answer_is_a_network_error(said: bytes, error: str) -> None:
    async def handle(asked: Asked) -> None:
        await asked.raw(said)
        asked.hang_up()

    async with serve(handle) as site:
        with pytest.raises(NetworkError, match=error):
            await PassingHttp().send(Request(url=site.url()))


async def test_redirects_at_home_are_followed_with_their_headers() -> None:
    answers = {"/a": (302, {"location": "/b"}), "/b": b"there"}
    async with serve(pages(answers)) as site:
        request = Request(method="POST", url=site.url("/a"), headers={"X-Key": "k"}, json={})
        response = await PassingHttp().send(request)

    assert (response.content, response.url) == (b"there", site.url("/b"))
    assert [(a.method, a.headers.get("x-key")) for a in site.asked] == [("POST", "k"), ("GET", "k")]


async def test_redirects_without_end_are_cut() -> None:
    async with serve(pages({"/": (302, {"location": "/"})})) as site:
        with pytest.raises(NetworkError, match="more than 5 redirects"):
            await PassingHttp().send(Request(url=site.url()))


async def test_a_redirect_elsewhere_is_refused_without_a_guard() -> None:
    async with serve(pages({"/": (302, {"location": "http://elsewhere.test/"})})) as site:
        with pytest.raises(BlockedError, match=r"elsewhere\.test"):
            await PassingHttp().send(Request(url=site.url()))


async def test_a_redirect_elsewhere_goes_through_the_guard_without_keys() -> None:
    async with (
        serve(_ok) as other,
        Guard(Resolver(Policy(allow_private=True))) as guard,
        serve(pages({"/": (302, {"location": other.url()})})) as site,
    ):
        headers = {"X-Key": "k", "Accept": "a/b"}
        await PassingHttp(guard=guard).send(Request(url=site.url(), headers=headers))

    asked = other.asked[0].headers
    assert ("x-key" in asked, asked["accept"], guard.opened) == (False, "a/b", 1)


async def test_a_redirect_to_the_inside_is_refused_by_the_guard() -> None:
    async with (
        serve(_ok) as inside,
        Guard(Resolver(Policy(allowed_ports=tuple(range(1024, 65536))))) as guard,
        serve(pages({"/": (302, {"location": inside.url()})})) as site,
    ):
        with pytest.raises(BlockedError, match=r"127\.0\.0\.1 is not public"):
            await PassingHttp(guard=guard).send(Request(url=site.url()))

    assert inside.asked == []


async def test_cookies_are_not_kept() -> None:
    async with serve(pages({"/": (200, {"set_cookie": "a=1"})})) as site:
        http = PassingHttp()
        await http.send(Request(url=site.url()))
        await http.send(Request(url=site.url()))

    assert ["cookie" in asked.headers for asked in site.asked] == [False, False]


async def test_the_operators_proxy_is_used() -> None:
    async with serve(_ok) as proxy:
        http = PassingHttp(ClientOptions(http_proxy=proxy.url("")))
        assert (await http.send(Request(url="http://api.test/x"))).content == b"hello"

    assert proxy.targets == ["http://api.test/x"]


@pytest.mark.parametrize("bypass", ["127.0.0.1", "*"])
async def test_some_places_are_reached_without_the_proxy(bypass: str) -> None:
    async with serve(_ok) as site, serve(_ok) as proxy:
        http = PassingHttp(ClientOptions(http_proxy=proxy.url(""), no_proxy=(bypass,)))
        await http.send(Request(url=site.url("/x")))

    assert (site.targets, proxy.targets) == (["/x"], [])


async def test_a_cancelled_request_leaves_the_client_usable() -> None:
    async def handle(asked: Asked) -> None:
        if asked.target == "/slow":
            started.set()
            await anyio.sleep_forever()
        await asked.answer(200, b"hello")

    started = anyio.Event()
    async with serve(handle) as site:
        http = PassingHttp()
        async with anyio.create_task_group() as group:
            group.start_soon(http.send, Request(url=site.url("/slow")))
            await started.wait()
            group.cancel_scope.cancel()
        assert (await http.send(Request(url=site.url("/quick")))).content == b"hello"


async def test_text_is_decoded_by_its_charset() -> None:
    async def handle(asked: Asked) -> None:
        await asked.answer(200, b"\xe9", content_type=f"text/plain; charset={asked.target[1:]}")

    async with serve(handle) as site:
        http = PassingHttp()
        texts = [
            (await http.send(Request(url=site.url(f"/{charset}")))).text
            for charset in ("latin-1", "utf-8", "nonsense")
        ]

    assert texts == ["é", "\ufffd", "\ufffd"]
