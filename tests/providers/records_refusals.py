"""What any upstream of public records may do instead of answering, and what we make of it."""

from dataclasses import dataclass
from typing import Any

import pytest

from webquarry.errors import (
    AccessError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.records import RecordsFound
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CachedCatalog

from tests.replay import Replay, FakeClock  # isort: skip


@dataclass(frozen=True)
class Refusal:
    """An answer, and the error it means."""

    answer: dict[str, Any]
    error: type[WebquarryError]
    says: str
    repeated: bool = False  # asked again, because it may pass
    retry_after: float | None = None


REFUSALS = {
    "401": Refusal({"status": 401, "body": {"detail": "Invalid token."}}, AccessError, "HTTP 401"),
    "403": Refusal({"status": 403, "body": {"detail": "Go away."}}, AccessError, "Access refused"),
    "429": Refusal(
        {"status": 429, "headers": {"retry-after": "7"}, "body": {}},
        RateLimitError,
        "Wait 7 seconds",
        retry_after=7,
    ),
    "503": Refusal({"status": 503, "text": "down"}, ProviderError, "HTTP 503", repeated=True),
    "wrong shape": Refusal(
        {"status": 200, "body": {"odd": 1}}, PayloadError, "Unexpected response"
    ),
    "a web page": Refusal(
        {"status": 200, "text": "<!doctype html><p>Maintenance"},
        PayloadError,
        "Unexpected response",
    ),
    "no answer": Refusal({"fails": "timed out"}, NetworkError, "timed out", repeated=True),
}

refused = pytest.mark.parametrize("refusal", REFUSALS.values(), ids=list(REFUSALS))


def playing(
    refusal: Refusal, url: str, *, tries: int = 3, before: tuple[dict[str, Any], ...] = ()
) -> tuple[Upstreams, Replay]:
    """Return upstreams that refuse requests to `url`, and the recording to finish."""
    times = tries if refusal.repeated else 1
    exchange = {"origin": "handwritten: it cannot be provoked", "request": {"url": url}}
    replay = Replay([*before, *([exchange | refusal.answer] * times)])
    return Upstreams(replay, clock=FakeClock().clock()), replay


def check(refusal: Refusal, error: WebquarryError, provider: str) -> None:
    """Fail unless the error is the one that the refusal means."""
    assert type(error).__mro__.index(refusal.error) >= 0
    assert refusal.says in str(error)
    assert provider in str(error)
    assert error.provider == provider
    if refusal.retry_after:
        assert error.retry_after == refusal.retry_after


class NoShelf:
    """A shelf that is always empty."""

    async def fetch(self, name: str, load: Any) -> CachedCatalog:
        return CachedCatalog(await load())


NOTHING: RecordsFound[Any] = RecordsFound()
