"""Dates and periods in the notations of people and statistical offices."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from pydantic import AfterValidator

from webquarry.models.model import ArgumentsError

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MONTH = re.compile(r"(\d{4})-?M?(0[1-9]|1[0-2])")
_YEAR = re.compile(r"(\d{4})(?:-?A1?)?")
_PART = re.compile(r"(\d{4})-?([QTSHB])([1-4])")  # quarters, thirds and halves of a year
_WEEK = re.compile(r"(\d{4})-?W(\d{2})")
_MONTHS = {"Q": 3, "T": 4, "S": 6, "H": 6, "B": 6}


@dataclass(frozen=True, order=True)
class DateSpan:
    """The first and the last day of a period; sorts by the end."""

    end: date
    start: date


def span(text: str) -> DateSpan | None:
    """Return the days of a period like 2024, 2024-Q1, 2024M03, 2024-W07, or of a day."""
    found = _YEAR.fullmatch(text)
    try:
        if found:
            return _of_months(int(found[1]), 1, 12)
        return _within_year(text)
    except ValueError:  # month 13, week 60, 30 February or the year 0
        return None


def _within_year(text: str) -> DateSpan | None:
    if found := _DAY.fullmatch(text):
        day = date(int(found[1]), int(found[2]), int(found[3]))
        return DateSpan(day, day)
    if found := _MONTH.fullmatch(text):
        return _of_months(int(found[1]), int(found[2]), 1)
    if found := _PART.fullmatch(text):
        months = _MONTHS[found[2]]
        return _of_months(int(found[1]), 1 + months * (int(found[3]) - 1), months)
    if found := _WEEK.fullmatch(text):
        monday = date.fromisocalendar(int(found[1]), int(found[2]), 1)
        return DateSpan(monday + timedelta(days=6), monday)
    return None


def _of_months(year: int, first: int, count: int) -> DateSpan:
    last = first + count - 1
    end = date(year, last, calendar.monthrange(year, last)[1])
    return DateSpan(end, date(year, first, 1))


def within(text: str | None, since: str | None, until: str | None) -> bool:
    """Whether a period overlaps the days from `since` to `until`; True if it is unreadable."""
    covered = span(text) if text else None
    if covered is None:
        return True
    starts, ends = span(since) if since else None, span(until) if until else None
    return (starts is None or covered.end >= starts.start) and (
        ends is None or covered.start <= ends.end
    )


def _check_day(text: str) -> str:
    if not _DAY.fullmatch(text) or span(text) is None:
        raise ValueError("must be a day like 2024-01-31")
    return text


def _check_period(text: str) -> str:
    if not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", text) or span(text) is None:
        raise ValueError("must be a day like 2024-01-31, a month like 2024-01 or a year")
    return text


Day = Annotated[str, AfterValidator(_check_day)]
Period = Annotated[str, AfterValidator(_check_period)]


def check_years(first: int | None, last: int | None) -> None:
    """Raise `ArgumentsError` if the range ends before it starts."""
    if first and last and first > last:
        raise ArgumentsError(f"year_from {first} is after year_to {last}", "year_from", "year_to")


def check_order(since: str | None, until: str | None) -> None:
    """Raise `ArgumentsError` if the range ends before it starts."""
    starts, ends = span(since or ""), span(until or "")
    if starts and ends and starts.start > ends.end:
        raise ArgumentsError(f"date_from {since} is after date_to {until}", "date_from", "date_to")
