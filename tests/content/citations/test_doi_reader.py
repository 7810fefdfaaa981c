"""DOIs in the URLs of publishers and in texts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.doi_reader import doi_in, doi_in_url, doi_of

_TABLE = Path(__file__).with_name("publisher_urls.txt").read_text(encoding="utf-8")
URLS = [line.split() for line in _TABLE.splitlines() if not line.startswith("#")]


def test_the_doi_is_read_from_the_urls_of_publishers() -> None:
    read = {url: doi_in_url(url) or "-" for _, url in URLS}

    assert read == {url: doi for doi, url in URLS}
    assert len(read) >= 300


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("see https://doi.org/10.1038/nature12373.", "10.1038/nature12373"),
        ("(doi:10.1000/a(b)c)", "10.1000/a(b)c"),
        ("10.1/x and 10.1000/owl", "10.1000/owl"),
        ("no identifier", None),
        ("10.1016/xxxx", None),
        ("10.1016/xxxx or 10.1000/owl", "10.1000/owl"),
        ("DOI10.1000/owl", "10.1000/owl"),
        ("10.1000/owl,10.1000/tit", "10.1000/owl"),
        ("10.1000/owl;doi:10.1000/tit", "10.1000/owl"),
        ("[10.1000/owl](https://doi.org/10.1000/owl)", "10.1000/owl"),
        ("<a>10.1000/owl</a>", "10.1000/owl"),
        ("doi = {10.1007/978-3-030\\_5}", "10.1007/978-3-030_5"),
        ("10.1002/(SICI)1097-4636(199823)43:4<338::AID-JBM16>3.0.CO;2-B",
         "10.1002/(SICI)1097-4636(199823)43:4<338::AID-JBM16>3.0.CO;2-B"),
        ("10.1101/2020.01.01.891234v2", "10.1101/2020.01.01.891234"),
        ("10.1007/s00134-020-0001-1.pdf", "10.1007/s00134-020-0001-1"),
        ("论文 10.1000/owl。", "10.1000/owl"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0185809 (PLOS)",
         "10.1371/journal.pone.0185809"),
        ("Like https://www.nature.com/articles/nature12373", None),
    ],
)  # fmt: skip
def test_the_first_doi_in_a_text_is_read(text: str, doi: str | None) -> None:
    assert doi_in(text) == doi


@pytest.mark.parametrize(
    ("field", "doi"),
    [
        ("doi: 10.1000/owl", "10.1000/owl"),
        ("10.1000/owl.pdf", "10.1000/owl"),
        ("https://link.springer.com/article/10.1007/s00134-020-0001-1/fulltext.html",
         "10.1007/s00134-020-0001-1"),
        ("10.1000/a b", None),
        ("see the paper 10.1000/owl", None),
        ("10.1016/xxxx", None),
        ("", None),
        (None, None),
    ],
)  # fmt: skip
def test_a_field_holds_one_doi(field: str | None, doi: str | None) -> None:
    assert doi_of(field) == doi


@given(st.text(max_size=200))
def test_any_text_and_url_can_be_read(text: str) -> None:
    doi_in(text)
    doi_in_url(text)
    doi_in_url(f"https://example.org/10.1000/{text}")


@given(st.from_regex(r"10\.[1-9]\d{3,8}/[a-w]{4,}[0-9]{1,8}", fullmatch=True))
def test_a_doi_survives_every_view(doi: str) -> None:
    base = "https://journal.test/doi"

    forms = {
        f"{base}/{doi}", f"{base}/{doi}/", f"{base}/{doi}.pdf", f"{base}/full/{doi}",
        f"{base}/{doi}/fulltext", f"{base}/{doi}/figures/2", f"{base}/{doi}?a=b#c",
        f"{base}/{doi}/abstract;jsessionid=1", f"https://j.test/a?doi={doi}",
        f"https://web.archive.org/web/2020/{base}/{doi}.full.pdf+html",
    }  # fmt: skip

    assert {doi_in_url(form) for form in forms} == {doi}
