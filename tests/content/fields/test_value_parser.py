"""Typed values, as people of many countries write them."""

import pytest

from webquarry.content.fields import value_parser


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.50", 1234.5), ("1.234,50", 1234.5), ("1 234,50", 1234.5), ("1'234.50", 1234.5),
        ("19,99", 19.99), ("0,125", 0.125), ("1,234", 1234), ("12.5", 12.5), ("-3", -3),
        ("1,234,567", 1234567), ("abc", None), ("", None),
    ],
)  # fmt: skip
def test_numbers_of_many_countries(text: str, value: float | None) -> None:
    assert value_parser.parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("$49.90", "price", 49.9), ("49,90 €", "price", 49.9),
        ("€1.299,00 incl. VAT", "price", 1299),
        ("$5 or $7", "price", None), ("4.6 out of 5", "rating", 4.6), ("4/5", "rating", 4),
        ("1 hour 10 minutes", "duration", 70), ("PT1H10M", "duration", 70), ("45", "duration", 45),
        ("450 ml", "", 450), ("3 of 4", "", None), ("no number", "", None),
    ],
)  # fmt: skip
def test_the_one_number_of_a_text(text: str, kind: str, value: float | None) -> None:
    assert value_parser.number_in(text, kind) == value


@pytest.mark.parametrize(
    ("text", "form", "value"),
    [
        ("14 May 2027", "date", "2027-05-14"), ("May 14, 2027", "date", "2027-05-14"),
        ("2027-05-14T19:30:00+02:00", "date", "2027-05-14"),
        ("14\u201316 May 2027", "date", None), ("May 14-16, 2027", "date", None),
        ("May 2027", "date", None), ("May 2027", "", "2027-05"),
        ("14 May 2027", "date-time", None),
        ("2027-05-14T19:30:00Z", "date-time", "2027-05-14T19:30:00Z"),
        ("soon", "date", None),
    ],
)  # fmt: skip
def test_dates_are_never_made_more_precise(text: str, form: str, value: str | None) -> None:
    assert value_parser.date_in(text, form) == value


def test_of_two_dates_the_end_is_the_last() -> None:
    assert value_parser.date_in("1 May 2027 to 3 June 2027", "date") == "2027-05-01"
    assert value_parser.date_in("1 May 2027 to 3 June 2027", "date", last=True) == "2027-06-03"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("In stock", True), ("https://schema.org/InStock", True), ("Out of stock", False),
        ("https://schema.org/OutOfStock", False), ("Sold out", False), ("yes", True), ("No", False),
        ("Ships in 3 days", None),
    ],
)  # fmt: skip
def test_yes_and_no(text: str, value: object) -> None:
    assert value_parser.boolean_in(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [("€ 5", "EUR"), ("USD", "USD"), ("$5 / €4", None), ("5 kr", None), ("five", None)],
)
def test_currencies(text: str, value: str | None) -> None:
    assert value_parser.currency_in(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Full time", "FULL_TIME"), ("full-time, permanent", "FULL_TIME"),
        ("Part time", "PART_TIME"),
        ("full time or part time", None), ("not full time", None), ("whenever", None),
    ],
)  # fmt: skip
def test_one_of_several_options(text: str, value: str | None) -> None:
    assert value_parser.option_in(text, ["FULL_TIME", "PART_TIME"]) == value
