"""Queries without filler."""

import pytest

from webquarry.content.text.stopwords import without_stopwords


@pytest.mark.parametrize(
    ("query", "stripped"),
    [
        ("what is the best owl box?", "best owl box?"),
        ('the "quoted owl"', 'the "quoted owl"'),
        ("the who", "the who"),
        ("owls", "owls"),
    ],
)
def test_filler_goes_unless_nothing_would_be_left(query: str, stripped: str) -> None:
    assert without_stopwords(query) == stripped
