"""Numbers with units, and dates, as they are compared."""

import pytest

from webquarry.content.claims.quantities import dates_of, quantities_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rose by 45.3%.", [(45.3, "%")]),
        ("It rose by 12 per cent.", [(12.0, "%")]),
        ("It cost $1.2 million.", [(1.2e6, "dollar")]),
        ("It had 1,234 participants.", [(1234.0, "participant")]),
        ("It had twelve patients.", [(12.0, "patient")]),
        ("A walk of 1.5 km.", [(1500.0, "length")]),
        ("Es kostete 1.234.567 Euro.", [(1234567.0, "euro")]),
        ("COVID-19 in the 1990s, on 3 May 2019.", []),
        ("In 2018-2019 it changed.", []),
    ],
)
def test_a_number_has_its_value_and_its_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(each.value, each.unit) for each in quantities_of(text)] == expected


@pytest.mark.parametrize(
    ("cited", "source", "same"),
    [
        ("45%", "45.3%", True),  # rounded
        ("45.3%", "45%", False),  # the source is less exact
        ("1.2 million people", "1,234,567 people", True),
        ("about 40 people", "43 people", True),
        ("1.5 km", "1500 m", True),
        ("2,000 patients", "1,800 patients", False),
        ("45%", "54%", False),
    ],
)
def test_a_number_equals_the_one_that_it_was_rounded_from(
    cited: str, source: str, *, same: bool
) -> None:
    assert quantities_of(cited)[0].equals(quantities_of(source)[0]) is same


def test_dates_are_read_in_their_precision() -> None:
    dates = dates_of("On 2019-03-04, on May 3, 2020, in March 1999 and in 1987; 2000 patients.")

    assert [date[:3] for date in dates] == [(2019, 3, 4), (2020, 5, 3), (1999, 3, 0), (1987, 0, 0)]


def test_a_date_agrees_with_a_less_precise_one() -> None:
    day, month, other = dates_of("3 May 2020, May 2020, June 2020")

    assert (day.agrees_with(month), day.agrees_with(other)) == (True, False)
