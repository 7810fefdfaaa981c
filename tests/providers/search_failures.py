"""The ways an upstream of a search provider fails, and the error each of them is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import (
    AccessError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.net.upstream.upstreams import Upstreams

Search = Callable[[Upstreams], Awaitable[Any]]


@dataclass(frozen=True)
class Failure:
    """One way to fail: what the upstream answers, and what a caller is told."""

    answer: dict[str, Any]
    error: type[WebquarryError]
    kind: str
    retried: bool = False  # a GET is sent once more
    retry_after: float | None = None


FAILURES = {
    "key refused": Failure(
        {"status": 401, "body": {"message": "bad key"}}, AccessError, "auth_required"
    ),
    "forbidden": Failure(
        {"status": 403, "body": {"message": "no plan"}}, AccessError, "auth_required"
    ),
    "rate limited": Failure(
        {"status": 429, "headers": {"retry-after": "7"}, "body": {}},
        RateLimitError,
        "rate_limited",
        retry_after=7,
    ),
    "broken": Failure(
        {"status": 503, "text": "down"}, ProviderError, "upstream_unavailable", retried=True
    ),
    "another shape": Failure(
        {"status": 200, "body": {"unexpected": [1]}}, PayloadError, "upstream_unavailable"
    ),
    "a list": Failure({"status": 200, "body": [1, 2]}, PayloadError, "upstream_unavailable"),
    "a page": Failure(
        {"status": 200, "text": "<html><body>Sign in</body></html>"},
        PayloadError,
        "upstream_unavailable",
    ),
    "empty body": Failure({"status": 200, "text": ""}, PayloadError, "upstream_unavailable"),
    "no answer": Failure({"fails": "timed out"}, NetworkError, "network", retried=True),
}


async def assert_fails(search: Search, request: dict[str, Any], failure: Failure) -> None:
    """Play the failure and check the error, which names the provider and hides the key."""
    again = failure.retried and request.get("method", "GET") == "GET"
    exchange = {"origin": "handwritten: failures cannot be recorded at will", "request": request}
    replay = Replay([exchange | failure.answer] * (2 if again else 1))
    upstreams = Upstreams(replay, clock=FakeClock().clock())

    with pytest.raises(failure.error) as caught:
        await search(upstreams)

    replay.finish()
    error = caught.value
    assert (error.advice.kind, error.provider) == (failure.kind, next(iter(upstreams.health())))
    assert "the-key" not in str(error)
    if failure.retry_after:
        assert error.retry_after == failure.retry_after
