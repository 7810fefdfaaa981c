"""What is remembered of earlier reads."""

import pytest

from webquarry.errors import (
    BadInputError,
    BlockedError,
    NetworkError,
    NotFoundError,
    RateLimitError,
    WebquarryError,
)
from webquarry.reading.page_cache import FailureCache, key_of
from webquarry.reading.tiers.read_errors import LoginWallError


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
        (NetworkError("n"), 120),
        (RateLimitError("r"), 60),
        (RateLimitError("r", retry_after=7), 7),
    ],
)
def test_a_failure_lasts_as_long_as_its_kind(error: WebquarryError, seconds: float) -> None:
    now = Now()
    failures = FailureCache(now)
    failures.note("a", error)

    now.time = seconds - 1
    with pytest.raises(type(error)):
        failures.check("a")
    failures.check("another")
    now.time = seconds
    failures.check("a")


def test_a_remembered_failure_says_that_it_is_one() -> None:
    now = Now()
    failures = FailureCache(now)
    failures.note("a", NetworkError("No answer.", details={"attempts": []}))
    now.time = 20

    with pytest.raises(NetworkError) as caught:
        failures.check("a")

    assert str(caught.value) == (
        "No answer. (Known from an earlier try; it is tried again in 100 seconds.)"
    )
    assert caught.value.block() == {
        "kind": "network",
        "retryable": True,
        "retryAfterSeconds": 100,
        "suggestedAction": "retry_after_delay",
        "attempts": [],
        "cachedFailure": True,
    }


def test_a_refused_url_is_refused_anew_each_time() -> None:
    failures = FailureCache()
    failures.note("a", BadInputError("URL rejected"))

    failures.check("a")


def test_the_oldest_failures_are_forgotten_first() -> None:
    failures = FailureCache()
    for number in range(2001):
        failures.note(str(number), NetworkError("n"))

    failures.check("0")
    with pytest.raises(NetworkError):
        failures.check("1")


def test_keys_tell_everything_apart() -> None:
    keys = {key_of("", "a", "b"), key_of("", "ab"), key_of("t", "a", "b"), key_of("", "a\0b", "")}

    assert len(keys) == 4
