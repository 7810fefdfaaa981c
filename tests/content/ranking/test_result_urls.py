"""Addresses of one page have one key; sites cover what is below them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.ranking.result_urls import (
    canonical_key,
    host_of,
    is_http_url,
    is_on_site,
    normalize_site,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.example.com/a/?utm_source=x&b=2&a=1#top", "http://example.com/a?a=1&b=2"),
        ("https://m.example.com/a", "https://example.com/a"),
        ("https://en.m.wikipedia.org/wiki/X", "https://en.wikipedia.org/wiki/X"),
        ("https://example.com/story/amp/", "https://example.com/story"),
        ("https://amp.example.com/story", "https://example.com/story"),
        ("https://www.google.com/amp/s/www.example.com/y", "https://example.com/y"),
        ("https://www-x.cdn.ampproject.org/c/s/www.example.com/y", "https://example.com/y"),
        ("https://example.com/index.html", "https://example.com"),
        ("https://example.com/caf%C3%A9", "https://example.com/café"),
        ("https://example.com/a?fbclid=1&gclid=2", "https://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
    ],
)
def test_urls_of_one_page_share_a_key(one: str, other: str) -> None:
    assert canonical_key(one) == canonical_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/A", "https://example.com/a"),
        ("https://example.com/a?id=1", "https://example.com/a?id=2"),
        ("https://app.example.com/#/one", "https://app.example.com/#/two"),
        ("https://example.com:8080/a", "https://example.com/a"),
        ("https://m.com/a", "https://com/a"),
        ("https://blog.example.com/a", "https://example.com/a"),
        ("https://example.com/camp", "https://example.com/c"),
    ],
)
def test_other_pages_keep_their_own(one: str, other: str) -> None:
    assert canonical_key(one) != canonical_key(other)


@given(st.text(max_size=80))
def test_nothing_breaks_the_key_and_it_is_stable(text: str) -> None:
    assert canonical_key(text) == canonical_key(text)
    assert isinstance(host_of(text), str)
    assert not is_http_url(text) or host_of(text)


@pytest.mark.parametrize(
    ("given", "site"),
    [
        ("https://WWW.Example.com/Docs/?x#y", "example.com/Docs"),
        ("example.com", "example.com"),
        ("*.example.com.", "example.com"),
        ("example.com/", "example.com"),
    ],
)
def test_a_site_is_read_however_it_is_written(given: str, site: str) -> None:
    assert normalize_site(given) == site


@pytest.mark.parametrize(
    ("url", "site", "inside"),
    [
        ("https://docs.example.com/x", "example.com", True),
        ("https://example.com/docs/a", "example.com/Docs", True),
        ("https://example.com/docs", "example.com/docs", True),
        ("https://example.com/docsearch", "example.com/docs", False),
        ("https://notexample.com/", "example.com", False),
        ("https://example.com.evil.org/", "example.com", False),
        ("https://evil.org/?example.com", "example.com", False),
        ("not an address", "example.com", False),
    ],
)
def test_a_site_covers_what_is_below_it(*, url: str, site: str, inside: bool) -> None:
    assert is_on_site(url, [site]) is inside
