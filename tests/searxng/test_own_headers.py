import pytest

from webquarry.searxng.own_headers import merge, own_headers, parse_headers


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
