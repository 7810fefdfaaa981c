"""How much a text has to say about a question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.ranking.relevance import NEUTRAL, QueryTerms, RelevanceParts, TextWords

QUESTION = QueryTerms("barn owl night vision range")


def total(title: str, text: str) -> float:
    return QUESTION.relevance_parts(title, TextWords(text)).total


def test_a_text_that_answers_has_all_parts() -> None:
    sentences = "The night vision range of a barn owl is wide. " * 6

    parts = QueryTerms("barn owl night vision").relevance_parts(
        "Barn owl night vision", TextWords(sentences)
    )

    assert parts == RelevanceParts(title=1.0, passage=1.0, anywhere=1.0, focus=1.0, phrases=2 / 3)


def test_words_near_each_other_say_more_than_words_far_apart() -> None:
    filler = " Nothing else is said of this matter here at all." * 20
    near = f"A barn owl has night vision of great range.{filler}"
    far = filler.join(["A barn.", "An owl.", "A night.", "A vision.", "A range."])

    assert total("", near) > total("", far)


def test_forms_of_a_word_are_the_word() -> None:
    question = QueryTerms("concurrent readers")

    assert question.coverage(["concurrency"]) == question.coverage(["concurrent"]) > 0
    assert QueryTerms("policy").coverage(["police"]) == 0.0
    assert QueryTerms("100,000 owls").coverage(["100,001"]) == 0.0


def test_a_page_on_something_else_is_not_relevant() -> None:
    assert total("Bread", "Mix flour with water. Bake it for an hour.") < 0.05


@pytest.mark.parametrize("text", ["", "?", "the of and"])
def test_a_query_without_words_is_neutral_for_any_text(text: str) -> None:
    assert QueryTerms(text).relevance_parts("Owls", TextWords("Owls hunt.")).total == pytest.approx(
        NEUTRAL
    )


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=200))
def test_shares_stay_between_nothing_and_all(query: str, title: str, text: str) -> None:
    parts = QueryTerms(query).relevance_parts(title, TextWords(text))

    assert all(0 <= value <= 1 + 1e-9 for value in vars(parts).values())
