"""Citations of pages, complete and incomplete."""

from datetime import date

import pytest

from webquarry.content.citations.author_names import split_name
from webquarry.content.citations.page_citation import cite_page
from webquarry.models.page import PageMetadata

_DAY = date(2026, 11, 5)
_URL = "https://quarry.example/a"


def test_complete_page_in_three_styles() -> None:
    page = PageMetadata(
        title="The pit & the pond",
        authors=("Ann B. Stone", "Ludwig van Slate"),
        site="Quarry Notes",
        published="2024-05-06T07:08:09Z",
    )
    made = cite_page(page, _URL, _DAY).formatted
    assert made.apa == (
        "Stone, A. B., & van Slate, L. (2024, May 6). The pit & the pond. Quarry Notes. "
        "Retrieved November 5, 2026, from https://quarry.example/a"
    )
    assert made.mla == (
        "Stone, Ann B., and Ludwig van Slate. “The pit & the pond.” Quarry Notes, 6 May 2024, "
        "https://quarry.example/a. Accessed 5 Nov. 2026."
    )
    assert made.bibtex == (
        "@misc{stone2024pond,\n  author = {Stone, Ann B. and van Slate, Ludwig},\n"
        "  title = {{The pit \\& the pond}},\n  organization = {Quarry Notes},\n  year = {2024},\n"
        "  month = {may},\n  url = {https://quarry.example/a},\n  note = {Accessed: 2026-11-05}\n}"
    )


def test_a_page_without_metadata_has_no_invented_date() -> None:
    made = cite_page(PageMetadata(site="quarry.example"), _URL, _DAY)
    assert made.formatted.apa == (
        f"{_URL}. (n.d.). quarry.example. Retrieved November 5, 2026, from {_URL}"
    )
    assert made.metadata.date == ""


def test_article_with_a_doi_is_cited_by_it() -> None:
    made = cite_page(PageMetadata(title="On stone", published="2019-11", doi="10.1/x"), _URL, _DAY)
    assert made.formatted.apa == "On stone. (2019, November). https://doi.org/10.1/x"
    assert made.formatted.bibtex.startswith("@article{2019stone,")


def test_organisations_and_single_names_are_not_split() -> None:
    names = (
        "Reuters Staff",
        "Plato",
        "World Health Organization",
        "Stone, Ann",
        "Jean-Luc de la Pit",
    )
    assert [tuple(split_name(name)) for name in names] == [
        ("Reuters Staff", ""),
        ("Plato", ""),
        ("World Health Organization", ""),
        ("Stone", "Ann"),
        ("de la Pit", "Jean-Luc"),
    ]


@pytest.mark.parametrize(
    ("published", "apa"),
    [
        ("2024-Q1", "On stone. (2024). https://doi.org/10.1/x"),
        ("May 5, 2024", "On stone. (2024). https://doi.org/10.1/x"),
        ("2024-13-45", "On stone. (2024). https://doi.org/10.1/x"),
        ("spring", "On stone. (n.d.). https://doi.org/10.1/x"),
    ],
)
def test_a_date_in_another_form_is_cited_as_far_as_it_is_clear(published: str, apa: str) -> None:
    made = cite_page(PageMetadata(title="On stone", published=published, doi="10.1/x"), _URL, _DAY)
    assert made.formatted.apa == apa
