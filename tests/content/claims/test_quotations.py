"""Quotations are looked up word for word, then by similarity."""

import pytest

from webquarry.content.claims.quotations import (
    QuotationCheck,
    WordDifference,
    check_quotation,
    quotations_in,
)

_SOURCE = (
    "It was a study. The authors found that sales rose by 45 per cent in the first\nyear, which "
    "surprised all of them. More text follows here."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("sales rose by 45 per cent in the first year",) * 2,
        ("Sales rose … in the first year", "sales rose by 45 per cent in the first year"),
        ("sales [of the firm] rose by 45 per cent", "sales rose by 45 per cent"),
    ],
)
def test_a_quotation_may_leave_words_out_and_is_still_verbatim(quote: str, found: str) -> None:
    assert check_quotation(quote, _SOURCE) == QuotationCheck(quote, "verbatim", found)


def test_a_changed_quotation_shows_the_exact_difference() -> None:
    quote = "sales rose by 54 per cent in the first year"

    assert check_quotation(quote, _SOURCE) == QuotationCheck(
        quote,
        "differs",
        "sales rose by 45 per cent in the first year",
        (WordDifference("54", "45"),),
    )


def test_an_invented_quotation_is_absent() -> None:
    quote = "the moon is made of green cheese"

    assert check_quotation(quote, _SOURCE) == QuotationCheck(quote, "absent")


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('He said "sales rose by half" and "no" to "all of this at once".',
         ["sales rose by half", "all of this at once"]),
        ("Sie sagte „das ist alles nicht wahr“.", ["das ist alles nicht wahr"]),
        ("Il a dit «\u00a0ce n'est pas vrai\u00a0».", ["ce n'est pas vrai"]),
        ('The album "Songs About the Open Sea" sold well.', []),  # a title
        ('He called it "very good".', []),  # a term
    ],
)  # fmt: skip
def test_passages_in_quotation_marks_are_found(text: str, quotes: list[str]) -> None:
    assert quotations_in(text) == quotes
