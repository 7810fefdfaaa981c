"""HTTP/1.1 on the event loop, against servers on loopback that say exactly these bytes."""

import asyncio
import socket
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.net.servers import Asked, listen, pages, serve
from webquarry.errors import NetworkError
from webquarry.net.client.cleartext import EncodedRequest, Http1Pool
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import Cookies, OutgoingRequest
from webquarry.net.client.response import ResponseBody

pytestmark = pytest.mark.anyio


@pytest.fixture
async def cleartext() -> AsyncGenerator[Http1Pool]:
    with closing(Http1Pool({})) as made:
        yield made


_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"


def _sending(url: str, method: str = "GET", body: bytes | None = None) -> OutgoingRequest:
    return OutgoingRequest(method=method, url=url, headers={}, body=body, timeout=5)


@dataclass(frozen=True)
class _Heard:
    status: int
    headers: Headers
    body: ResponseBody


async def _send(cleartext: Http1Pool, sending: OutgoingRequest, most: int = 1000) -> _Heard:
    spoken = cleartext.spoken(sending)
    assert spoken
    async with cleartext.send(spoken) as answer:
        return _Heard(answer.status, answer.headers, await answer.read(most))


async def _once(sending: OutgoingRequest, most: int = 1000) -> _Heard:
    with closing(Http1Pool({})) as cleartext:
        return await _send(cleartext, sending, most)


async def _heard(said: bytes, most: int = 1000) -> _Heard:
    """Return what is made of these bytes, after which the server hangs up."""

    async def handle(asked: Asked) -> None:
        await asked.raw(said)
        asked.hang_up()

    async with serve(handle) as site:
        return await _once(_sending(site.url()), most)


def test_a_request_is_put_in_the_usual_words() -> None:
    cleartext = Http1Pool({"user-agent": "us", "accept-encoding": "gzip"})
    sending = OutgoingRequest(
        method="POST",
        url="http://searx_ng:8080/search?q=a+b&c=%C3%BC",
        headers={"User-Agent": "them", "X-Key": "k"},
        body=b"{}",
        timeout=5,
    )

    assert cleartext.spoken(sending) == EncodedRequest(
        ("searx_ng", 8080),
        b"POST /search?q=a+b&c=%C3%BC HTTP/1.1\r\n"
        b"user-agent: them\r\naccept-encoding: gzip\r\nx-key: k\r\n"
        b"content-length: 2\r\nhost: searx_ng:8080\r\n\r\n{}",
        repeatable=False,
        sending=sending,
    )


@pytest.mark.parametrize(
    ("url", "place", "line"),
    [
        ("http://a.test", ("a.test", 80), b"GET / HTTP/1.1"),
        ("http://a.test/", ("a.test", 80), b"GET / HTTP/1.1"),
        ("http://a.test:80/b", ("a.test", 80), b"GET /b HTTP/1.1"),
        ("http://a.test?q=1", ("a.test", 80), b"GET /?q=1 HTTP/1.1"),
        ("http://127.0.0.1:8888/b/c?d", ("127.0.0.1", 8888), b"GET /b/c?d HTTP/1.1"),
    ],
)
def test_the_place_and_the_first_line_come_from_the_url(
    url: str, place: tuple[str, int], line: bytes
) -> None:
    spoken = Http1Pool({}).spoken(_sending(url))

    assert spoken
    assert (spoken.place, spoken.data.split(b"\r\n")[0]) == (place, line)


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
def test_an_unusual_url_is_left_to_others(url: str) -> None:
    assert Http1Pool({}).spoken(_sending(url)) is None


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
def test_unusual_headers_are_left_to_others(headers: dict[str, str]) -> None:
    sending = OutgoingRequest(url="http://a.test/", headers=headers, timeout=5)

    assert Http1Pool({}).spoken(sending) is None


def test_other_methods_proxies_and_cookies_are_left_to_others() -> None:
    cleartext, url = Http1Pool({}), "http://a.test/"

    assert cleartext.spoken(_sending(url, "HEAD")) is None
    through = OutgoingRequest(url=url, headers={}, timeout=5, through="socks5://127.0.0.1:1")
    assert cleartext.spoken(through) is None
    cookies = Cookies()
    cookies.take(("a=b",), url)
    with_cookies = OutgoingRequest(url=url, headers={}, timeout=5, cookies=cookies)
    assert cleartext.spoken(with_cookies) is None


@given(url=st.text(), value=st.text())
def test_no_text_begins_a_line_of_its_own(url: str, value: str) -> None:
    sending = OutgoingRequest(url=f"http://a.test/{url}", headers={"x": value}, timeout=5)

    spoken = Http1Pool({}).spoken(sending)

    if spoken:
        first, field, host, *rest = spoken.data.split(b"\r\n")
        assert first == f"GET /{url} HTTP/1.1".encode()
        assert (field, host, rest) == (f"x: {value}".encode(), b"host: a.test", [b"", b""])


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (_OK, ResponseBody(b"hi")),
        (b"HTTP/1.1 204 No\r\n\r\n", ResponseBody(b"")),
        # an offer that Apache makes with every answer
        (
            _OK.replace(b"OK\r\n", b"OK\r\nupgrade: h2c\r\nconnection: Upgrade\r\n"),
            ResponseBody(b"hi"),
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", ResponseBody(b"until the end")),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", ResponseBody(b"abc", "cut")),
        (b"HTTP/1.0 200 OK\r\n\r\nold", ResponseBody(b"old")),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
            ResponseBody(b"abc"),
        ),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + _OK, ResponseBody(b"hi")),
        (b"HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n" + _OK, ResponseBody(b"hi")),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + zlib.compress(b"hi"),
            ResponseBody(b"hi"),
        ),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + zlib.compress(b"hi")[:-4],
            ResponseBody(b"hi", "cut"),
        ),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001, ResponseBody(b"x" * 1000, "cap")),
    ],
)
async def test_every_kind_of_body_is_read(said: bytes, body: ResponseBody) -> None:
    assert (await _heard(said)).body == body


async def test_status_and_headers_come_along() -> None:
    heard = await _heard(
        b"HTTP/1.1 429 Slow\r\nA: 1\r\nb: \xfc\r\na: 2\r\ncontent-length: 0\r\n\r\n"
    )

    expected = {"a": "1, 2", "b": "\u00fc", "content-length": "0"}
    assert (heard.status, heard.headers) == (429, Headers.of(expected))


@pytest.mark.parametrize(
    ("said", "words", "code"),
    [
        (b"", "closed without an answer", "broken"),
        (b"lalala\r\n\r\n", "not HTTP", "broken"),
        (
            b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
            "not HTTP",
            "broken",
        ),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", "broke off", "broken"),
        (b"HTTP/1.1 200 OK\r\ncontent-le", "broke off", "broken"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 201 + b"\r\n", "too large", "too_large"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 2**18, "too large", "too_large"),
        (b"HTTP/1.1 100 Go\r\n\r\n" * 2**14, "too large", "too_large"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: foo\r\n\r\nx", "'foo'", None),
    ],
)
async def test_a_broken_answer_says_what_is_wrong(
    said: bytes, words: str, code: str | None
) -> None:
    with pytest.raises(NetworkError, match=words) as caught:
        await _heard(said)

    assert caught.value.details.get("detail") == code


async def test_a_port_where_nobody_listens_is_told() -> None:
    async with listen(_hang_up) as port:
        pass

    with pytest.raises(NetworkError, match="the connection was refused") as caught:
        await _once(_sending(f"http://127.0.0.1:{port}/"))

    assert caught.value.details == {"detail": "connection_refused"}


async def test_a_name_that_cannot_be_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", fails)

    with pytest.raises(NetworkError, match="there is no such host") as caught:
        await _once(_sending("http://nowhere.test/"))

    assert caught.value.details == {"detail": "dns_no_such_name"}


async def test_checked_addresses_are_where_connections_lead_and_no_name_is_looked_up() -> None:
    async with serve(_two) as site:
        with closing(Http1Pool({}, ["127.0.0.1"])) as cleartext:
            heard = await _send(cleartext, _sending(site.url("/", "owls.test")))

    assert (heard.body, site.asked[0].headers["host"]) == (
        ResponseBody(b"hi"),
        f"owls.test:{site.port}",
    )


async def _two(asked: Asked) -> None:
    await asked.raw(_OK)


async def test_the_next_address_is_tried_when_one_refuses() -> None:
    async with serve(_two) as site:
        with closing(
            Http1Pool({}, ["127.0.0.99", "127.0.0.1"])
        ) as cleartext:  # nobody listens at the first
            heard = await _send(cleartext, _sending(site.url("/", "owls.test")))

    assert heard.body == ResponseBody(b"hi")


async def _hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


class _Lines:
    """A server that answers each connection's requests in turn with these bytes."""

    def __init__(self, *scripts: Sequence[bytes]) -> None:
        self._scripts = list(scripts)
        self.requests: list[int] = []  # how many came on each connection
        self.closed = anyio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, script = len(self.requests), self._scripts[len(self.requests)]
        self.requests.append(0)
        for said in script:
            head = await reader.readuntil(b"\r\n\r\n")
            if b"content-length: " in head:
                await reader.readexactly(int(head.partition(b"content-length: ")[2].split()[0]))
            self.requests[number] += 1
            if not said:
                return
            writer.write(said)
            await writer.drain()
        await reader.read(1)  # until the other side leaves
        self.closed.set()


async def test_a_connection_is_used_again(cleartext: Http1Pool) -> None:
    lines = _Lines([_OK, _OK, _OK])
    async with listen(lines.talk) as port:
        for _ in range(3):
            heard = await _send(cleartext, _sending(f"http://127.0.0.1:{port}/"))
            assert heard.body == ResponseBody(b"hi")
        cleartext.close()
        await lines.closed.wait()

    assert lines.requests == [3]


async def test_a_get_is_said_again_when_the_server_closes_a_kept_connection(
    cleartext: Http1Pool,
) -> None:
    lines = _Lines([_OK, b""], [_OK])
    async with listen(lines.talk) as port:
        for _ in range(2):
            heard = await _send(cleartext, _sending(f"http://127.0.0.1:{port}/"))
            assert heard.body == ResponseBody(b"hi")

    assert lines.requests == [2, 1]


async def test_a_connection_that_nobody_uses_is_closed_after_a_while(
    cleartext: Http1Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.net.client.cleartext._IDLE", 0.05)
    lines = _Lines([_OK])
    async with listen(lines.talk) as port:
        await _send(cleartext, _sending(f"http://127.0.0.1:{port}/"))
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_whoever_was_closed_keeps_no_connection(cleartext: Http1Pool) -> None:
    lines = _Lines([_OK])
    async with listen(lines.talk) as port:
        spoken = cleartext.spoken(_sending(f"http://127.0.0.1:{port}/"))
        assert spoken
        async with cleartext.send(spoken) as answer:
            cleartext.close()  # meanwhile
            assert await answer.read(100) == ResponseBody(b"hi")
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_what_must_not_be_said_twice_gets_a_connection_of_its_own(
    cleartext: Http1Pool,
) -> None:
    lines = _Lines([_OK], [_OK])
    async with listen(lines.talk) as port:
        url = f"http://127.0.0.1:{port}/"
        await _send(cleartext, _sending(url))
        await _send(cleartext, _sending(url, "POST", b"x"))

    assert lines.requests == [1, 1]


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi",
        b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        _OK + b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil",
        _OK + b"rubbish",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + b"x" * 2000,
    ],
)
async def test_a_connection_that_is_not_clean_is_closed(said: bytes, cleartext: Http1Pool) -> None:
    lines = _Lines([said], [_OK])
    async with listen(lines.talk) as port:
        url = f"http://127.0.0.1:{port}/"
        await _send(cleartext, _sending(url))
        heard = await _send(cleartext, _sending(url))

    assert (heard.body, lines.requests) == (ResponseBody(b"hi"), [1, 1])


async def test_bytes_that_nobody_asked_for_close_the_connection() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_OK)
        await said.wait()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
        await reader.read(1)
        left.set()

    said, left = anyio.Event(), anyio.Event()
    async with listen(talk) as port:
        await _once(_sending(f"http://127.0.0.1:{port}/"))
        said.set()
        with anyio.fail_after(5):
            await left.wait()


async def test_whoever_stops_waiting_takes_the_connection_along() -> None:
    async def talk(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read(1)
        left.set()

    asked, left = anyio.Event(), anyio.Event()
    async with listen(talk) as port, anyio.create_task_group() as tasks:
        tasks.start_soon(_once, _sending(f"http://127.0.0.1:{port}/"))
        await asked.wait()
        tasks.cancel_scope.cancel()
        with anyio.CancelScope(shield=True), anyio.fail_after(5):
            await left.wait()


async def test_a_body_that_nobody_reads_closes_the_connection(cleartext: Http1Pool) -> None:
    lines = _Lines([b"HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n" + b"x" * 1000])
    async with listen(lines.talk) as port:
        spoken = cleartext.spoken(_sending(f"http://127.0.0.1:{port}/"))
        assert spoken
        async with cleartext.send(spoken) as answer:
            assert (answer.status, answer.length) == (200, 9_000_000)
        with anyio.fail_after(5):
            await lines.closed.wait()


async def test_a_long_body_waits_for_its_reader_and_comes_whole(cleartext: Http1Pool) -> None:
    piece, times = b"0123456789abcdef" * 4096, 100  # far more than may wait

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (len(piece) * times))
        for _ in range(times):
            writer.write(piece)
            await writer.drain()
        sent.set()
        await reader.read(1)

    sent = anyio.Event()
    async with listen(talk) as port:
        spoken = cleartext.spoken(_sending(f"http://127.0.0.1:{port}/"))
        assert spoken
        async with cleartext.send(spoken) as answer:
            with anyio.move_on_after(0.05):
                await sent.wait()
            assert not sent.is_set()  # whoever does not read holds the sender up
            body = await answer.read(2**30)

    assert body == ResponseBody(piece * times)


async def test_the_bytes_as_they_came_can_be_had_up_to_a_cap(cleartext: Http1Pool) -> None:
    packed = zlib.compress(b"hi" * 1000)
    said = b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n" + packed
    most = [len(packed), len(packed) - 1]

    async def handle(asked: Asked) -> None:
        await asked.raw(said)
        asked.hang_up()

    async with serve(handle) as site:
        spoken = cleartext.spoken(_sending(site.url()))
        assert spoken
        came: list[bytes | None] = []
        for cap in most:
            async with cleartext.send(spoken) as answer:
                came.append(await answer.wire(cap))

    assert came == [packed, None]


async def test_silence_and_a_body_that_stops_end_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def stops(asked: Asked) -> None:
        await asked.raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc")
        await anyio.sleep_forever()

    monkeypatch.setattr("webquarry.net.client.cleartext._GRACE", 0.05)
    sending = OutgoingRequest(url="", headers={}, timeout=0)
    async with serve(lambda _: anyio.sleep_forever()) as site:
        with pytest.raises(NetworkError, match="no answer in time") as caught:
            await _once(replace(sending, url=site.url()))
    async with serve(stops) as site:
        heard = await _once(replace(sending, url=site.url()))

    assert caught.value.details == {"detail": "timeout"}
    assert heard.body == ResponseBody(b"abc", "cut")


async def test_cookies_of_an_answer_are_kept_for_what_follows() -> None:
    async with serve(pages({"/": (200, {"set-cookie": "a=b; Path=/"})})) as site:
        cookies = Cookies()
        sending = OutgoingRequest(url=site.url(), headers={}, timeout=5, cookies=cookies)
        await _once(sending)

    assert cookies.state == "[('a', 'b')]"


def test_connections_do_not_outlive_their_event_loop() -> None:
    cleartext = Http1Pool({})

    async def once() -> ResponseBody:
        async with listen(_Lines([_OK]).talk) as port:
            return (await _send(cleartext, _sending(f"http://127.0.0.1:{port}/"))).body

    assert [asyncio.run(once()) for _ in range(2)] == [ResponseBody(b"hi"), ResponseBody(b"hi")]
    cleartext.close()
