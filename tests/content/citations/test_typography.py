"""Quotation marks and full stops in citations."""

import pytest

from webquarry.content.citations.typography import curly_quotes, nested_quotes, with_full_stop


@pytest.mark.parametrize(
    ("text", "curly"),
    [
        ('A "quiet" owl', "A “quiet” owl"),
        ('"Quiet" owls', "“Quiet” owls"),
        ('Owls ("quiet")', "Owls (“quiet”)"),
        ("Don't panic", "Don't panic"),
        ("“Already” curly", "“Already” curly"),
    ],
)
def test_straight_quotation_marks_become_typographic(text: str, curly: str) -> None:
    assert curly_quotes(text) == curly


@pytest.mark.parametrize(
    ("text", "nested"),
    [
        ("“A “quiet” owl.”", "“A \u2018quiet\u2019 owl.”"),
        ("“A “very “quiet” owl” here.”", "“A \u2018very “quiet” owl\u2019 here.”"),
        ("“One.” And “two.”", "“One.” And “two.”"),
        ("a stray ” mark", "a stray ” mark"),
    ],
)
def test_quotation_marks_inside_others_are_single(text: str, nested: str) -> None:
    assert nested_quotes(text) == nested


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Owls", "Owls."),
        ("Why owls?", "Why owls?"),
        ("J. Biol. Chem.", "J. Biol. Chem."),
        ("They said “no”", "They said “no.”"),
        ("They asked “why?”", "They asked “why?”"),
        ("And so on…", "And so on…"),
    ],
)
def test_a_full_stop_is_added_once_and_inside_quotation_marks(text: str, sentence: str) -> None:
    assert with_full_stop(text) == sentence
