"""Terms of claims and texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.claims.claim_terms import Term, Vocabulary, terms_of


def matches(word: str, text: str) -> float:
    (term,) = terms_of(word)
    return Vocabulary(each.stem for each in terms_of(text)).match(term)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("three", [Term("3", "number")]),
        ("the 3rd", [Term("3", "number")]),
        ("1,234,567 votes", [Term("1234567", "number"), Term("vot", "word")]),
        ("07 August", [Term("7", "number"), Term("month-8", "number")]),
        ("août", [Term("month-8", "number")]),
        ("2018-07-06", [Term("2018", "number"), Term("7", "number"), Term("6", "number"),
                        Term("2018", "number"), Term("month-7", "number"), Term("6", "number")]),
        ("糖尿病", [Term("糖尿", "word"), Term("尿病", "word")]),
    ],
)  # fmt: skip
def test_numbers_and_dates_have_one_form(text: str, terms: list[Term]) -> None:
    assert terms_of(text) == terms


@pytest.mark.parametrize(
    ("word", "text", "match"),
    [
        ("owls", "an owl", 1.0),
        ("producer", "its production", 0.8),
        ("wed", "they married", 0.7),
        ("purchased", "the firm was acquired", 0.7),
        ("1987", "in 1988", 0.0),
        ("owls", "a bat", 0.0),
    ],
)
def test_related_words_and_synonyms_match_less_than_the_same_word(
    word: str, text: str, match: float
) -> None:
    assert matches(word, text) == match


@given(st.text(max_size=300))
def test_every_text_contains_its_own_terms(text: str) -> None:
    vocabulary = Vocabulary(term.stem for term in terms_of(text))

    assert all(vocabulary.match(term) == 1.0 for term in terms_of(text))
