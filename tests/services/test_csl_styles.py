"""Entries of CSL styles that the processor alone would write wrongly."""

from datetime import date

import pytest

from webquarry.content.citations.export import Reference
from webquarry.services.bibliography import bibliography, check_style

TODAY = date(2026, 11, 18)
URL = "https://b.test/x"
DOI = "10.1000/owl.1"


@pytest.mark.parametrize(
    ("style", "reference", "entry"),
    [
        (
            "chicago",
            Reference(URL, "Barn owls", site="Bird Notes", published="2020"),
            "Bird Notes. 2020. “Barn Owls.” https://b.test/x.",
        ),
        (
            "chicago",
            Reference(URL, "Barn owls", site="J. Owl.", published="2020-02"),
            "J. Owl. 2020. “Barn Owls.” February. https://b.test/x.",
        ),
        (
            "chicago",
            Reference(URL, "Barn owls", site="Bird Notes", published="2020", doi=DOI),
            "“Barn Owls.” 2020. Bird Notes. https://doi.org/10.1000/owl.1.",
        ),
        (
            "harvard",
            Reference(URL, "Barn owls", site="Bird Notes", published="2020", doi=DOI),
            "Bird Notes (2020) \u2018Barn owls\u2019. Available at: https://doi.org/10.1000/owl.1.",
        ),
        (
            "harvard",
            Reference(URL, "Barn owls", site="Bird Notes", published="2020"),
            "Barn owls (2020) Bird Notes. "
            "Available at: https://b.test/x (Accessed: 18 November 2026).",
        ),
    ],
)
def test_what_stands_for_an_author_is_not_repeated(
    style: str, reference: Reference, entry: str
) -> None:
    assert bibliography([reference], check_style(style), TODAY) == (entry, 1)


@pytest.mark.parametrize(
    ("style", "title", "entry"),
    [
        (
            "ieee",
            'The "quiet" owl',
            "[1] A. Stone, “The \u2018quiet\u2019 owl,” Owls, doi: 10.1000/owl.1.",
        ),
        (
            "ieee",
            'She said "no"',
            "[1] A. Stone, “She said \u2018no,\u2019” Owls, doi: 10.1000/owl.1.",
        ),
        (
            "chicago",
            "Why owls?",
            "Stone, Ann. n.d. “Why Owls?” Owls. https://doi.org/10.1000/owl.1.",
        ),
        ("chicago", "On owls.", "Stone, Ann. n.d. “On Owls.” Owls. https://doi.org/10.1000/owl.1."),
    ],
)
def test_punctuation_at_the_end_of_a_title_is_not_doubled(
    style: str, title: str, entry: str
) -> None:
    reference = Reference(URL, title, ("Ann Stone",), "Owls", doi=DOI)

    assert bibliography([reference], check_style(style), TODAY) == (entry, 1)


@pytest.mark.parametrize(
    ("author", "entry"),
    [
        ("山田, 太郎", "[1] 山田太郎, “Owls,” Notes, doi: 10.1000/owl.1."),
        ("Oliveira, Rafael C. de", "[1] R. C. de Oliveira, “Owls,” Notes, doi: 10.1000/owl.1."),
        ("J.R.R. Tolkien", "[1] J. R. R. Tolkien, “Owls,” Notes, doi: 10.1000/owl.1."),
        ("Martin Luther King, Jr.", "[1] M. L. King Jr., “Owls,” Notes, doi: 10.1000/owl.1."),
    ],
)
def test_names_keep_their_order_particles_and_initials(author: str, entry: str) -> None:
    reference = Reference(URL, "Owls", (author,), "Notes", doi=DOI)

    assert bibliography([reference], "ieee", TODAY) == (entry, 1)


@pytest.mark.parametrize(
    ("style", "entry"),
    [
        ("nature", "1. Barn owls. Owls https://doi.org/10.1000/owl.1 (2020)."),
        ("the-holocene", "Barn owls (2020) Owls: doi:10.1000/owl.1."),
        ("american-journal-of-archaeology", "Anon. 2020. “Barn Owls.” Owls. doi:10.1000/owl.1."),
    ],
)
def test_a_doi_is_printed_once(style: str, entry: str) -> None:
    reference = Reference(
        f"https://doi.org/{DOI}", "Barn owls", site="Owls", published="2020", doi=DOI
    )

    assert bibliography([reference], check_style(style), TODAY) == (entry, 1)


def test_a_host_keeps_its_full_stops() -> None:
    reference = Reference(URL, "Owls", ("Ann Stone",), "owls.test", "2020", DOI)

    text, _ = bibliography([reference], check_style("vancouver"), TODAY)

    assert text == "1. Stone A. Owls. owls.test. 2020. doi:10.1000/owl.1"
