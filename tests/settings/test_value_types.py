from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.settings.value_types import (
    EMAIL,
    FLAG,
    ORIGIN,
    PATH,
    TEXT,
    ValueType,
    choice,
    duration,
    many,
    number,
    size,
    url,
    whole,
)

_DURATION = duration("0s", "400d")
_SIZE = size(0, 2**40)
_URL = url("http", "https", "unix")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (whole(-5, 5), "-3", -3),
        (whole(-5, 5), 4, 4),
        (number(0, 2), " 1.5 ", 1.5),
        (number(0, 2), 1.5, 1.5),
        (number(0, 2), 1, 1.0),
        (_DURATION, "90", 90.0),
        (_DURATION, "90s", 90.0),
        (_DURATION, "30m", 1800.0),
        (_DURATION, "4h", 14_400.0),
        (_DURATION, "1h30m", 5400.0),
        (_DURATION, "250ms", 0.25),
        (_DURATION, "30d", 2_592_000.0),
        (_DURATION, "1.5h", 5400.0),
        (_DURATION, 45, 45.0),
        (_DURATION, 0.5, 0.5),
        (_SIZE, "24576", 24_576),
        (_SIZE, "24KiB", 24_576),
        (_SIZE, "8 MiB", 8 * 2**20),
        (_SIZE, "2MB", 2_000_000),
        (_SIZE, "1.5k", 1536),
        (_SIZE, 7, 7),
        (choice("json", "text"), "JSON", "json"),
        (TEXT, "  héllo wörld ", "héllo wörld"),
        (EMAIL, "me@example.org", "me@example.org"),
        (_URL, "https://example.org:8443/x?y=1", "https://example.org:8443/x?y=1"),
        (_URL, "unix:///run/redis.sock", "unix:///run/redis.sock"),
        (_URL, "http://[::1]:80", "http://[::1]:80"),
        (ORIGIN, "https://Example.org:8443", "https://example.org:8443"),
        (many(TEXT), " a, b ,,c ", ("a", "b", "c")),
        (many(TEXT), ["a", "b"], ("a", "b")),
        (many(whole(0, 9)), [1, 2], (1, 2)),
        (PATH, "some/place", Path("some/place")),
        (PATH, "~/place", Path.home() / "place"),
    ],
)
def test_a_value_is_read(kind: ValueType[Any], text: object, value: object) -> None:
    assert kind.read(text) == value


@pytest.mark.parametrize("text", ["1", "t", "T", "true", "TRUE", "True", "yes", "ON", True])
def test_a_flag_may_be_written_as_true(text: object) -> None:
    assert FLAG.read(text) is True


@pytest.mark.parametrize("text", ["0", "f", "F", "false", "FALSE", "False", "no", "Off", False])
def test_a_flag_may_be_written_as_false(text: object) -> None:
    assert FLAG.read(text) is False


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (whole(0, 5), "6"),
        (whole(0, 5), "-1"),
        (whole(0, 5), "1.0"),
        (whole(0, 5), "٣"),
        (whole(0, 5), "9" * 5000),
        (whole(0, 5), True),
        (whole(0, 5), 1.0),
        (number(0, 2), "nan"),
        (number(0, 2), "inf"),
        (number(0, 2), "1e0"),
        (number(0, 2), float("nan")),
        (_DURATION, "soon"),
        (_DURATION, "5 m"),
        (_DURATION, "m"),
        (_DURATION, "-5s"),
        (_DURATION, "500d"),
        (_DURATION, True),
        (_SIZE, "big"),
        (_SIZE, "3 parsecs"),
        (_SIZE, "-1"),
        (FLAG, "maybe"),
        (FLAG, 1),
        (choice("json", "text"), "xml"),
        (TEXT, "two\nlines"),
        (TEXT, "null\x00"),
        (TEXT, "lone \udcff surrogate"),
        (TEXT, 5),
        (EMAIL, "me"),
        (_URL, "example.org"),
        (_URL, "ftp://example.org"),
        (_URL, "https://"),
        (_URL, "https://example.org:99999"),
        (_URL, "https://[::1"),
        (_URL, "https://exa mple.org"),
        (_URL, "unix://"),
        (ORIGIN, "https://example.org/"),
        (ORIGIN, "https://me@example.org"),
        (ORIGIN, "*"),
        (many(TEXT), " , "),
        (many(TEXT), [["a"]]),
        (many(TEXT), ["a,b"]),
        (many(TEXT), [True]),
        (PATH, "~nobody-has-this-name/x"),
        (PATH, 5),
    ],
)
def test_a_value_is_refused(kind: ValueType[Any], text: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        kind.read(text)


@given(st.integers(0, 10**9))
def test_a_duration_is_written_as_it_is_read(milliseconds: int) -> None:
    seconds = milliseconds / 1000
    assert duration("0s", "30d").read(duration("0s", "30d").show(seconds)) == pytest.approx(seconds)


@given(st.integers(0, 2**40))
def test_a_size_is_written_as_it_is_read(count: int) -> None:
    assert _SIZE.read(_SIZE.show(count)) == count


@given(st.text(), st.sampled_from([_DURATION, _SIZE, _URL, ORIGIN, FLAG, PATH, many(EMAIL)]))
def test_no_text_breaks_a_kind(text: str, kind: ValueType[Any]) -> None:
    try:
        kind.read(text)
    except ValueError:
        return
