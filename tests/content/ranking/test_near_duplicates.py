"""Texts that are one text under several addresses."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.ranking.near_duplicates import TextFingerprint, cluster_copies, djb2

STORY = " ".join(f"The owl number {n} was seen near the {n * 7} th oak." for n in range(40))
OTHER = " ".join(f"A budget of {n} crowns was refused by {n * 3} members." for n in range(40))


def test_a_copy_with_another_introduction_is_the_same_text() -> None:
    copy = TextFingerprint("First printed elsewhere, and shown here with leave. " + STORY)

    assert copy.is_copy_of(TextFingerprint(STORY))
    assert TextFingerprint(STORY).is_copy_of(copy)


def test_texts_on_one_topic_are_not_copies() -> None:
    assert not TextFingerprint(OTHER).is_copy_of(TextFingerprint(STORY))


def test_an_excerpt_is_not_a_copy() -> None:
    assert not TextFingerprint(STORY[:400]).is_copy_of(TextFingerprint(STORY))


def test_short_texts_are_never_taken_for_copies() -> None:
    assert not TextFingerprint("Not found.").is_copy_of(TextFingerprint("Not found."))


def test_scripts_without_spaces_are_compared_as_well() -> None:
    text = "富士山の最後の噴火は宝永噴火です。噴火は年末まで続き、火山灰は江戸にも降りました。"

    assert TextFingerprint(text + "以上です。").is_copy_of(TextFingerprint(text))


def test_copies_are_grouped_in_their_order() -> None:
    texts = [STORY, OTHER, f"{STORY} It was a good year for owls.", OTHER]

    assert cluster_copies([TextFingerprint(text) for text in texts]) == [[0, 2], [1, 3]]


@settings(deadline=None)
@given(st.lists(st.sampled_from([STORY, OTHER, "short", ""]), max_size=6))
def test_every_text_is_in_exactly_one_group(texts: list[str]) -> None:
    groups = cluster_copies([TextFingerprint(text) for text in texts])

    assert sorted(place for group in groups for place in group) == list(range(len(texts)))
    assert all(one < other for group in groups for one, other in pairwise(group))


# values of Bernstein's function, computed by hand for the first three
@pytest.mark.parametrize(
    ("text", "value"),
    [("", 5381), ("a", 177670), ("ab", 5863208), ("é", (177573 + 195) * 33 + 169)],
)
def test_paragraphs_are_hashed_by_djb2(text: str, value: int) -> None:
    assert djb2(text) == value


def test_the_hash_stays_within_64_bits() -> None:
    assert djb2("x" * 1000) < 2**64
