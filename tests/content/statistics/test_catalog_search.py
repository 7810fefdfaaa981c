"""Catalogues: all words must be in the name, the closest name comes first."""

import pytest

from webquarry.content.statistics import catalog_search
from webquarry.errors import PayloadError
from webquarry.models.series import SeriesItem, SeriesQuery


def entry(code: str, title: str, notes: str | None = None) -> SeriesItem:
    return SeriesItem(seriesId=code, title=title, notes=notes, source="office")


PACKED = catalog_search.serialize_catalog(
    [
        entry("naidq", "GDP and main components - quarterly growth"),
        entry("gdp_a", "Annual GDP"),
        entry("gdpx", "Regional gdpish accounts", "word " * 200),
        entry("une_rt_m", "Unemployment by sex and age - monthly data"),
        entry("une_rt_m", "Unemployment by sex and age - monthly data"),
    ],
    "office",
)


def ids(text: str, count: int = 5) -> list[str]:
    return [
        item.seriesId
        for item in catalog_search.search_catalog(PACKED, SeriesQuery(text=text, count=count)).items
    ]


def test_every_word_must_be_in_the_name_in_any_order() -> None:
    assert ids("quarterly GDP growth") == ["naidq"]
    assert ids("quarterly GDP wages") == []


def test_whole_words_come_before_parts_of_words() -> None:
    assert ids("gdp") == ["gdp_a", "naidq", "gdpx"]


def test_a_code_finds_its_entry_once() -> None:
    assert ids("UNE_RT_M") == ["une_rt_m"]


def test_matches_that_are_not_shown_are_counted() -> None:
    found = catalog_search.search_catalog(PACKED, SeriesQuery(text="gdp", count=1))

    assert found.notes == ("1 of 3 matches.",)


def test_a_long_description_is_cut_and_marked() -> None:
    (item,) = catalog_search.search_catalog(PACKED, SeriesQuery(text="gdpish", count=1)).items

    assert item.notes is not None
    assert len(item.notes) <= 402
    assert item.notes.endswith("word …")


def test_an_empty_catalogue_is_not_worth_keeping() -> None:
    with pytest.raises(PayloadError, match="its catalogue is empty"):
        catalog_search.serialize_catalog([], "office")
