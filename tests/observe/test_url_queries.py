"""URLs in shared texts lose their queries, and nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.observe.url_queries import without_url_queries


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not found (https://a.example/s?q=owls): 404.", "Not found (https://a.example/s?… 404."),
        ("read http://a.example/#part now", "read http://a.example/?… now"),
        ("'https://a.example/?q=1' and https://b.example/x", "'https://a.example/?…' and "
         "https://b.example/x"),
        ("is it true? see a://b", "is it true? see a://b"),
        ("nothing?q=1", "nothing?q=1"),
    ],
)  # fmt: skip
def test_the_query_and_the_fragment_of_a_url_are_hidden(text: str, expected: str) -> None:
    assert without_url_queries(text) == expected


@given(st.text(), st.from_regex(r"[a-z]{1,20}=[0-9]{12}", fullmatch=True), st.text())
def test_no_query_is_left(before: str, query: str, after: str) -> None:
    hidden = without_url_queries(f"{before} https://a.example/p?{query} {after}")
    assert query not in hidden or query in before or query in after


@given(st.text().filter(lambda text: "://" not in text))
def test_a_text_without_a_url_is_unchanged(text: str) -> None:
    assert without_url_queries(text) == text
