import base64
import json
import string
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from webquarry.observe.mask import MASK, mask, mask_value

_HEX = "0123456789abcdef" * 4
_BASIC = base64.b64encode(b"me:hunter2").decode()
# a star could join the text around a mask into a secret again
_SECRETS = st.text(min_size=4, max_size=40).filter(lambda text: "*" not in text)
_NAMED = ["key=", "api_key=", "token:", '"password":', "authorization:", "cookie=", "://u:", "@"]
_SCHEMES = ["bearer", "basic", "AIza", "sk-", "BSA", "eyJ", "abcdefgh12345678abcdefgh"]
_MARKS = ["'", '"', "\\", '\\"', ".", "&", ";", ",", "\n", " ", MASK]
_PIECES = st.sampled_from([*_NAMED, *_SCHEMES, *_MARKS, _HEX, _BASIC])


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("key AIzaSyA1234567890abcdefghijklmnopqrstuv!", "key ***!"),
        ("sk-proj-abcdefghijklmnop1234 is it", "*** is it"),
        ("BSAabcdefghijklmnopqrst", "***"),
        ("tvly-dev-abcdefghijklmnop", "***"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "***"),
        ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl end", "*** end"),
        ("sent Bearer abcdef123456 to them", "sent Bearer *** to them"),
        (f"sent Basic {_BASIC} to them", "sent Basic *** to them"),
        ("https://x.org/?q=1&api_key=abc&page=2", "https://x.org/?q=1&api_key=***&page=2"),
        ("https://x.org/?key=abc#top", "https://x.org/?key=***#top"),
        ("/cb?access_token=abc;refresh_token=def", "/cb?access_token=***;refresh_token=***"),
        ("BRAVE_API_KEY=abc", "BRAVE_API_KEY=***"),
        ("password='abc def'", "password='*** def'"),
        ('{"apiKey": "a\\"b", "q": "x"}', '{"apiKey": "***", "q": "x"}'),
        ("{'client_secret': 'abc', 'q': 1}", "{'client_secret': '***', 'q': 1}"),
        (r'"{\"token\": \"abc\", \"q\": 1}"', r'"{\"token\": \"***\", \"q\": 1}"'),
        ("X-Api-Key: abc def\nAccept: */*", "X-Api-Key: ***\nAccept: */*"),
        ("Authorization: Digest abc", "Authorization: ***"),
        ("{'Authorization': 'Bearer abc', 'a': 1}", "{'Authorization': '***', 'a': 1}"),
        ("Set-Cookie: sid=abc; Path=/", "Set-Cookie: ***"),
        ("redis://me:hunter2@host:6379/0", "redis://me:***@host:6379/0"),
        ("redis://:hunter2@host", "redis://:***@host"),
        (f"key is {_HEX}.", "key is ***."),
    ],
)
def test_what_looks_like_a_credential_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "GET https://example.org/search?q=key+words&page=2 took 0.3 s",
        "basic research and the bearer of bad news",
        "monkey=5 keyword=x max_tokens=100 passwords=3",
        "mail me@example.org or see https://example.org:8443/@me",
        "the token is missing; the password was wrong",
        "request 0123456789abcdef0123456789abcdef",
        _HEX + "0",
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert mask(text, ["an-unrelated-secret"]) == text


@given(st.text(alphabet=string.ascii_lowercase[:8] + " .,\n", max_size=200))
def test_text_without_secrets_is_unchanged(text: str) -> None:
    assert mask(text, ["zzzz"]) == text


@given(st.text(), _SECRETS, st.text())
def test_a_known_secret_never_survives(before: str, secret: str, after: str) -> None:
    assert secret not in mask(before + secret + after, [secret])


@given(_SECRETS)
def test_a_known_secret_does_not_survive_in_another_spelling(secret: str) -> None:
    assume(not any("\ud800" <= character <= "\udfff" for character in secret))
    for spelled in (quote(secret), quote_plus(secret), json.dumps(secret)[1:-1]):
        assert mask(f"at {spelled} there", [secret]) == f"at {MASK} there"


@given(st.lists(_PIECES, max_size=12).map("".join), st.lists(_SECRETS, max_size=3))
def test_masking_twice_changes_nothing_more(text: str, secrets: list[str]) -> None:
    once = mask(text, secrets)
    assert mask(once, secrets) == once


def test_of_two_secrets_the_longer_is_masked_first() -> None:
    assert mask("hunter2hunter2 hunter2", ["hunter2", "hunter2hunter2"]) == f"{MASK} {MASK}"


def test_a_secret_too_short_to_hide_is_left() -> None:
    assert mask("a cat sat", ["a", "", "cat"]) == "a cat sat"


def test_json_values_are_masked_throughout() -> None:
    deep: dict[str, object] = {"password": "abc", "n": 1, "note": "saw hunter2", "none": None}
    value = {"list": [deep, ("hunter2",)], "api_key": "k", "token": 5, "path": Exception("hunter2")}
    assert mask_value(value, ["hunter2"]) == {
        "list": [{"password": "***", "n": 1, "note": "saw ***", "none": None}, ["***"]],
        "api_key": "***",
        "token": 5,
        "path": "***",
    }


def test_a_value_that_holds_itself_is_cut() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert "[...]" in str(mask_value(endless))
