"""One upstream API: errors, retries, circuit breaker and rate limit."""

import math
from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import (
    AccessError,
    NetworkError,
    NotFoundError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.status_errors import CreditsError
from webquarry.net.upstream.upstreams import Upstreams

pytestmark = pytest.mark.anyio

BASE = "https://api.test/v1"


def exchange(status: int = 200, body: Any = None, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"origin": "handwritten", "request": {"url": f"{BASE}/items"}}
    given["status"] = status
    given["body"] = {} if body is None else body
    return given | more


def fails() -> dict[str, Any]:
    return {
        "origin": "handwritten",
        "request": {"url": f"{BASE}/items"},
        "fails": "the connection was refused",
    }


class ApiHarness:
    """An upstream API over recorded exchanges, with a fake clock."""

    def __init__(self, *exchanges: dict[str, Any], limits: ApiLimits | None = None) -> None:
        self.replay = Replay(list(exchanges))
        self.time = FakeClock()
        self.api = UpstreamApi(
            self.replay, name="acme", base_url=BASE, limits=limits, clock=self.time.clock()
        )

    async def get(self) -> FetchedResponse:
        return await self.api.get("items")

    async def failure(self) -> WebquarryError:
        with pytest.raises(WebquarryError) as caught:
            await self.get()
        return caught.value


@pytest.mark.parametrize(
    ("status", "body", "error", "text"),
    [
        (400, {"message": "bad x"}, ProviderError,
         "Request refused (acme): HTTP 400: bad x."),
        (401, {"error": {"message": "no key"}}, AccessError,
         "Access refused (acme): HTTP 401: no key. Check its API key."),
        (402, {}, CreditsError, "No credits (acme): HTTP 402. Its account must be topped up."),
        (403, {"errors": [{"detail": "no."}]}, AccessError,
         "Access refused (acme): HTTP 403: no. Check its API key."),
        (404, {}, NotFoundError, "Not found (acme): HTTP 404."),
        (302, {}, ProviderError, "Request refused (acme): HTTP 302."),
        (503, {}, ProviderError,
         "Unavailable (acme): HTTP 503. Retry later, or try a different provider."),
    ],
)  # fmt: skip
async def test_each_error_status_becomes_one_of_our_errors(
    status: int, body: Any, error: type[WebquarryError], text: str
) -> None:
    failure = await ApiHarness(exchange(status, body), limits=ApiLimits(tries=1)).failure()

    assert isinstance(failure, error)
    assert str(failure) == text
    assert failure.provider == "acme"


async def test_an_html_body_is_not_quoted_in_an_error() -> None:
    failure = await ApiHarness(exchange(400, text="<html>Oh no</html>")).failure()

    assert str(failure) == "Request refused (acme): HTTP 400."


async def test_markup_within_a_message_is_not_quoted() -> None:
    body = {"message": "Bad gateway <html><body><h1>502</h1></body></html>"}
    failure = await ApiHarness(exchange(400, body)).failure()

    assert str(failure) == "Request refused (acme): HTTP 400: Bad gateway."


async def test_a_long_or_secret_message_is_cut_and_masked() -> None:
    message = "api_key=0123456789abcdef0123456789abcdef\n" + "x" * 500
    failure = await ApiHarness(exchange(400, {"message": message})).failure()

    assert "0123456789abcdef" not in str(failure)
    assert len(str(failure)) < 300


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {"retry-after": "5"}, 5),
        (429, {"Retry-After": "Thu, 01 Jan 1970 00:17:10 GMT"}, 30),
        (429, {"retry-after": "soon"}, 60),
        (429, {}, 60),
        (429, {"x-ratelimit-reset": "7"}, 7),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "90"}, 90),
        (403, {"retry-after": "2.5"}, 2.5),
    ],
)
async def test_a_rate_limit_says_when_to_retry(
    status: int, headers: dict[str, str], seconds: float
) -> None:
    failure = await ApiHarness(exchange(status, headers=headers)).failure()

    assert isinstance(failure, RateLimitError)
    assert failure.retry_after == seconds
    assert str(failure) == (
        f"Rate limited (acme). Wait {math.ceil(seconds)} seconds and retry, "
        "or try a different provider."
    )


async def test_a_rate_limit_pauses_the_upstream_for_its_retry_after() -> None:
    desk = ApiHarness(exchange(429, headers={"retry-after": "5"}), exchange(body={"a": 1}))
    await desk.failure()
    desk.time.time += 3

    refused = await desk.failure()
    assert isinstance(refused, RateLimitError)
    assert refused.retry_after == 2
    assert desk.api.health.state == "open"

    desk.time.time += 2
    assert (await desk.get()).content == b'{"a": 1}'
    assert desk.api.health.state == "closed"


async def test_a_rate_limit_in_a_body_pauses_the_upstream() -> None:
    desk = ApiHarness()

    assert desk.api.rate_limited(7).retry_after == 7
    assert isinstance(await desk.failure(), RateLimitError)


async def test_expected_statuses_are_returned() -> None:
    desk = ApiHarness(exchange(404))

    assert (await desk.api.get("items", expect=(404,))).status == 404


async def test_a_get_is_retried_with_growing_pauses() -> None:
    desk = ApiHarness(fails(), exchange(502), exchange(body={"a": 1}))

    assert (await desk.get()).status == 200
    assert desk.time.slept == [0.25, 0.5]
    desk.replay.finish()


async def test_a_get_that_keeps_failing_reports_the_last_failure() -> None:
    desk = ApiHarness(exchange(503), exchange(503), fails())

    failure = await desk.failure()
    assert isinstance(failure, NetworkError)
    assert str(failure) == (
        "Could not reach acme: the connection was refused (3 tries). "
        "Retry, or try a different provider."
    )
    desk.replay.finish()


class SilentHttp:
    """Never responds: each try takes its whole time."""

    def __init__(self, time: FakeClock) -> None:
        self.time = time
        self.tries: list[float] = []

    async def send(self, request: ApiRequest) -> FetchedResponse:
        self.tries.append(request.timeout)
        self.time.time += request.timeout
        raise NetworkError(f"no response within {request.timeout:g} seconds") from TimeoutError()


@pytest.mark.parametrize(
    ("tries", "reason"),
    [(1, "no response within 10 seconds"), (3, "no response within 20 seconds (2 tries)")],
)
async def test_a_timeout_names_the_time_of_all_tries(tries: int, reason: str) -> None:
    time = FakeClock()
    http = SilentHttp(time)
    limits = ApiLimits(tries=tries)
    api = UpstreamApi(http, name="acme", base_url=BASE, limits=limits, clock=time.clock())

    with pytest.raises(NetworkError) as caught:
        await api.get("items")

    assert str(caught.value) == (
        f"Could not reach acme: {reason}. Retry, or try a different provider."
    )


async def test_no_retry_is_planned_beyond_the_deadline() -> None:
    desk = ApiHarness(exchange(503, headers={"retry-after": "30"}))

    failure = await desk.failure()
    assert failure.retry_after == 30
    assert desk.time.slept == []


async def test_a_post_is_sent_once() -> None:
    sent = {"method": "POST", "url": f"{BASE}/items?k=1", "json": {"q": "x"}}
    desk = ApiHarness(exchange(503, request=sent))

    with pytest.raises(ProviderError):
        await desk.api.post("items", json={"q": "x"}, params={"k": 1})
    desk.replay.finish()


async def test_a_form_is_submitted() -> None:
    desk = ApiHarness(
        exchange(request={"method": "POST", "url": f"{BASE}/items", "form": {"q": "x"}})
    )

    assert (await desk.api.post("items", form={"q": "x"})).status == 200


async def test_five_failures_in_a_row_pause_the_upstream() -> None:
    desk = ApiHarness(*(exchange(500) for _ in range(6)), exchange(), limits=ApiLimits(tries=1))
    for _ in range(5):
        await desk.failure()

    paused = await desk.failure()
    assert str(paused) == (
        "Paused (acme) after repeated failures. Retry in 60 seconds, or try a different provider."
    )
    assert paused.block() == {
        "kind": "upstream_unavailable",
        "retryable": True,
        "retryAfterSeconds": 60,
        "suggestedAction": "try_different_provider",
        "provider": "acme",
        "detail": "circuit_open",
    }

    desk.time.time += 60
    assert desk.api.health.state == "half_open"
    assert "HTTP 500" in str(await desk.failure())  # the one that tries
    assert "Paused" in str(await desk.failure())

    desk.time.time += 60
    assert (await desk.get()).status == 200
    assert desk.api.health == (await _fresh_health())
    desk.replay.finish()


async def _fresh_health() -> object:
    return ApiHarness().api.health


async def test_client_errors_do_not_pause_the_upstream() -> None:
    desk = ApiHarness(*(exchange(404) for _ in range(9)), exchange())
    for _ in range(9):
        assert isinstance(await desk.failure(), NotFoundError)

    assert (await desk.get()).status == 200


async def test_requests_are_spaced_out() -> None:
    limits = ApiLimits(per_second=2, burst=2)
    desk = ApiHarness(*(exchange() for _ in range(4)), limits=limits)
    for _ in range(4):
        await desk.get()

    assert desk.time.slept == [0.5, 0.5]


async def test_a_queue_longer_than_the_deadline_is_a_rate_limit() -> None:
    desk = ApiHarness(exchange(), limits=ApiLimits(per_second=0.02))
    await desk.get()

    failure = await desk.failure()
    assert isinstance(failure, RateLimitError)
    assert failure.retry_after == 50


async def test_the_base_url_of_an_upstream_can_be_configured() -> None:
    sent = {"url": "http://mirror.test/crossref/works?q=a+b&x=1&x=2&y=true"}
    replay = Replay([exchange(request=sent)])
    upstreams = Upstreams(replay, base_urls={"crossref": "http://mirror.test/crossref/"})
    api = upstreams.api("crossref", "https://api.crossref.org")

    params = {"q": "a b", "x": (1, 2), "y": True, "z": None}
    await api.get("/works", params=params)
    assert upstreams.api("crossref", "https://api.crossref.org") is api
    assert list(upstreams.health()) == ["crossref"]


async def test_any_request_can_be_sent() -> None:
    request = ApiRequest(method="PUT", url=f"{BASE}/items", body=b"x")
    desk = ApiHarness(exchange(request={"method": "PUT", "url": f"{BASE}/items", "body": "x"}))

    assert (await desk.api.send(request)).status == 200
