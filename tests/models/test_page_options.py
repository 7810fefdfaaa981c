"""The options of requests are checked before anything is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from webquarry.models.page_options import PageOptions, accept_language, coordinates


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("headers", {"X y": "1"}, "is not the name of a header"),
        ("headers", {"X-Key": "a\r\nHost: b"}, "control characters"),
        ("headers", {"Host": "b"}, "the header Host cannot be set"),
        ("headers", {"cookie": "a=1"}, "use cookies"),
        ("headers", {"Proxy-Authorization": "x"}, "cannot be set"),
        ("headers", {"X-Key": "ü"}, "must be ASCII"),
        ("headers", {f"X-{n}": "1" for n in range(51)}, "at most 50 headers"),
        ("cookies", {"a b": "1"}, "is not the name of a cookie"),
        ("cookies", {"a": "1; b=2"}, "percent-encode"),
        ("proxies", ("ftp://a",), "http://, https:// or socks5://"),
        ("proxies", ("http://a:port",), "http://, https:// or socks5://"),
        ("locale", "German please", "is not a language tag"),
        ("location", "Munich", "is not latitude,longitude"),
        ("location", "91,0", "is not latitude,longitude"),
    ],
)
def test_a_wrong_option_is_refused_with_its_reason(field: str, value: object, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        PageOptions.model_validate({field: value})


def test_a_refused_proxy_is_not_quoted_because_it_may_hold_a_password() -> None:
    with pytest.raises(ValidationError) as refused:
        PageOptions(proxies=("ftp://ada:secret@a",))

    assert "secret" not in refused.value.errors()[0]["msg"]


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=40), max_size=5))
def test_accepted_headers_are_one_line_of_ascii_each(headers: dict[str, str]) -> None:
    try:
        options = PageOptions(headers=headers)
    except ValidationError:
        return
    for name, value in options.headers.items():
        line = f"{name}: {value}"
        assert line.isascii()
        assert len(line.splitlines()) <= 1
        assert name.lower() not in {"host", "content-length", "cookie"}


def test_cookies_are_sent_as_one_header() -> None:
    options = PageOptions(headers={"X-Key": "1"}, cookies={"a": "1", "b": "2"})

    assert options.own_headers == {"X-Key": "1", "Cookie": "a=1; b=2"}


@pytest.mark.parametrize(
    ("locale", "header"),
    [("de-DE", "de-DE, de;q=0.9, en;q=0.8"), ("en-GB", "en-GB, en;q=0.9"), ("en", "en")],
)
def test_the_language_is_requested_as_a_browser_does(locale: str, header: str) -> None:
    assert accept_language(locale) == header


def test_coordinates_are_latitude_and_longitude() -> None:
    assert coordinates(" 48.137, -11.575 ") == (48.137, -11.575)
