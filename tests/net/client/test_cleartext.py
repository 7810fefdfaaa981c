"""HTTP/1.1 on the event loop, against servers on loopback that send exactly these bytes."""

import asyncio
import socket
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import replace

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.net.servers import ReceivedRequest, listen, pages, serve
from webquarry.errors import NetworkError
from webquarry.net.client.cleartext import EncodedRequest, Http1Pool
from webquarry.net.client.request import Cookies, HttpRequest
from webquarry.net.client.response import BodyEnd, FetchedResponse, Headers

pytestmark = pytest.mark.anyio


@pytest.fixture
async def cleartext() -> AsyncGenerator[Http1Pool]:
    with closing(Http1Pool({})) as made:
        yield made


_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"


def _request(url: str, method: str = "GET", body: bytes | None = None) -> HttpRequest:
    return HttpRequest(method=method, url=url, headers={}, body=body, timeout=5)


Body = tuple[bytes, BodyEnd]


def _body(response: FetchedResponse) -> Body:
    return response.content, response.ending


async def _send(
    cleartext: Http1Pool, request: HttpRequest, max_bytes: int = 1000
) -> FetchedResponse:
    encoded = cleartext.encode(request)
    assert encoded
    async with cleartext.send(encoded) as stream:
        return await stream.read(max_bytes)


async def _once(request: HttpRequest, max_bytes: int = 1000) -> FetchedResponse:
    with closing(Http1Pool({})) as cleartext:
        return await _send(cleartext, request, max_bytes)


async def _response_to(data: bytes, max_bytes: int = 1000) -> FetchedResponse:
    """Return the response that is parsed from these bytes; then the server closes."""

    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(data)
        request.close()

    async with serve(handle) as site:
        return await _once(_request(site.url()), max_bytes)


def test_a_request_is_encoded_as_http() -> None:
    cleartext = Http1Pool({"user-agent": "us", "accept-encoding": "gzip"})
    request = HttpRequest(
        method="POST",
        url="http://searx_ng:8080/search?q=a+b&c=%C3%BC",
        headers={"User-Agent": "them", "X-Key": "k"},
        body=b"{}",
        timeout=5,
    )

    assert cleartext.encode(request) == EncodedRequest(
        ("searx_ng", 8080),
        b"POST /search?q=a+b&c=%C3%BC HTTP/1.1\r\n"
        b"user-agent: them\r\naccept-encoding: gzip\r\nx-key: k\r\n"
        b"content-length: 2\r\nhost: searx_ng:8080\r\n\r\n{}",
        idempotent=False,
        request=request,
    )


@pytest.mark.parametrize(
    ("url", "endpoint", "line"),
    [
        ("http://a.test", ("a.test", 80), b"GET / HTTP/1.1"),
        ("http://a.test/", ("a.test", 80), b"GET / HTTP/1.1"),
        ("http://a.test:80/b", ("a.test", 80), b"GET /b HTTP/1.1"),
        ("http://a.test?q=1", ("a.test", 80), b"GET /?q=1 HTTP/1.1"),
        ("http://127.0.0.1:8888/b/c?d", ("127.0.0.1", 8888), b"GET /b/c?d HTTP/1.1"),
    ],
)
def test_the_endpoint_and_the_request_line_come_from_the_url(
    url: str, endpoint: tuple[str, int], line: bytes
) -> None:
    encoded = Http1Pool({}).encode(_request(url))

    assert encoded
    assert (encoded.endpoint, encoded.data.split(b"\r\n")[0]) == (endpoint, line)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.test/",
        "http://A.test/",
        "http://user@a.test/",
        "http://[::1]/",
        "http://a.test/b#c",
        "http://a.test/b c",
        "http://a.test/\u00fc",
        "http://a.test/../b",
        "http://a.test/%2e%2E/b",
        "http://a.test\\b",
        "http://a.test/b\r\nx: y",
        "http://a.test/\n",
        "http://a.test/b\n",
    ],
)
def test_an_unusual_url_is_not_encoded(url: str) -> None:
    assert Http1Pool({}).encode(_request(url)) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"x": "a\r\nhost: evil.test"},
        {"x": "a\n"},
        {"x\r\ny": "a"},
        {"x y": "a"},
        {"x": "\u00fc"},
        {"": "a"},
        {"Host": "other.test"},
        {"Transfer-Encoding": "chunked"},
        {"Content-Length": "3"},
        {"Cookie": "a=b"},
        {"a": "1", "A": "2"},
    ],
)
def test_unusual_headers_are_not_encoded(headers: dict[str, str]) -> None:
    request = HttpRequest(url="http://a.test/", headers=headers, timeout=5)

    assert Http1Pool({}).encode(request) is None


def test_other_methods_proxies_and_cookies_are_not_encoded() -> None:
    cleartext, url = Http1Pool({}), "http://a.test/"

    assert cleartext.encode(_request(url, "HEAD")) is None
    through = HttpRequest(url=url, headers={}, timeout=5, proxy="socks5://127.0.0.1:1")
    assert cleartext.encode(through) is None
    cookies = Cookies()
    cookies.add(("a=b",), url)
    with_cookies = HttpRequest(url=url, headers={}, timeout=5, cookies=cookies)
    assert cleartext.encode(with_cookies) is None


@given(url=st.text(), value=st.text())
def test_no_text_injects_a_header(url: str, value: str) -> None:
    request = HttpRequest(url=f"http://a.test/{url}", headers={"x": value}, timeout=5)

    encoded = Http1Pool({}).encode(request)

    if encoded:
        first, field, host, *rest = encoded.data.split(b"\r\n")
        assert first == f"GET /{url} HTTP/1.1".encode()
        assert (field, host, rest) == (f"x: {value}".encode(), b"host: a.test", [b"", b""])


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (_OK, (b"hi", "complete")),
        (b"HTTP/1.1 204 No\r\n\r\n", (b"", "complete")),
        # Apache offers this upgrade with every response
        (
            _OK.replace(b"OK\r\n", b"OK\r\nupgrade: h2c\r\nconnection: Upgrade\r\n"),
            (b"hi", "complete"),
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", (b"until the end", "complete")),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", (b"abc", "broken")),
        (b"HTTP/1.0 200 OK\r\n\r\nold", (b"old", "complete")),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
            (b"abc", "complete"),
        ),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + _OK, (b"hi", "complete")),
        (b"HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n" + _OK, (b"hi", "complete")),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + zlib.compress(b"hi"),
            (b"hi", "complete"),
        ),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + zlib.compress(b"hi")[:-4],
            (b"hi", "broken"),
        ),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001, (b"x" * 1000, "size_limit")),
    ],
)
async def test_every_kind_of_body_is_read(data: bytes, body: Body) -> None:
    assert _body(await _response_to(data)) == body


async def test_status_and_headers_are_returned() -> None:
    response = await _response_to(
        b"HTTP/1.1 429 Slow\r\nA: 1\r\nb: \xfc\r\na: 2\r\ncontent-length: 0\r\n\r\n"
    )

    expected = {"a": "1, 2", "b": "\u00fc", "content-length": "0"}
    assert (response.status, response.headers) == (429, Headers(expected.items()))


@pytest.mark.parametrize(
    ("data", "words", "code"),
    [
        (b"", "closed without a response", "broken"),
        (b"lalala\r\n\r\n", "not HTTP", "broken"),
        (
            b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
            "not HTTP",
            "broken",
        ),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", "cut off", "broken"),
        (b"HTTP/1.1 200 OK\r\ncontent-le", "cut off", "broken"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 201 + b"\r\n", "too large", "too_large"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 2**18, "too large", "too_large"),
        (b"HTTP/1.1 100 Go\r\n\r\n" * 2**14, "too large", "too_large"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: foo\r\n\r\nx", "'foo'", None),
    ],
)
async def test_a_broken_response_is_reported(data: bytes, words: str, code: str | None) -> None:
    with pytest.raises(NetworkError, match=words) as caught:
        await _response_to(data)

    assert caught.value.details.get("detail") == code


async def test_a_refused_connection_is_reported() -> None:
    async with listen(_hang_up) as port:
        pass

    with pytest.raises(NetworkError, match="the connection was refused") as caught:
        await _once(_request(f"http://127.0.0.1:{port}/"))

    assert caught.value.details == {"detail": "connection_refused"}


async def test_an_unknown_host_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", fails)

    with pytest.raises(NetworkError, match="DNS lookup failed") as caught:
        await _once(_request("http://nowhere.test/"))

    assert caught.value.details == {"detail": "dns_no_such_name"}


async def test_with_checked_addresses_no_name_is_resolved() -> None:
    async with serve(_two) as site:
        with closing(Http1Pool({}, ["127.0.0.1"])) as cleartext:
            response = await _send(cleartext, _request(site.url("/", "owls.test")))

    assert (_body(response), site.requests[0].headers["host"]) == (
        (b"hi", "complete"),
        f"owls.test:{site.port}",
    )


async def _two(request: ReceivedRequest) -> None:
    await request.send_raw(_OK)


async def test_the_next_address_is_tried_when_one_refuses() -> None:
    async with serve(_two) as site:
        with closing(
            Http1Pool({}, ["127.0.0.99", "127.0.0.1"])
        ) as cleartext:  # no server listens at the first
            response = await _send(cleartext, _request(site.url("/", "owls.test")))

    assert _body(response) == (b"hi", "complete")


async def _hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


class _Lines:
    """A server that responds to the requests of each connection with these bytes in turn."""

    def __init__(self, *scripts: Sequence[bytes]) -> None:
        self._scripts = list(scripts)
        self.requests: list[int] = []  # the number on each connection
        self.closed = anyio.Event()

    async def handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        number, script = len(self.requests), self._scripts[len(self.requests)]
        self.requests.append(0)
        for data in script:
            head = await reader.readuntil(b"\r\n\r\n")
            if b"content-length: " in head:
                await reader.readexactly(int(head.partition(b"content-length: ")[2].split()[0]))
            self.requests[number] += 1
            if not data:
                return
            writer.write(data)
            await writer.drain()
        await reader.read(1)  # until the other side leaves
        self.closed.set()


async def test_a_connection_is_reused(cleartext: Http1Pool) -> None:
    lines = _Lines([_OK, _OK, _OK])
    async with listen(lines.handle_connection) as port:
        for _ in range(3):
            response = await _send(cleartext, _request(f"http://127.0.0.1:{port}/"))
            assert _body(response) == (b"hi", "complete")
        cleartext.close()
        await lines.closed.wait()

    assert lines.requests == [3]


async def test_a_get_is_repeated_when_the_server_closes_an_idle_connection(
    cleartext: Http1Pool,
) -> None:
    lines = _Lines([_OK, b""], [_OK])
    async with listen(lines.handle_connection) as port:
        for _ in range(2):
            response = await _send(cleartext, _request(f"http://127.0.0.1:{port}/"))
            assert _body(response) == (b"hi", "complete")

    assert lines.requests == [2, 1]


async def test_an_idle_connection_is_closed_after_a_while(
    cleartext: Http1Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.net.client.cleartext._IDLE_TIMEOUT", 0.05)
    lines = _Lines([_OK])
    async with listen(lines.handle_connection) as port:
        await _send(cleartext, _request(f"http://127.0.0.1:{port}/"))
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_a_closed_pool_keeps_no_connection(cleartext: Http1Pool) -> None:
    lines = _Lines([_OK])
    async with listen(lines.handle_connection) as port:
        encoded = cleartext.encode(_request(f"http://127.0.0.1:{port}/"))
        assert encoded
        async with cleartext.send(encoded) as answer:
            cleartext.close()  # meanwhile
            assert _body(await answer.read(100)) == (b"hi", "complete")
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_a_post_never_uses_an_idle_connection(
    cleartext: Http1Pool,
) -> None:
    lines = _Lines([_OK], [_OK])
    async with listen(lines.handle_connection) as port:
        url = f"http://127.0.0.1:{port}/"
        await _send(cleartext, _request(url))
        await _send(cleartext, _request(url, "POST", b"x"))

    assert lines.requests == [1, 1]


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi",
        b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        _OK + b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil",
        _OK + b"rubbish",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + b"x" * 2000,
    ],
)
async def test_a_connection_that_is_not_clean_is_closed(data: bytes, cleartext: Http1Pool) -> None:
    lines = _Lines([data], [_OK])
    async with listen(lines.handle_connection) as port:
        url = f"http://127.0.0.1:{port}/"
        await _send(cleartext, _request(url))
        response = await _send(cleartext, _request(url))

    assert (_body(response), lines.requests) == ((b"hi", "complete"), [1, 1])


async def test_unrequested_bytes_close_the_connection() -> None:
    async def handle_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_OK)
        await data.wait()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
        await reader.read(1)
        left.set()

    data, left = anyio.Event(), anyio.Event()
    async with listen(handle_connection) as port:
        await _once(_request(f"http://127.0.0.1:{port}/"))
        data.set()
        with anyio.fail_after(5):
            await left.wait()


async def test_a_cancelled_request_closes_its_connection() -> None:
    async def handle_connection(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        request.set()
        await reader.read(1)
        left.set()

    request, left = anyio.Event(), anyio.Event()
    async with listen(handle_connection) as port, anyio.create_task_group() as tasks:
        tasks.start_soon(_once, _request(f"http://127.0.0.1:{port}/"))
        await request.wait()
        tasks.cancel_scope.cancel()
        with anyio.CancelScope(shield=True), anyio.fail_after(5):
            await left.wait()


async def test_an_unread_body_closes_the_connection(cleartext: Http1Pool) -> None:
    lines = _Lines([b"HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n" + b"x" * 1000])
    async with listen(lines.handle_connection) as port:
        encoded = cleartext.encode(_request(f"http://127.0.0.1:{port}/"))
        assert encoded
        async with cleartext.send(encoded) as answer:
            assert (answer.status, answer.content_length) == (200, 9_000_000)
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_a_long_body_is_read_completely_with_back_pressure(cleartext: Http1Pool) -> None:
    piece, times = b"0123456789abcdef" * 4096, 100  # far more than may wait

    async def handle_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (len(piece) * times))
        for _ in range(times):
            writer.write(piece)
            await writer.drain()
        sent.set()
        await reader.read(1)

    sent = anyio.Event()
    async with listen(handle_connection) as port:
        encoded = cleartext.encode(_request(f"http://127.0.0.1:{port}/"))
        assert encoded
        async with cleartext.send(encoded) as answer:
            with anyio.move_on_after(0.05):
                await sent.wait()
            assert not sent.is_set()  # back-pressure: the sender waits for the reader
            response = await answer.read(2**30)

    assert _body(response) == (piece * times, "complete")


async def test_the_encoded_body_is_returned_up_to_a_limit(cleartext: Http1Pool) -> None:
    packed = zlib.compress(b"hi" * 1000)
    data = b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + packed
    max_bytes = [len(packed), len(packed) - 1]

    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(data)
        request.close()

    async with serve(handle) as site:
        encoded = cleartext.encode(_request(site.url()))
        assert encoded
        came: list[bytes | None] = []
        for cap in max_bytes:
            async with cleartext.send(encoded) as answer:
                came.append(await answer.read_encoded(cap))

    assert came == [packed, None]


async def test_a_missing_response_and_a_stalled_body_end_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def stops(request: ReceivedRequest) -> None:
        await request.send_raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc")
        await anyio.sleep_forever()

    monkeypatch.setattr("webquarry.net.client.cleartext._GRACE", 0.05)
    request = HttpRequest(url="", headers={}, timeout=0)
    async with serve(lambda _: anyio.sleep_forever()) as site:
        with pytest.raises(NetworkError, match="no response in time") as caught:
            await _once(replace(request, url=site.url()))
    async with serve(stops) as site:
        response = await _once(replace(request, url=site.url()))

    assert caught.value.details == {"detail": "timeout"}
    assert _body(response) == (b"abc", "broken")


async def test_cookies_of_a_response_are_stored_in_the_jar() -> None:
    async with serve(pages({"/": (200, {"set-cookie": "a=b; Path=/"})})) as site:
        cookies = Cookies()
        request = HttpRequest(url=site.url(), headers={}, timeout=5, cookies=cookies)
        await _once(request)

    assert cookies.state == "[('a', 'b')]"


def test_connections_do_not_outlive_their_event_loop() -> None:
    cleartext = Http1Pool({})

    async def once() -> Body:
        async with listen(_Lines([_OK]).handle_connection) as port:
            return _body(await _send(cleartext, _request(f"http://127.0.0.1:{port}/")))

    assert [asyncio.run(once()) for _ in range(2)] == [(b"hi", "complete"), (b"hi", "complete")]
    cleartext.close()
