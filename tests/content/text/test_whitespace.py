import sys

from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.text.whitespace import collapse_whitespace


@given(st.text(st.sampled_from("ab  \t\n\r\xa0\u3000\u200b\u2028\u0085é漢")))
def test_white_space_is_collapsed_whatever_it_is(text: str) -> None:
    assert collapse_whitespace(text) == " ".join(text.split())


def test_no_character_is_mistaken_for_white_space_or_the_reverse() -> None:
    texts = [f"a{chr(code)}b{chr(code)}" for code in range(sys.maxunicode + 1)]

    assert [text for text in texts if collapse_whitespace(text) != " ".join(text.split())] == []


def test_white_space_in_a_long_text_is_collapsed_too() -> None:
    texts = [f"{'a' * 100}{chr(code)}{'b' * 100}{chr(code)}" for code in range(256)]

    assert [text for text in texts if collapse_whitespace(text) != " ".join(text.split())] == []
