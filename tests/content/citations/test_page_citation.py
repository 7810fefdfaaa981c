"""Citations of pages, complete and incomplete."""

from datetime import date

import pytest

from webquarry.content.citations.author_names import split_name
from webquarry.content.citations.export import Reference, bibtex, with_keys
from webquarry.content.citations.page_citation import apa_list, cite_apa, cite_mla, cite_page
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
        "@misc{stone2024pit,\n  author = {Stone, Ann B. and van Slate, Ludwig},\n"
        "  title = {{The pit \\& the pond}},\n  organization = {Quarry Notes},\n  year = {2024},\n"
        "  month = {may},\n  date = {2024-05-06},\n  url = {https://quarry.example/a},\n"
        "  note = {Accessed: 2026-11-05}\n}"
    )


def test_a_page_and_a_bibliography_have_the_same_bibtex_but_for_the_day_of_access() -> None:
    page = PageMetadata(
        title="The pit & the pond", authors=("Ann B. Stone",), published="May 6, 2024", site="Notes"
    )
    listed = Reference(_URL, page.title, page.authors, page.site, page.published)

    cited = cite_page(page, _URL, _DAY).formatted.bibtex

    assert cited.replace(",\n  note = {Accessed: 2026-11-05}", "") == bibtex(with_keys([listed]))


def test_line_breaks_in_a_page_stay_out_of_its_citation() -> None:
    page = PageMetadata(
        title="On\nstone\u2028and\tpits", authors=("Ann\r\nStone",), site="Quarry\nNotes"
    )
    made = cite_page(page, f"{_URL}\nER  - ", _DAY).formatted
    assert made.apa == (
        "Stone, A. (n.d.). On stone and pits. Quarry Notes. "
        f"Retrieved November 5, 2026, from {_URL}%0AER%20%20-"
    )
    assert len(made.mla.splitlines()) == 1


def test_a_page_without_metadata_has_no_invented_date() -> None:
    made = cite_page(PageMetadata(site="quarry.example"), _URL, _DAY)
    assert made.formatted.apa == (
        f"{_URL}. (n.d.). quarry.example. Retrieved November 5, 2026, from {_URL}"
    )
    assert made.metadata.date == ""


def test_article_with_a_doi_is_cited_by_it() -> None:
    made = cite_page(PageMetadata(title="On stone", published="2019-11", doi="10.1/x"), _URL, _DAY)
    assert made.formatted.apa == "On stone. (2019, November). https://doi.org/10.1/x"
    assert made.formatted.bibtex.startswith("@article{2019on,")


def test_organisations_and_single_names_are_not_split() -> None:
    names = (
        "Reuters Staff",
        "Plato",
        "World Health Organization",
        "Stone, Ann",
        "Jean-Luc de la Pit",
    )
    assert [tuple(split_name(name)[:2]) for name in names] == [
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
        ("May 5, 2024", "On stone. (2024, May 5). https://doi.org/10.1/x"),
        ("5. Mai 2024", "On stone. (2024, May 5). https://doi.org/10.1/x"),
        ("Sept. 2024", "On stone. (2024, September). https://doi.org/10.1/x"),
        ("20240505", "On stone. (2024, May 5). https://doi.org/10.1/x"),
        ("05/06/2024", "On stone. (2024). https://doi.org/10.1/x"),
        ("2024-13-45", "On stone. (2024). https://doi.org/10.1/x"),
        ("2024-02-31", "On stone. (2024, February). https://doi.org/10.1/x"),
        ("c. 1859", "On stone. (1859). https://doi.org/10.1/x"),
        ("0000-01-01", "On stone. (n.d.). https://doi.org/10.1/x"),
        ("1699999999", "On stone. (n.d.). https://doi.org/10.1/x"),
        ("spring", "On stone. (n.d.). https://doi.org/10.1/x"),
    ],
)
def test_a_date_in_another_form_is_cited_as_far_as_it_is_clear(published: str, apa: str) -> None:
    made = cite_page(PageMetadata(title="On stone", published=published, doi="10.1/x"), _URL, _DAY)
    assert made.formatted.apa == apa


def test_two_works_of_an_author_in_a_year_are_told_apart() -> None:
    works = [
        Reference(_URL + "2", "Pits", ("Ann Stone",), published="2020-03"),
        Reference(_URL + "1", "Dust", ("Ann Stone",), published="2020"),
        Reference(_URL + "3", "Slate", ("Ann Stone",)),
        Reference(_URL + "4", "Ash", ("Ann Stone",)),
        Reference(_URL + "5", "Coal", ("Ann Stone",), published="2021"),
        Reference(_URL + "6", "Anonymous", published="2020"),
        Reference(_URL + "7", "Also anonymous", published="2020"),
    ]
    assert [entry.partition(" Retrieved")[0] for entry in apa_list(works, _DAY)] == [
        "Also anonymous. (2020).",
        "Anonymous. (2020).",
        "Stone, A. (2020a). Dust.",
        "Stone, A. (2020b, March). Pits.",
        "Stone, A. (2021). Coal.",
        "Stone, A. (n.d.-a). Ash.",
        "Stone, A. (n.d.-b). Slate.",
    ]


@pytest.mark.parametrize(
    ("authors", "apa", "mla"),
    [
        (("J.K. Rowling",), "Rowling, J. K. (n.d.)", "Rowling, J. K. “"),
        (("Hall, Peter A",), "Hall, P. A. (n.d.)", "Hall, Peter A. “"),
        (("Oliveira, Rafael C. de",), "Oliveira, R. C. de. (n.d.)", "Oliveira, Rafael C. de. “"),
        (("山田, 太郎", "Ann Stone"), "山田太郎, & Stone, A. (n.d.)", "山田太郎, and Ann Stone. “"),
        (("{Acme}", "{Owls Ltd.}"), "Acme & Owls Ltd. (n.d.)", "Acme and Owls Ltd. “"),
    ],
)
def test_names_keep_their_initials_particles_and_order(
    authors: tuple[str, ...], apa: str, mla: str
) -> None:
    reference = Reference(_URL, "On stone", authors)

    assert cite_apa(reference, _DAY).startswith(f"{apa}. On stone.")
    assert cite_mla(reference, _DAY).startswith(f"{mla}On stone.”")


def test_punctuation_of_titles_and_sites_is_not_doubled() -> None:
    reference = Reference(_URL, 'They said "no"', ("Ann Stone",), "J. Geol.")

    assert cite_apa(reference, _DAY).startswith("Stone, A. (n.d.). They said “no.” J. Geol. Retr")
    assert cite_mla(reference, _DAY).startswith(
        "Stone, Ann. “They said \u2018no.\u2019” J. Geol., https"
    )
