"""A reference in parts against the records of a work."""

import pytest

from webquarry.content.citations.part_match import (
    compare_parts,
    is_complete,
    merge_comparisons,
)
from webquarry.content.citations.reference_match import Comparison, ReferenceParts

RECORD = ReferenceParts(
    "Deep learning for sleep staging: a review",
    ("Jürgen Müller", "Anna Ivanova", "Li Wang"),
    2017,
    "European Journal of Neuroscience",
    "123-129",
    "12",
)
ALL = Comparison(1.0, "match", "match", "match", "match", "match", "match")


def test_known_parts_are_compared_one_by_one() -> None:
    cited = ReferenceParts(
        RECORD.title, ("Mueller, J.", "et al"), 2018, "Eur J Neurosci", "123-9", "12"
    )

    assert compare_parts(cited, RECORD) == ALL


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("title", "Deep learning for sleep scoring: a review"),
        ("authors", ("Jürgen Müller", "Li Wang")),
        ("year", 2019),
        ("venue", "Journal of Neuroscience"),
        ("pages", "323-329"),
        ("volume", "13"),
    ],
)
def test_a_part_that_contradicts_the_record_is_named(part: str, value: object) -> None:
    cited = RECORD._replace(**{part: value})

    assert compare_parts(cited, RECORD).mismatches == (part,)


@pytest.mark.parametrize(
    ("year", "verdict"), [(2014, "match"), (2013, "mismatch"), (2020, "match")]
)
def test_a_preprint_may_be_years_older_than_its_publication(year: int, verdict: str) -> None:
    preprint = ReferenceParts(RECORD.title, RECORD.authors, year, "arXiv")

    assert compare_parts(RECORD, preprint).year == verdict
    assert compare_parts(RECORD, preprint).venue == "not_checked"


def test_a_part_that_one_record_confirms_is_right() -> None:
    first = Comparison(1.0, "match", "match", "mismatch", "not_checked")
    second = Comparison(0.9, "match", "mismatch", "match", "mismatch")

    assert merge_comparisons([first, second]) == Comparison(
        1.0, "match", "match", "match", "mismatch"
    )


def test_a_record_without_the_venue_leaves_it_open() -> None:
    compared = compare_parts(RECORD, RECORD._replace(venue=""))

    assert compared.fits
    assert not is_complete(RECORD, compared)
    assert is_complete(RECORD._replace(venue=""), compared)
