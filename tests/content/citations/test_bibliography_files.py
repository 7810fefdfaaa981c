"""Lists of references, whole and broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.bib_entry import BadEntry, BibEntry
from webquarry.content.citations.bibliography_files import detect_format, read_bibliography

OWLS = BibEntry(
    line=1,
    title="Barn owls of Zürich",
    authors=("Müller, Jürg", "Ann Lee"),
    date="2017-05",
    venue="Bird Notes",
    pages="12-19",
    doi="10.1/owl",
    url="https://b.test/owls",
    kind="article",
)
BIBTEX = r"""@article{owls, title = {Barn owls of {Z}{\"u}rich},
  author = {M{\"u}ller, J{\"u}rg and Ann Lee},
  journal = "Bird Notes", year = 2017, month = may, pages = {12--19}, doi = {10.1/owl},
  url = {https://b.test/owls}}
"""
RIS = """TY  - JOUR
TI  - Barn owls of Zürich
AU  - Müller, Jürg
AU  - Ann Lee
DA  - 2017/05
T2  - Bird Notes
SP  - 12
EP  - 19
DO  - 10.1/owl
UR  - https://b.test/owls
ER  -
"""
CSL = """[{"id": "owls", "type": "article-journal", "title": "Barn owls of Zürich",
 "author": [{"family": "Müller", "given": "Jürg"}, {"literal": "Ann Lee"}, null],
 "issued": {"date-parts": [[2017, 5]]}, "container-title": ["Bird Notes"], "page": "12-19",
 "DOI": "10.1/owl", "URL": "https://b.test/owls"}]"""


@pytest.mark.parametrize(("form", "text"), [("bibtex", BIBTEX), ("ris", RIS), ("csl-json", CSL)])
def test_every_format_tells_the_same(form: str, text: str) -> None:
    assert read_bibliography(text) == (form, [OWLS], [])
    assert read_bibliography("\ufeff" + text, form).entries == [OWLS]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (r"howpublished={\url{https://b.test/~a_b?x=1&y=%20}}",
         BibEntry(1, url="https://b.test/~a_b?x=1&y=%20")),
        (r'howpublished="\url{https://b.test/a\_b}"', BibEntry(1, url="https://b.test/a_b")),
        (r"note={Online: \href{https://b.test/x}{here}. Accessed May 2020}",
         BibEntry(1, url="https://b.test/x")),
        ("note={doi: 10.1000/owl.1}", BibEntry(1, doi="10.1000/owl.1")),
        ("url={https://b.test/~a?x=1&y=%20z#top}", BibEntry(1, url="https://b.test/~a?x=1&y=%20z#top")),
        ("eprint={1706.03762v5}, archivePrefix={arXiv}", BibEntry(1, arxiv="1706.03762")),
        ("eprint={hep-th/9901001}, eprinttype={arxiv}", BibEntry(1, arxiv="hep-th/9901001")),
        ("eprint={2020-17}, archivePrefix={IACR}", BibEntry(1)),
        ("journal={arXiv preprint arXiv:1706.03762}",
         BibEntry(1, venue="arXiv preprint arXiv:1706.03762", arxiv="1706.03762")),
        ("title={Under 5% of owls &amp; mice}", BibEntry(1, title="Under 5% of owls & mice")),
        ("note={PMID: 23903748}", BibEntry(1, pmid="23903748")),
        ("pmid={23903748}, isbn={978-0-13-468599-1}, volume={7}",
         BibEntry(1, pmid="23903748", isbn="978-0-13-468599-1", volume="7")),
    ],
)  # fmt: skip
def test_fields_of_bibtex_are_read(fields: str, expected: BibEntry) -> None:
    assert read_bibliography(f"@misc{{a, {fields}}}").entries == [expected]


def test_a_link_of_ris_is_read_from_any_of_its_tags() -> None:
    text = "TY  - JOUR\nTI  - A\nLK  - https://b.test/1\nAN  - PMID: 3\nER  - \n"
    noted = "TY  - BOOK\nTI  - A\nN1  - https://doi.org/10.1000/owl.1\nSN  - 978-0\nER  - \n"

    assert read_bibliography(text + noted).entries == [
        BibEntry(1, title="A", url="https://b.test/1", kind="article", pmid="3"),
        BibEntry(
            6,
            title="A",
            doi="10.1000/owl.1",
            url="https://doi.org/10.1000/owl.1",
            kind="book",
            isbn="978-0",
        ),
    ]


def test_a_publisher_is_not_a_venue() -> None:
    text = "@book{a, title={Owls}, publisher={Owl Press}, organization={ACM}}"

    assert read_bibliography(text).entries == [BibEntry(1, title="Owls", kind="book")]


def test_a_bibtex_entry_with_a_missing_brace_is_read_line_by_line() -> None:
    text = "@misc{a,\n  title = {Sparks of {GPT},\n  author = {Ann Lee and Bo Ma{\\'e},\n}\n"

    assert read_bibliography(text) == (
        "bibtex",
        [BibEntry(1, title="Sparks of GPT", authors=("Ann Lee", "Bo Maé"))],
        [],
    )


def test_a_malformed_bibtex_entry_is_reported_with_its_line_and_the_others_are_parsed() -> None:
    text = (
        "@article{a, title={First}}\n"
        "@article{b, title={never closed, year=2020}\n\n"
        "@misc{c, title={Third}}\n@misc{c, title={Same key}}\n"
    )

    found = read_bibliography(text)

    assert [(entry.line, entry.title) for entry in found.entries] == [
        (1, "First"),
        (4, "Third"),
        (5, "Same key"),
    ]
    assert [entry.line for entry in found.bad] == [2]


def test_a_malformed_ris_record_is_reported_and_the_others_are_parsed() -> None:
    text = "ER  - \nTY  - JOUR\nTI  - No end\n\nTY  - ELEC\nTI  - Third\nER  - \nstray\n"

    found = read_bibliography(text)

    assert [(entry.line, entry.title) for entry in found.entries] == [(2, "No end"), (5, "Third")]
    assert found.bad == [
        BadEntry(1, "ER without a preceding TY"),
        BadEntry(8, "text outside of a record"),
    ]


def test_a_malformed_csl_item_is_reported_by_its_number() -> None:
    found = read_bibliography('[{"title": "One"}, 7, {"title": "Three"}]')

    assert [(entry.line, entry.title) for entry in found.entries] == [(1, "One"), (3, "Three")]
    assert found.bad == [BadEntry(2, "it is not an object")]


@pytest.mark.parametrize("text", ["", "Müller, J. (2017). Barn owls.", "hello"])
def test_a_text_that_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither CSL-JSON nor RIS nor BibTeX"):
        detect_format(text)


def test_json_that_is_torn_is_refused() -> None:
    with pytest.raises(ValueError, match="it is not valid JSON"):
        read_bibliography('[{"title": ')


@given(st.sampled_from(["@article{", "TY  - JOUR\n", "["]), st.text(max_size=80))
def test_no_text_makes_it_crash(start: str, rest: str) -> None:
    try:
        found = read_bibliography(start + rest)
    except ValueError:
        return
    assert all(entry.line >= 1 for entry in (*found.entries, *found.bad))
