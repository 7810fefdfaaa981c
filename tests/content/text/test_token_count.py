from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.text.token_count import cut_text, estimate_tokens, json_size


def test_tokens_are_a_quarter_of_the_bytes_rounded_up() -> None:
    assert [estimate_tokens(n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_size_counts_bytes_not_characters() -> None:
    assert json_size({"a": "é"}) == len('{"a":"é"}'.encode())


@given(st.text(max_size=400), st.integers(min_value=-5, max_value=500))
def test_a_cut_is_a_start_that_fits(text: str, room: int) -> None:
    start = cut_text(text, room)

    assert text.startswith(start)
    assert start == "" or json_size(start) - 2 <= room


@given(st.text(max_size=100))
def test_a_text_that_fits_is_not_cut(text: str) -> None:
    assert cut_text(text, json_size(text) - 2) == text


def test_a_cut_prefers_a_paragraph_then_a_sentence_then_a_word() -> None:
    assert cut_text("one two. three\n\nfour five six", 24) == "one two. three\n\n"
    assert cut_text("one two. three four five", 18) == "one two. three "
    assert cut_text("one two three. four five", 22) == "one two three. "
    assert cut_text("x" * 50, 20) == "x" * 20
