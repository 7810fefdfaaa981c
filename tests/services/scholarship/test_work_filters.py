"""The wishes of a caller, applied afterwards."""

from typing import Any

import pytest

from tests.services.scholarship.fakes import work
from webquarry.models.works import WorkQuery
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.services.scholarship.work_filters import (
    FilteredWorks,
    cannot_judge_source,
    comes_from,
    filter_works,
    local_filters,
    newest_first,
    requested_filters,
    with_margin,
)

EVERYTHING = WorkQuery(
    text="owls",
    count=5,
    year_from=2020,
    year_to=2021,
    source="nature",
    open_access=True,
    pdf_only=True,
    newest=True,
)
FITS = work(year=2020, doi="10.1038/x", openAccess=True, pdfUrl="https://example.org/x.pdf")


def test_only_what_fits_every_wish_is_kept() -> None:
    misfits = [
        FITS.model_copy(update=wrong)
        for wrong in (
            {"year": 2019},
            {"year": 2022},
            {"doi": "10.1000/x"},
            {"openAccess": False},
            {"pdfUrl": None},
        )
    ]

    assert filter_works([*misfits, FITS], EVERYTHING, {}) == FilteredWorks([FITS], {})


def test_what_a_record_does_not_show_is_left_out_and_counted() -> None:
    unclear = [FITS.model_copy(update=gap) for gap in ({"year": None}, {"openAccess": None})]

    assert filter_works(unclear, EVERYTHING, {}) == FilteredWorks(
        [], {"year_from": 1, "open_access": 1}
    )


def test_a_provider_that_was_told_the_wish_is_believed_where_the_record_is_silent() -> None:
    silent = FITS.model_copy(update={"year": None, "openAccess": None})
    told: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("year_from", "year_to", "open_access"), ("openalex",)
    )

    assert filter_works([silent], EVERYTHING, told).works == [silent]
    late = FITS.model_copy(update={"year": 2023})
    assert filter_works([late], EVERYTHING, told).works == []


def test_a_year_that_only_one_provider_tells_counts() -> None:
    disputed = FITS.model_copy(update={"year": 2022, "conflicts": {"year": {"arxiv": 2021}}})

    assert filter_works([disputed], EVERYTHING, {}).works == [disputed]


@pytest.mark.parametrize(
    ("told", "source", "verdict"),
    [
        ({"ids": {"arxiv": "2101.00001"}}, "arxiv", True),
        ({"url": "https://arxiv.org/abs/2101.00001"}, "arxiv", True),
        ({"doi": "10.1000/x"}, "arxiv", None),
        ({"ids": {"pmid": "1"}}, "pubmed", True),
        ({"doi": "10.1109/x"}, "ieee", True),
        ({"doi": "10.1000/x"}, "ieee", False),
        ({"doi": "10.1000/x", "journal": "IEEE Access"}, "ieee", True),
        ({}, "springer", None),
        ({"doi": "10.1007/x"}, "springer", True),
    ],
)
def test_identifiers_tell_where_a_work_comes_from(
    told: dict[str, Any], source: str, *, verdict: bool | None
) -> None:
    assert comes_from(work(**told), source) is verdict


def test_more_is_asked_for_when_some_will_be_taken_away() -> None:
    able = WorkSearchSupport(
        max_results=100,
        filters=frozenset({"years", "open_access", "pdf_only", "newest"}),
        sources=frozenset({"nature"}),
    )

    assert with_margin(EVERYTHING, able).count == 5
    assert with_margin(EVERYTHING, WorkSearchSupport(max_results=100)).count == 20
    assert with_margin(EVERYTHING, WorkSearchSupport(max_results=12)).count == 12
    assert local_filters(EVERYTHING, able) == []
    assert local_filters(EVERYTHING, WorkSearchSupport(max_results=10)) == [
        *requested_filters(EVERYTHING),
        "sort_by",
    ]


def test_a_source_nobody_can_judge_is_known_as_such() -> None:
    assert cannot_judge_source(EVERYTHING, WorkSearchSupport(max_results=10))
    assert not cannot_judge_source(
        EVERYTHING, WorkSearchSupport(max_results=10, recognised_sources=frozenset({"nature"}))
    )
    assert not cannot_judge_source(WorkQuery(text="owls"), WorkSearchSupport(max_results=10))


def test_the_newest_come_first_and_the_undated_last() -> None:
    dates = ["2020", None, "2021-03", "2021-11-02"]
    works = [work(n, published=date) for n, date in enumerate(dates)]

    assert [w.published for w in newest_first(works)] == ["2021-11-02", "2021-03", "2020", None]
