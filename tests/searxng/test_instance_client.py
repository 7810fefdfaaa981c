import itertools

import pytest

from tests.replay import FakeClock
from webquarry.net.clock import Clock
from webquarry.searxng.instance_client import USER_AGENTS, AnonymousHeaders


def spinning() -> Clock:
    chances = itertools.cycle([n / 100 for n in range(100)])
    return Clock(random=lambda: next(chances))


def test_every_request_names_another_browser() -> None:
    headers = AnonymousHeaders(spinning(), rotate=True)

    assert {headers.build("en")["User-Agent"] for _ in range(100)} == set(USER_AGENTS)


def test_rotation_can_be_switched_off() -> None:
    headers = AnonymousHeaders(spinning(), rotate=False)

    assert {headers.build("en")["User-Agent"] for _ in range(100)} == {USER_AGENTS[0]}


def test_the_headers_say_nothing_about_us() -> None:
    headers = AnonymousHeaders(FakeClock().clock(), rotate=True).build("de-AT")

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
    headers = AnonymousHeaders(FakeClock().clock(), rotate=False).build(language)

    assert headers["Accept-Language"] == said
