"""Company, form and year in the text of a query."""

import pytest

from webquarry.models.records import FilingQuery
from webquarry.providers._edgar_query import (
    UnderstoodQuery,
    canonical_form,
    understand,
    with_parts,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Apple 10-K", UnderstoodQuery("Apple", "10-K")),
        ("apple 10k 2023", UnderstoodQuery("apple", "10-K", 2023)),
        ("Apple annual report 2023", UnderstoodQuery("Apple", "10-K", 2023)),
        ("Microsoft quarterly report", UnderstoodQuery("Microsoft", "10-Q")),
        ("Tesla form 8-K FY2022", UnderstoodQuery("Tesla", "8-K", 2022)),
        ("Tesla DEF14A", UnderstoodQuery("Tesla", "DEF 14A")),
        ("Tesla form 4", UnderstoodQuery("Tesla", "4")),
        ("Apple 10-K/A", UnderstoodQuery("Apple", "10-K/A")),
        ("Apple", UnderstoodQuery("Apple")),
        ("S&P Global", UnderstoodQuery("S&P Global")),
        ("3M", UnderstoodQuery("3M")),
    ],
)
def test_a_query_is_divided(text: str, parts: UnderstoodQuery) -> None:
    assert understand(text) == parts


@pytest.mark.parametrize(
    ("written", "form"),
    [("10K", "10-K"), ("10 k", "10-K"), ("10-k/a", "10-K/A"), ("8K", "8-K"), ("s1", "S-1"),
     ("DEF14A", "DEF 14A"), ("def 14a", "DEF 14A"), ("20f", "20-F"), ("13F", "13F-HR"), ("4", "4"),
     ("SC 13G", "SC 13G"), ("424B2", "424B2"), ("NPORT-P", "NPORT-P")],
)  # fmt: skip
def test_a_form_is_written_as_the_sec_writes_it(written: str, form: str) -> None:
    assert canonical_form(written) == form


def test_an_annual_report_may_be_filed_in_the_next_year() -> None:
    query = with_parts(FilingQuery(text="x"), UnderstoodQuery("x", "10-K", 2023))

    assert (query.form, query.since, query.until) == ("10-K", "2023-01-01", "2024-06-30")


def test_given_arguments_win() -> None:
    given = FilingQuery(text="x", form="8-K", since="2020-01-01")

    assert with_parts(given, UnderstoodQuery("x", "10-K", 2023)) == given
