import itertools

import pytest

from tests.replay import StillClock
from webquarry.net.clock import Clock
from webquarry.searxng.request_headers import (
    USER_AGENTS,
    AnonymousHeaders,
    merge,
    own_headers,
    parse_headers,
)


def spinning() -> Clock:
    chances = itertools.cycle([n / 100 for n in range(100)])
    return Clock(chance=lambda: next(chances))


def test_every_request_names_another_browser() -> None:
    disguise = AnonymousHeaders(spinning(), rotate=True)

    assert {disguise.headers("en")["User-Agent"] for _ in range(100)} == set(USER_AGENTS)


def test_rotation_can_be_switched_off() -> None:
    disguise = AnonymousHeaders(spinning(), rotate=False)

    assert {disguise.headers("en")["User-Agent"] for _ in range(100)} == {USER_AGENTS[0]}


def test_the_headers_say_nothing_about_us() -> None:
    headers = AnonymousHeaders(StillClock().clock(), rotate=True).headers("de-AT")

    assert headers.keys() == {
        "User-Agent", "Accept", "Accept-Language", "DNT", "Sec-GPC", "Sec-Fetch-Dest",
        "Sec-Fetch-Mode", "Sec-Fetch-Site",
    }  # fmt: skip
    assert "webquarry" not in str(headers).lower()
    assert headers["Accept-Language"] == "de-AT,de;q=0.8,en;q=0.5"


@pytest.mark.parametrize(
    ("language", "said"), [("", "en"), ("en", "en"), ("en-US", "en-US,en;q=0.8")]
)
def test_english_is_said_once(language: str, said: str) -> None:
    headers = AnonymousHeaders(StillClock().clock(), rotate=False).headers(language)

    assert headers["Accept-Language"] == said


def test_credentials_split_at_the_first_colon() -> None:
    assert own_headers("me:a:b", "") == {"Authorization": "Basic bWU6YTpi"}


def test_an_authorization_given_by_hand_wins() -> None:
    assert own_headers("me:secret", "authorization: Bearer x, X-Key: a, b") == {
        "authorization": "Bearer x",
        "X-Key": "a, b",
    }


@pytest.mark.parametrize("text", ["X Key: v", ": v", "X-Key", "X-Key: a\x00b", "Ünicode: v"])
def test_what_is_no_header_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a list of headers"):
        parse_headers(text)


def test_a_later_header_replaces_an_earlier_one_under_any_spelling() -> None:
    assert merge({"User-Agent": "a", "DNT": "1"}, {"user-agent": "b"}) == {
        "user-agent": "b",
        "DNT": "1",
    }
