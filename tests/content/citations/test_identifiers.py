"""Identifiers of scholarly works."""

import pytest

from webquarry.content.citations.identifiers import (
    arxiv_id,
    clean_doi,
    is_identifier,
    pmc_id,
    preprint_id,
    pubmed_id,
)


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1038/nature12373", "10.1038/nature12373"),
        ("https://doi.org/10.1038/Nature12373", "10.1038/Nature12373"),
        ("http://dx.doi.org/10.1000%2Fa%28b%29", "10.1000/a(b)"),
        ("doi: 10.1016/S0140-6736(97)11096-0.", "10.1016/S0140-6736(97)11096-0"),
        ("(10.1000/owl.1)", None),
        ("10.1000/owl.1)", "10.1000/owl.1"),
        ("10.1002/(sici)1097-4636(199823)43:4<338::aid-jbm16>3.0.co;2-b",
         "10.1002/(sici)1097-4636(199823)43:4<338::aid-jbm16>3.0.co;2-b"),
        ("10.1234/example", "10.1234/example"),
    ],
)  # fmt: skip
def test_a_doi_is_read_in_its_own_case(written: str, doi: str | None) -> None:
    assert clean_doi(written) == doi


@pytest.mark.parametrize(
    "written",
    [
        None, "", "none", "10.1000", "10.1000/", "10.12/x", "doi.org", "10.0000/abc",
        "10.1016/xxxx",        "10.1016/xxxxx.xxxx", "10.1016/0000000", "10.1016/placeholder",
        "10.1016/n/a", "10.1000/a b",        "10.XXXX/abc", "10.1038/TBD", "https://example.org/10.1000/x",
    ],
)  # fmt: skip
def test_placeholders_and_malformed_ones_are_no_doi(written: str | None) -> None:
    assert clean_doi(written) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("https://arxiv.org/abs/2304.05376v2", "2304.05376"),
        ("http://arxiv.org/pdf/2304.05376.pdf", "2304.05376"),
        ("arXiv:astro-ph/0601001", "astro-ph/0601001"),
        ("10.48550/arXiv.2304.05376", "2304.05376"),
        ("2304.05376", "2304.05376"),
        ("https://example.org/2304.05376", None),
        ("A paper of 2304.05376 words", None),
        (None, None),
    ],
)
def test_arxiv_numbers_lose_their_version(text: str | None, number: str | None) -> None:
    assert arxiv_id(text) == number


def test_other_identifiers_take_one_form() -> None:
    assert pmc_id("https://www.ncbi.nlm.nih.gov/pmc/articles/12008803") == "PMC12008803"
    assert pmc_id("PMC12") == pmc_id("12") == "PMC12"
    assert pubmed_id("https://pubmed.ncbi.nlm.nih.gov/38572751/") == "38572751"
    assert pubmed_id("pmid:5") == pubmed_id("5") == "5"
    assert pubmed_id("10.1000/x") is None


def test_a_preprint_number_needs_a_server_that_claims_it() -> None:
    doi = "10.1101/2024.04.01.587366"

    assert preprint_id(doi, "bioRxiv") == preprint_id(doi, None, "www.medrxiv.org")
    assert preprint_id(doi, "bioRxiv") == "2024.04.01.587366"
    assert preprint_id(doi, "Genes & Development") is None
    assert preprint_id("10.1101/gad.1", "bioRxiv") is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("10.1000/x", True), ("arXiv:2304.05376", True), ("PMID:123", True), ("pmcid: PMC5", True),
        ("W2741809807", True), ("a" * 40, True), ("Owls hear well", False), ("2020", False),
    ],
)  # fmt: skip
def test_an_identifier_names_one_work(text: str, *, named: bool) -> None:
    assert is_identifier(text) is named
