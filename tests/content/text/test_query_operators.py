"""Filters as operators in the text of a query."""

import pytest

from webquarry.content.text.query_operators import compose, terms_of


def test_everything_at_once() -> None:
    text = compose(
        "owls", sites=("a.org", "b.org/x"), exact='barn "owl"', exclude='zoo, "in a cage" -sad'
    )

    assert text == 'owls "barn owl" -zoo -"in a cage" -sad (site:a.org OR site:b.org/x)'


def test_one_site_needs_no_brackets() -> None:
    assert compose("owls", sites=("a.org",)) == "owls site:a.org"


@pytest.mark.parametrize("text", [None, "", " , ", '""', "--"])
def test_no_terms(text: str | None) -> None:
    assert terms_of(text) == ()
