"""Publication numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.patent_numbers import (
    is_full_number,
    patent_number,
    same_patent,
    split_patent_number,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("US 10,165,245 B2", "US10165245B2"),
        ("patent/US10165245B2/en", "US10165245B2"),
        ("https://patents.google.com/patent/ep2400812a1/de?q=x", "EP2400812A1"),
        ("EP.2400812.A1", "EP2400812A1"),
        ("WO 2017/123335", "WO2017123335"),
        ("USD0912345S1", "USD0912345S1"),
        ("solid state battery", None),
        ("US", None),
        ("https://patents.google.com/", None),
        ("", None),
    ],
)
def test_numbers_have_one_form(text: str, number: str | None) -> None:
    assert patent_number(text) == number


def test_a_kind_that_is_left_out_fits_any() -> None:
    assert same_patent("US10165245", "US10165245B2")
    assert not same_patent("US10165245A1", "US10165245B2")
    assert not same_patent("EP10165245", "US10165245")
    assert same_patent("US17/248024", "US17/248024")
    assert split_patent_number("HRP20251003T1") == ("HR", "P20251003", "T1")
    assert split_patent_number("battery") is None


@given(st.text())
def test_a_number_is_its_own_form(text: str) -> None:
    number = patent_number(text)

    assert number is None or patent_number(number) == number


@pytest.mark.parametrize(
    ("number", "sure"),
    [("US10165245B2", True), ("EP2400812A1", True), ("WO2017123335", True), ("USRE45678", True),
     ("AI2024", False), ("GB2020", False), ("US2021", False), ("XX1234567", False)],
)  # fmt: skip
def test_a_full_number_has_an_office_and_enough_digits(number: str, *, sure: bool) -> None:
    assert is_full_number(number) is sure
