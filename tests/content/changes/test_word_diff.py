from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.changes.word_diff import MAX_WORDS, tokens_of, word_diff, words_changed
from webquarry.models.changes import DiffPart


def _parts(*parts: tuple[str, str]) -> tuple[DiffPart, ...]:
    return tuple(DiffPart.model_validate({"op": op, "text": text}) for op, text in parts)


def test_words_that_differ_are_shown_as_a_whole() -> None:
    assert word_diff("It costs 1,299.00 €.", "It costs 1,199.00 €.") == _parts(
        ("equal", "It costs "), ("delete", "1,299.00"), ("insert", "1,199.00"), ("equal", " €.")
    )


def test_a_space_between_changed_words_belongs_to_the_change() -> None:
    assert word_diff("a big red mill", "a small blue mill") == _parts(
        ("equal", "a "), ("delete", "big red"), ("insert", "small blue"), ("equal", " mill")
    )


def test_characters_are_words_in_scripts_without_spaces() -> None:
    assert word_diff("価格は高い", "価格は安い") == _parts(
        ("equal", "価格は"), ("delete", "高"), ("insert", "安"), ("equal", "い")
    )


def test_very_long_texts_are_replaced_as_a_whole() -> None:
    before = "a " * MAX_WORDS

    assert word_diff(before, "b") == _parts(("delete", before), ("insert", "b"))


def test_the_size_of_a_change_is_its_number_of_words() -> None:
    assert words_changed(word_diff("one two three.", "one four.")) == 2


@given(st.text(max_size=60))
def test_tokens_are_the_whole_text(text: str) -> None:
    assert "".join(tokens_of(text)) == text


@given(st.text("ab1 .,'€価", max_size=40), st.text("ab1 .,'€価", max_size=40))
def test_a_diff_turns_one_text_into_the_other(before: str, after: str) -> None:
    parts = word_diff(before, after)

    assert "".join(part.text for part in parts if part.op != "insert") == before
    assert "".join(part.text for part in parts if part.op != "delete") == after
    assert all(one.op != other.op for one, other in pairwise(parts))
