"""Fetches from servers that never end, never respond, or close the connection."""

import gzip
import zlib
from collections.abc import Callable

import anyio
import pytest

from tests.net.fetching import LOCAL, failure_of, fetching
from tests.net.servers import ReceivedRequest, pages, serve
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard

pytestmark = pytest.mark.anyio


async def _endless(request: ReceivedRequest) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n"
    await request.send_raw(head)
    while True:
        await request.send_raw(b"10000\r\n" + bytes(0x10000) + b"\r\n")


async def test_an_endless_page_is_cut_at_the_size_limit() -> None:
    async with serve(_endless) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url(), max_page_bytes=200_000))

    assert (len(fetched.content), fetched.truncated) == (200_000, True)


@pytest.mark.parametrize(
    ("encoding", "compress"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
async def test_a_compression_bomb_is_cut_at_the_size_limit(
    encoding: str, compress: Callable[[bytes], bytes]
) -> None:
    body = compress(bytes(30 * 2**20))

    async def handle(request: ReceivedRequest) -> None:
        await request.respond(200, body, content_encoding=encoding, content_type="text/html")

    async with serve(handle) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url()))

    assert (len(fetched.content), fetched.truncated) == (8 * 2**20, True)


@pytest.mark.parametrize(
    ("content", "content_type", "kept"),
    [
        (b"%PDF-1.7 ", "text/html", 3000),
        (b"PK\x03\x04", "application/octet-stream", 3000),
        (b"a,b,c", "text/csv", 3000),
        (b"<html>", "application/pdf", 1000),
        (b"<html>", "text/html", 1000),
        (b"text", "text/plain", 1000),
    ],
)
async def test_documents_may_be_larger_than_pages(
    content: bytes, content_type: str, kept: int
) -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(200, content.ljust(5000), content_type=content_type)

    async with serve(handle) as site, fetching() as fetcher:
        wanted = FetchRequest(url=site.url(), max_page_bytes=1000, max_document_bytes=3000)
        fetched = await fetcher.fetch(wanted)

    assert (len(fetched.content), fetched.truncated) == (kept, True)


async def test_the_content_before_a_broken_connection_is_returned() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
        request.close()

    async with serve(handle) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url()))

    assert (fetched.content, fetched.truncated) == (b"half", True)


@pytest.mark.parametrize(
    "encoding", ["content-length: 20000", "transfer-encoding: chunked", "x: y"]
)
async def test_the_content_before_a_stall_is_returned(encoding: str) -> None:
    body = b"owl " * 1500
    if "chunked" in encoding:
        body = b"%x\r\n%s\r\n" % (len(body), body)

    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(b"HTTP/1.1 200 OK\r\n%s\r\n\r\n%s" % (encoding.encode(), body))
        await anyio.sleep_forever()

    async with serve(handle) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url(), timeout=2.5))

    assert (fetched.content, fetched.ending) == (b"owl " * 1500, "broken")


@pytest.mark.parametrize(
    "data", [b"", b"HTTP/1.1 200 OK\r\nx-a: ", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"]
)
async def test_a_slow_body_ends_at_the_deadline(data: bytes) -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(data)
        await anyio.sleep_forever()

    async with serve(handle) as site, fetching() as fetcher:
        failure = await failure_of(fetcher, site.url("/"), seconds=0.1)

    assert "no response within 0.1 seconds" in str(failure)
    assert failure.block()["detail"] == "timeout"


async def test_endless_headers_are_rejected() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(b"HTTP/1.1 200 OK\r\n")
        while True:
            await request.send_raw(b"x-a: " + b"y" * 1000 + b"\r\n")

    async with serve(handle) as site, fetching() as fetcher:
        assert "its headers are too large" in str(await failure_of(fetcher, site.url("/")))


async def test_a_cancelled_fetch_leaves_the_fetcher_usable() -> None:
    async def handle(request: ReceivedRequest) -> None:
        if request.target == "/slow":
            started.set()
            await _endless(request)
        await request.respond(200, b"hello")

    started = anyio.Event()
    async with serve(handle) as site, fetching() as fetcher:
        async with anyio.create_task_group() as group:
            slow = FetchRequest(url=site.url("/slow"), max_page_bytes=2**40)
            for _ in range(5):
                group.start_soon(fetcher.fetch, slow)
            await started.wait()
            group.cancel_scope.cancel()
        assert (await fetcher.fetch(FetchRequest(url=site.url("/quick")))).content == b"hello"


async def test_a_head_request_returns_no_content() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.send_raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n")

    async with serve(handle) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url(), method="HEAD"))

    assert (site.requests[0].method, fetched.content, fetched.truncated) == ("HEAD", b"", False)


async def test_one_connection_serves_several_pages() -> None:
    async with serve(pages({"/": b"x"})) as site, Guard(Resolver(LOCAL)) as guard:
        fetcher = Fetcher(guard)
        for _ in range(3):
            await fetcher.fetch(FetchRequest(url=site.url()))
        fetcher.close()

    assert guard.opened == 1
