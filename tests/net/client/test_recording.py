"""What is recorded of an exchange, and what never is."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from webquarry.errors import NetworkError
from webquarry.models.caller import Caller
from webquarry.models.exchange import Exchange
from webquarry.net.client.recording import RecordedSending
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.response import Headers, ResponseStream
from webquarry.observe.active_recorder import (
    active_recorder,
    captured_for,
    capturing_with,
    not_captured,
)

pytestmark = pytest.mark.anyio


class Body(ResponseStream):
    pieces: tuple[bytes, ...] = (b"abc", b"def")
    breaks = False

    async def chunks(self) -> AsyncGenerator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.breaks:
            raise NetworkError("broken")


@dataclass
class Recorder:
    max_body: int = 100
    exchanges: list[Exchange] = field(default_factory=list[Exchange])

    def record(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)

    async def flush(self) -> None:
        pass


REQUEST = HttpRequest(
    url="https://example.org/",
    headers={
        "Authorization": "Bearer secret", "Cookie": "a=b", "X-Api-Key": "k", "Accept": "text/html",
    },
    timeout=1.0,
)  # fmt: skip
RESPONSE = Headers(
    [
        ("Content-Type", "text/html"),
        ("Set-Cookie", "a=b"),
        ("Transfer-Encoding", "chunked"),
        ("Link", "</a>"),
        ("Link", "</b>"),
    ]
)


@asynccontextmanager
async def sending(body: ResponseStream) -> AsyncGenerator[ResponseStream]:
    yield body


async def exchange_of(body: Body, recorder: Recorder, *, reads: bool = True) -> Exchange:
    own = {"user-agent": "webquarry"}
    recorded = RecordedSending(
        sending=sending(body), request=REQUEST, recorder=recorder, own_headers=own, kind="page"
    )
    async with recorded as stream:
        if reads:
            await stream.read(1000)
    (exchange,) = recorder.exchanges
    return exchange


async def test_secrets_are_left_out_when_an_exchange_is_recorded() -> None:
    exchange = await exchange_of(Body(REQUEST.url, 200, RESPONSE), Recorder())

    assert exchange.request_headers == (("user-agent", "webquarry"), ("accept", "text/html"))
    assert exchange.headers == (("content-type", "text/html"), ("link", "</a>"), ("link", "</b>"))
    assert (exchange.body, exchange.truncated) == (b"abcdef", "")


async def test_a_body_over_the_limit_is_marked() -> None:
    exchange = await exchange_of(Body(REQUEST.url, 200, RESPONSE), Recorder(max_body=4))

    assert (exchange.body, exchange.truncated) == (b"abcd", "length")


async def test_a_broken_body_is_marked() -> None:
    body = Body(REQUEST.url, 200, RESPONSE)
    body.breaks = True

    exchange = await exchange_of(body, Recorder())

    assert (exchange.body, exchange.truncated) == (b"abcdef", "disconnect")


async def test_a_body_that_is_not_read_is_marked() -> None:
    exchange = await exchange_of(Body(REQUEST.url, 301, RESPONSE), Recorder(), reads=False)

    assert (exchange.body, exchange.truncated) == (b"", "unspecified")


async def test_a_job_records_only_for_itself() -> None:
    caller = Caller(user="ada")
    with capturing_with(Recorder()):
        assert captured_for(caller) == ("captured", "default", "ada")
        with not_captured("default", "ada", "crawl.1", wanted=True):
            assert active_recorder.get() is None
            assert captured_for(caller) == ()
