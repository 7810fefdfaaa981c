"""Periods as statistical offices write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.models.periods import DateSpan, check_order, span, within


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-A1", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024M02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2023-Q4", date(2023, 10, 1), date(2023, 12, 31)),
        ("2023Q1", date(2023, 1, 1), date(2023, 3, 31)),
        ("2023-S2", date(2023, 7, 1), date(2023, 12, 31)),
        ("2023-W01", date(2023, 1, 2), date(2023, 1, 8)),
        ("2023-05-06", date(2023, 5, 6), date(2023, 5, 6)),
    ],
)
def test_a_period_covers_its_days(text: str, start: date, end: date) -> None:
    assert span(text) == DateSpan(end, start)


@pytest.mark.parametrize(
    "text", ["", "soon", "2023-13", "2023-W60", "2023-02-30", "0000", "2023-S3", "12345"]
)
def test_what_is_no_period_covers_nothing(text: str) -> None:
    assert span(text) is None


@given(st.text(alphabet="0123456789-QWMSA", max_size=11))
def test_no_text_breaks_the_reading(text: str) -> None:
    found = span(text)

    assert found is None or found.start <= found.end


@given(st.dates(), st.dates())
def test_days_sort_as_their_periods_do(one: date, other: date) -> None:
    first, second = span(one.isoformat()), span(other.isoformat())

    assert first is not None
    assert second is not None
    assert (first < second) == (one < other)


@pytest.mark.parametrize(
    ("period", "since", "until", "inside"),
    [
        ("2020", "2020-06-01", None, True),  # a part of the year lies after that day
        ("2019", "2020-06-01", None, False),
        ("2020-Q2", None, "2020-04-01", True),
        ("2020-Q2", None, "2020-03", False),
        ("2020-05", "2020", "2020", True),
        ("then", "2020", "2020", True),  # what cannot be read is not dropped
        (None, "2020", None, True),
    ],
)
def test_a_period_counts_when_it_touches_the_window(
    period: str | None, since: str | None, until: str | None, *, inside: bool
) -> None:
    assert within(period, since, until) is inside


def test_a_window_that_ends_before_it_starts_is_refused() -> None:
    check_order("2020", "2020-01-01")

    with pytest.raises(ValueError, match="date_from 2021 is after date_to 2020-05"):
        check_order("2021", "2020-05")
