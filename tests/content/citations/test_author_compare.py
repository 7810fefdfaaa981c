"""The authors of a reference: who, in which order, how many."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.author_compare import compare_authors, same_author

KNOWN = ("Gabriel García Márquez", "J. R. Smith", "Jan van der Berg", "Chloé Dubois")


@pytest.mark.parametrize(
    "cited",
    [
        KNOWN,
        ("García Márquez, Gabriel", "Smith, John", "van der Berg, J.", "Dubois, Chloe"),
        ("Garcia G", "Smith JR", "Berg J", "Dubois C"),
        ("Gabriel García Márquez", "others"),
        ("Gabriel García Márquez et al.",),
        ("Gabriel García Márquez", "Chloé Dubois", "et al."),
        (*KNOWN, "The Owl Consortium"),
    ],
)
def test_forms_of_the_same_list_match(cited: tuple[str, ...]) -> None:
    assert compare_authors(cited, KNOWN) == "match"


@pytest.mark.parametrize(
    "cited",
    [
        KNOWN[:3],  # shortened without et al.
        (KNOWN[0], KNOWN[3]),
        KNOWN[1:],
        (KNOWN[1], KNOWN[0], *KNOWN[2:]),  # another order
        (*KNOWN, "P. Okafor"),
        ("García, G.", "Okafor, P.", "van der Berg, J.", "Dubois, C."),
        ("García, G.", "Smith, Peter", "van der Berg, J.", "Dubois, C."),
        ("Okafor, P.", "et al."),
    ],
)
def test_another_author_order_or_number_is_seen(cited: tuple[str, ...]) -> None:
    assert compare_authors(cited, KNOWN) == "mismatch"


@pytest.mark.parametrize("cited", [(), ("others",)])
def test_without_names_there_is_nothing_to_compare(cited: tuple[str, ...]) -> None:
    assert compare_authors(cited, KNOWN) == "not_checked"
    assert compare_authors(KNOWN, ()) == "not_checked"


def test_two_authors_with_the_same_initial_are_two() -> None:
    cited = ("Zheng Chen", "Zhumin Chen", "Dawei Yin")

    assert compare_authors(cited, ("Z. Chen", "Z. Chen", "D. Yin")) == "match"


def test_a_registry_may_cut_a_long_list() -> None:
    names = tuple(f"{chr(65 + n)}lex {chr(65 + n)}berg" for n in range(14))

    assert compare_authors(names, names[:10]) == "match"
    assert compare_authors(names[:5], names[:4]) == "mismatch"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wei Zhang", "Zhang Wei"),
        ("Yu-Lun Liu", "Yulun Liu"),
        ("William Gates", "Bill Gates"),
        ("Jürgen Müller", "J. Mueller"),
        ("Shin-Fang Ch&apos;ng", "Shin-Fang Ch'ng"),
        ("Alexander Quinn Nichol", "Alexander Nichol"),
        ("J. Michael Smith", "Michael Smith"),
        ("Martin Luther King, Jr.", "Martin L. King"),
    ],
)
def test_names_of_one_person(one: str, other: str) -> None:
    assert same_author(one, other)
    assert same_author(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Wei Zhang", "Hao Zhang"), ("Jing Wang", "Jing Li"), ("", "Jing Li")]
)
def test_names_of_two_people(one: str, other: str) -> None:
    assert not same_author(one, other)


@given(st.lists(st.text(max_size=20), max_size=5), st.lists(st.text(max_size=20), max_size=5))
@settings(deadline=None)
def test_any_lists_can_be_compared(cited: list[str], known: list[str]) -> None:
    assert compare_authors(cited, known) in ("match", "mismatch", "not_checked")
