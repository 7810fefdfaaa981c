"""People and organisations among authors."""

from datetime import date

import pytest

from webquarry.content.citations.author_names import Name, split_authors, split_name
from webquarry.content.citations.export import KeyedReference, Reference, bibtex_entry, csl_items
from webquarry.content.citations.page_citation import cite_apa, cite_mla, cite_page
from webquarry.content.html.read_html import read_html
from webquarry.models.page import PageMetadata

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    "name",
    [
        "Mayo Clinic", "The New York Times", "New York Times", "National Institutes of Health",
        "World Health Organization", "Centers for Disease Control and Prevention",
        "Food and Drug Administration", "Amnesty International", "Human Rights Watch",
        "Associated Press", "Washington Post", "World Bank", "Our World in Data",
        "European Commission", "Johns Hopkins Hospital", "Wall Street Journal", "BBC News",
        "Ministry of Health, Labour and Welfare", "Bank of America", "{Deutsche Welle}",
    ],
)  # fmt: skip
def test_an_organization_is_not_split(name: str) -> None:
    assert split_name(name) == Name(name.strip("{}"), "")


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("Marie Curie", Name("Curie", "Marie")),
        ("Emily Post", Name("Post", "Emily")),
        ("Alonzo Church", Name("Church", "Alonzo")),
        ("Press, William H.", Name("Press", "William H.")),
        ("Ludwig van Beethoven", Name("van Beethoven", "Ludwig")),
        ("Martin Luther King Jr.", Name("King", "Martin Luther", "Jr.")),
        ("Martin Luther King Jr", Name("King", "Martin Luther", "Jr.")),
        ("Martin Luther King, Jr.", Name("King", "Martin Luther", "Jr.")),
        ("King, Martin Luther, Jr.", Name("King", "Martin Luther", "Jr.")),
        ("Henry Louis Gates III", Name("Gates", "Henry Louis", "III")),
    ],
)
def test_a_person_has_family_and_given_name(name: str, split: Name) -> None:
    assert split_name(name) == split


def test_the_name_of_one_organization_is_not_two_authors() -> None:
    assert split_authors("Food and Drug Administration") == ("Food and Drug Administration",)
    assert split_authors("Ada Owl and Mayo Clinic; Bo Li") == ("Ada Owl", "Mayo Clinic", "Bo Li")


def cited(*authors: str) -> tuple[str, str]:
    reference = Reference("https://owls.test/", "Owls", authors, "", "2020")
    apa, mla = cite_apa(reference, TODAY), cite_mla(reference, TODAY)
    return apa.partition(" Owls.")[0], mla.partition(" \u201c")[0]


def test_citations_name_organizations_and_suffixes() -> None:
    assert cited("Mayo Clinic") == ("Mayo Clinic. (2020).", "Mayo Clinic.")
    assert cited("Martin Luther King Jr.") == (
        "King, M. L., Jr. (2020).", "King, Martin Luther, Jr.",
    )  # fmt: skip
    assert cited("Ada Owl") == ("Owl, A. (2020).", "Owl, Ada.")


def test_exports_keep_organizations_and_suffixes() -> None:
    reference = Reference("https://owls.test/", "Owls", ("Mayo Clinic", "Martin Luther King Jr."))

    (item,) = csl_items([KeyedReference("k", reference)])
    assert item["author"] == [
        {"literal": "Mayo Clinic"},
        {"family": "King", "given": "Martin Luther", "suffix": "Jr."},
    ]
    assert "author = {{Mayo Clinic} and King, Jr., Martin Luther}" in bibtex_entry("k", reference)


def test_a_page_declares_which_authors_are_organizations() -> None:
    html = b"""<html><head><title>Owls</title><script type="application/ld+json">
        {"@type": "NewsArticle", "headline": "Owls", "author": [
          {"@type": "NewsMediaOrganization", "name": "Deutsche Welle"},
          {"@type": "Person", "name": "Ada Owl"}]}
        </script></head><body><p>Owls hunt at night.</p></body></html>"""

    metadata = read_html(html, url="https://owls.test/").metadata
    citation = cite_page(metadata, "https://owls.test/", TODAY)

    assert metadata.organizations == ("Deutsche Welle",)
    assert citation.formatted.apa.startswith("Deutsche Welle, & Owl, A. (n.d.).")


def test_the_site_as_author_is_an_organization() -> None:
    metadata = PageMetadata(title="Owls", authors=("Bleep Owl",), site="Bleep Owl")

    assert cite_page(metadata, "https://owls.test/", TODAY).formatted.apa.startswith(
        "Bleep Owl. (n.d.). Owls. Retrieved"
    )
