"""What a registry did not apply is applied to its records."""

from typing import Any

import pytest

from webquarry.models.patents import AssigneeCluster, Patent, PatentQuery
from webquarry.services.patents.patent_filters import FILTERS, assignee_clusters, filter_patents


def patent(number: str = "US11000001B2", **more: Any) -> Patent:
    return Patent(title=number, number=number, url=f"https://p.test/{number}", **more)


FULL = patent(
    assignee="Damco AS",
    inventor="Kari Lie",
    filed="2018-01-05",
    inventors=("Kari Lie", "OLSEN PER [NO]"),
    classes=("F25B30/02",),
)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"number": "US11000001"}, True),
        ({"number": "US11000002"}, False),
        ({"office": "US"}, True),
        ({"office": "EP"}, False),
        ({"assignee": "damco"}, True),
        ({"assignee": "Other"}, False),
        ({"inventor": "Per Olsen"}, True),
        ({"inventor": "Per Hansen"}, False),
        ({"cpc": "F25B"}, True),
        ({"cpc": "f25b 30/02"}, True),
        ({"cpc": "G06F"}, False),
        ({"filed_from": 2018}, True),
        ({"filed_from": 2019}, False),
        ({"filed_to": 2018}, True),
        ({"filed_to": 2017}, False),
    ],
)
def test_each_filter_keeps_what_fits(wanted: dict[str, Any], *, fits: bool) -> None:
    kept, notes = filter_patents([FULL], PatentQuery(**wanted), frozenset())

    assert (kept, notes) == ([FULL] if fits else [], [])


def test_every_filter_of_a_query_has_a_check() -> None:
    assert set(FILTERS) == set(PatentQuery.model_fields) - {"text", "count"}


def test_patents_that_cannot_be_checked_are_left_out_and_noted() -> None:
    kept, notes = filter_patents([patent(), FULL], PatentQuery(filed_from=2010), frozenset())

    assert kept == [FULL]
    assert notes == ["1 left out because year_from could not be checked."]


def test_what_the_registry_applied_is_believed() -> None:
    silent = patent()

    assert filter_patents([silent], PatentQuery(cpc="F25B"), frozenset({"cpc"})) == ([silent], [])


def test_owners_are_counted_whatever_their_name_is_spelt_like() -> None:
    owned = [
        patent("US1000001", assignee="Acme, Inc."),
        patent("US1000002", assignee="Damco AS"),
        patent("US1000003", assignee="ACME INC"),
        patent("US1000004"),
    ]

    assert assignee_clusters(owned) == (
        AssigneeCluster(assignee="Acme", count=2, numbers=("US1000001", "US1000003")),
        AssigneeCluster(assignee="Damco", count=1, numbers=("US1000002",)),
    )
