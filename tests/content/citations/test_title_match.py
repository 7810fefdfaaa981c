"""Whether two titles or names mean the same."""

import pytest

from webquarry.content.citations.title_match import same_person, title_key, title_similarity


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Owls <i>hear</i> well.", "OWLS HEAR WELL"),
        ("RETRACTED: Owls hear well", "Owls hear well"),
        ("[Retracted Article]: Owls hear well", "Owls hear well"),
        ("Über Eulen\u2010Ohren", "uber eulen-ohren"),
        ("A &amp; B", "A & B"),
        ("分子 生物学", "分子生物学"),
    ],
)
def test_spellings_of_one_title_share_a_key(one: str, other: str) -> None:
    assert title_key(one) == title_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Owls I", "Owls II"), ("Correction: Owls", "Owls"), ("Owls", "Owls, reconsidered")],
)
def test_other_titles_do_not(one: str, other: str) -> None:
    assert title_key(one) != title_key(other)


def test_likeness_counts_common_words() -> None:
    assert title_similarity("Owls hear well", "Well, owls hear") == 1
    assert title_similarity("Owls hear", "Owls see") == pytest.approx(1 / 3)
    assert title_similarity("", "") == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada Strix", "Strix, Ada", True),
        ("A. Strix", "Ada M. Strix", True),
        ("Strix A", "Ada Strix", True),
        ("José García", "J. Garcia", True),
        ("Ada Strix", "Ada Tyto", False),
        ("", "Ada Strix", False),
    ],
)
def test_a_family_name_tells_a_person(one: str, other: str, *, same: bool) -> None:
    assert same_person(one, other) is same
