"""The cache of pages and of failed reads."""

import pytest

from webquarry.errors import (
    BadInputError,
    BlockedError,
    NetworkError,
    NotFoundError,
    PageError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.reading import Reading
from webquarry.reading.page_cache import FailureCache, PageCache, cache_key
from webquarry.reading.tiers.read_errors import (
    LoginWallError,
    NoSuchHostError,
    ServerFailedError,
    ServerRefusedError,
)
from webquarry.storage.memory_store import MemoryStore


class Now:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (BlockedError("b"), 1800),
        (LoginWallError("l"), 1800),
        (NotFoundError("n"), 600),
        (NetworkError("n"), 5),
        (NetworkError("n", retry_after=300), 120),
        (PageError("empty"), 60),
        (NoSuchHostError("n"), 120),
        (ServerFailedError("f", retry_after=2), 2),
        (ServerRefusedError("r"), 600),
        (RateLimitError("r"), 60),
        (RateLimitError("r", retry_after=7), 7),
    ],
)
def test_failures_are_cached_for_a_time_that_depends_on_their_kind(
    error: WebquarryError, seconds: float
) -> None:
    now = Now()
    failures = FailureCache(now)
    failures.add("a", error)

    now.time = seconds - 1
    with pytest.raises(type(error)):
        failures.check("a")
    failures.check("another")
    now.time = seconds
    failures.check("a")


def test_a_cached_failure_is_marked_as_cached() -> None:
    now = Now()
    failures = FailureCache(now)
    failures.add("a", NetworkError("No answer.", details={"attempts": []}))
    now.time = 2.5

    with pytest.raises(NetworkError) as caught:
        failures.check("a")

    assert str(caught.value) == (
        "No answer. (Cached failure; the next attempt is possible in 3 seconds, "
        "or now with fresh=true.)"
    )
    assert caught.value.block() == {
        "kind": "network",
        "retryable": True,
        "retryAfterSeconds": 3,
        "suggestedAction": "retry_after_delay",
        "attempts": [],
        "cachedFailure": True,
    }


def test_a_rejected_url_is_not_cached() -> None:
    failures = FailureCache()
    failures.add("a", BadInputError("URL rejected"))

    failures.check("a")


def test_the_oldest_failures_are_evicted_first() -> None:
    failures = FailureCache()
    for number in range(2001):
        failures.add(str(number), NetworkError("n"))

    failures.check("0")
    with pytest.raises(NetworkError):
        failures.check("1")


def test_cache_keys_of_different_parts_differ() -> None:
    keys = {
        cache_key("", "a", "b"),
        cache_key("", "ab"),
        cache_key("t", "a", "b"),
        cache_key("", "a\0b", ""),
    }

    assert len(keys) == 4


@pytest.mark.anyio
async def test_a_page_stored_by_an_older_version_is_a_miss() -> None:
    store = MemoryStore()
    old = b'{"url":"https://owls.test/","address":"https://owls.test/","markdown":"Hoot.","kind":"html"}'
    await store.set("page::1", old, ttl=60, owner=None)

    assert await PageCache(store).get("page::1", Reading) is None
