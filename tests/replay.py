"""Replays recorded HTTP exchanges. Unrecorded requests and unplayed exchanges fail the test."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from webquarry.errors import NetworkError
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.clock import Clock
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams

RECORDED = Path(__file__).parent / "recorded"
_KEYS = {"origin", "request", "status", "headers", "body", "text", "base64", "fails"}
_REQUEST_KEYS = {"method", "url", "headers", "json", "form", "body"}


class Replay:
    """`Http` from a recording; an unrecorded request or an unplayed exchange fails the test.

    A recording is a JSON list of `{"origin", "request", "status", "headers", "body"}`. The body is
    JSON; `"text"` or `"base64"` may replace it, and `{"origin", "request", "fails": "..."}` is a
    request that fails with a network error. A request is `{"method", "url"}`; the URL includes the
    parameters. `"json"`, `"form"` or `"body"` must equal the body that was sent. `"headers"` must
    be a subset of the headers that were sent.
    """

    def __init__(self, recording: str | list[dict[str, Any]]) -> None:
        self.unplayed = _load(recording) if isinstance(recording, str) else list(recording)
        for exchange in self.unplayed:
            assert exchange.get("origin"), f"no origin: {exchange['request']}"
            wrong = (exchange.keys() - _KEYS) | (exchange["request"].keys() - _REQUEST_KEYS)
            assert not wrong, f"unknown keys {wrong} in {exchange['request']}"

    async def send(self, request: ApiRequest) -> FetchedResponse:
        """Return the response of the first exchange that matches."""
        for exchange in self.unplayed:
            if _matches(exchange["request"], request):
                self.unplayed.remove(exchange)
                return _response(exchange, request)
        sent = f"{request.method} {request.full_url} {dict(request.headers)} {request.payload[0]}"
        raise AssertionError(
            f"not recorded: {sent}\nunplayed: {[e['request'] for e in self.unplayed]}"
        )

    def finish(self) -> None:
        """Fail when a recorded exchange was never requested."""
        assert not self.unplayed, f"never requested: {self.unplayed[0]['request']}"


def _load(recording: str) -> list[dict[str, Any]]:
    return json.loads((RECORDED / f"{recording}.json").read_text(encoding="utf-8"))


def _matches(recorded: dict[str, Any], request: ApiRequest) -> bool:
    sent = {name.lower(): value for name, value in request.headers.items()}
    expected = {name.lower(): value for name, value in recorded.get("headers", {}).items()}
    body = request.body.decode() if request.body is not None else None
    return (
        (recorded.get("method", "GET"), recorded["url"]) == (request.method, request.full_url)
        and expected.items() <= sent.items()
        and recorded.get("json") == request.json
        and recorded.get("form") == (None if request.form is None else dict(request.form))
        and recorded.get("body") == body
    )


def _response(exchange: dict[str, Any], request: ApiRequest) -> FetchedResponse:
    if "fails" in exchange:
        raise NetworkError(exchange["fails"])
    headers = dict(exchange.get("headers", {}))
    if "text" in exchange:
        content = exchange["text"].encode()
    elif "base64" in exchange:
        content = base64.b64decode(exchange["base64"], validate=True)
    else:
        content = json.dumps(exchange["body"]).encode()
        headers = {"content-type": "application/json"} | headers
    return FetchedResponse(
        status=exchange["status"],
        headers=Headers(headers.items()),
        content=content,
        url=request.full_url,
    )


class FakeClock:
    """A clock that advances only when something sleeps, without waiting."""

    def __init__(self) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    def now(self) -> float:
        return self.time

    def clock(self) -> Clock:
        """Return it as the `Clock` that the code under test takes."""
        return Clock(monotonic=self.now, time=self.now, sleep=self.sleep, random=lambda: 0.5)


@pytest.fixture
def http(request: pytest.FixtureRequest) -> Iterator[Replay]:
    """The exchanges named by `@pytest.mark.recording("provider/case")`."""
    marker = request.node.get_closest_marker("recording")
    assert marker, "mark the test with @pytest.mark.recording('provider/case')"
    replay = Replay(marker.args[0])
    yield replay
    replay.finish()


@pytest.fixture
def upstreams(http: Replay) -> Upstreams:
    """Upstreams over the recording, with a clock that does not wait."""
    return Upstreams(http, clock=FakeClock().clock())
