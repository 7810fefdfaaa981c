"""Words and names that are the same but for their spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.text.spelling import (
    are_opposites,
    normalize_spelling,
    same_name,
    same_word,
    tokens_of,
)


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("Müller", "mueller"),
        ("Großmann", "grossmann"),
        ("Łukasz", "lukasz"),
        ("Иванов", "ivanov"),
        ("Παπαδόπουλος", "papadopoylos"),
        ("O\u2019Brien", "obrien"),
        ("Dvořák", "dvorak"),
    ],
)
def test_letters_become_plain(word: str, plain: str) -> None:
    assert normalize_spelling(word) == plain


def test_kana_keep_what_tells_them_apart() -> None:
    assert normalize_spelling("が") != normalize_spelling("か")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller", "Muller"),
        ("Müller", "Mueller"),
        ("Ivanov", "Iwanow"),
        ("Иванов", "Ivanov"),
        ("Dostoevsky", "Dostojewski"),
        ("Tchaikovsky", "Tchaikovskii"),
    ],
)
def test_names_survive_transliteration(one: str, other: str) -> None:
    assert same_name(normalize_spelling(one), normalize_spelling(other))


@pytest.mark.parametrize(("one", "other"), [("Wang", "Yang"), ("Chen", "Cohen"), ("Li", "Lu")])
def test_short_names_are_not_stretched(one: str, other: str) -> None:
    assert not same_name(normalize_spelling(one), normalize_spelling(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("modelling", "modeling"),
        ("tumour", "tumor"),
        ("effect", "effects"),
        ("dynmaics", "dynamics"),
    ],
)
def test_typos_and_spelling_variants_of_a_word_match(one: str, other: str) -> None:
    assert same_word(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hypertension", "hypotension"),
        ("microscopic", "macroscopic"),
        ("symptomatic", "asymptomatic"),
        ("increase", "decrease"),
        ("interspecific", "intraspecific"),
        ("employer", "employee"),
        ("stable", "unstable"),
        ("rats", "cats"),
        ("1998", "1999"),
        ("vitamin", "vitamin2"),
    ],
)
def test_words_that_mean_something_else_are_different(one: str, other: str) -> None:
    assert not same_word(one, other)


def test_chinese_is_read_character_by_character() -> None:
    assert [token.word for token in tokens_of("高血压 and sleep")] == [*"高血压", "and", "sleep"]


@given(st.text(max_size=30))
def test_any_word_is_itself(word: str) -> None:
    plain = normalize_spelling(word)
    assert same_word(plain, plain)
    assert same_name(plain, plain)
    assert not are_opposites(plain, plain)


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_has_no_direction(one: str, other: str) -> None:
    assert same_word(one, other) == same_word(other, one)
    assert same_name(one, other) == same_name(other, one)
    assert are_opposites(one, other) == are_opposites(other, one)


@given(st.text(max_size=200))
def test_words_stand_where_they_say(text: str) -> None:
    assert all(text[token.start : token.end] == token.raw for token in tokens_of(text))
