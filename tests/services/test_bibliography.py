"""Lists of references: the same every time, and nothing a title says can break them."""

import json
from datetime import date
from importlib import import_module
from typing import Any

import pytest
from bibtexparser.entrypoint import parse_string
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webquarry.content.citations.export import Reference
from webquarry.errors import BadInputError
from webquarry.services.bibliography import bibliography, check_style

_rispy: Any = import_module("rispy")  # its types are not told
TODAY = date(2026, 11, 2)
PAPER = Reference(
    url="https://p.test/attention",
    title="Attention Is All You Need",
    authors=("Ashish Vaswani", "Noam Shazeer"),
    site="NeurIPS",
    published="2017-06-12",
    doi="10.5555/3295222",
)
PAGE = Reference(url="https://b.test/owls", title="Barn owls", site="Bird Notes")


def test_styles_for_readers_are_sorted_by_their_line() -> None:
    text, count = bibliography([PAPER, PAGE, PAPER], "apa", TODAY)

    assert count == 2
    assert text.split("\n\n") == sorted(text.split("\n\n"))
    assert "Vaswani, A., & Shazeer, N. (2017, June 12). Attention is all you need" in text or (
        "Vaswani, A., & Shazeer, N. (2017, June 12). Attention Is All You Need" in text
    )


def test_bibtex_can_be_read_back() -> None:
    text, count = bibliography([PAPER, PAGE], "bibtex", TODAY)

    found = parse_string(text)
    assert count == len(found.entries) == 2
    entry = found.entries_dict["vaswani2017attention"]
    assert entry.entry_type == "article"
    assert entry.fields_dict["doi"].value == "10.5555/3295222"


def test_ris_can_be_read_back() -> None:
    text, _ = bibliography([PAPER, PAGE], "ris", TODAY)

    found = {entry["id"]: entry for entry in _rispy.loads(text)}
    assert found["vaswani2017attention"]["type_of_reference"] == "JOUR"
    assert found["vaswani2017attention"]["authors"] == ["Vaswani, Ashish", "Shazeer, Noam"]
    assert found["birdnotesbarn"]["type_of_reference"] == "ELEC"


def test_csl_json_has_names_as_they_are_written() -> None:
    text, _ = bibliography([PAPER], "csl-json", TODAY)

    assert json.loads(text) == [
        {
            "id": "vaswani2017attention",
            "type": "article-journal",
            "title": "Attention Is All You Need",
            "author": [{"literal": "Ashish Vaswani"}, {"literal": "Noam Shazeer"}],
            "issued": {"date-parts": [[2017, 6, 12]]},
            "container-title": "NeurIPS",
            "DOI": "10.5555/3295222",
            "URL": "https://p.test/attention",
        }
    ]


@pytest.mark.parametrize(
    ("asked", "marks"),
    [
        ("ieee", ("[2] A. Vaswani and N. Shazeer", "doi: 10.5555/3295222")),
        ("chicago", ("Vaswani", "2017", "10.5555/3295222")),
        ("vancouver", ("Vaswani A, Shazeer N", "2017")),
        ("harvard", ("Vaswani, A.", "(2017)")),
        ("nature", ("Vaswani, A.", "2017")),
    ],
)
def test_any_csl_style_goes_by_its_name(asked: str, marks: tuple[str, ...]) -> None:
    text, count = bibliography([PAPER, PAGE], check_style(asked), TODAY)

    assert count == 2
    assert [mark for mark in marks if mark not in text] == []


@pytest.mark.parametrize("style", ["", "apaa", "../../etc/passwd", "chicago-author-dat"])
def test_an_unknown_style_is_named_with_what_there_is(style: str) -> None:
    with pytest.raises(BadInputError, match="style: unknown style"):
        check_style(style)


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(BadInputError, match=r"did you mean .*chicago-author-date"):
        check_style("chicago-author-dat")


ODD = st.text(
    alphabet=st.sampled_from('aB1 {}\\@,="\n\r\t\x00\x0b\x85%$#&_~^<>-/:éß中\u2028TYER'),
    max_size=30,
)
DATES = st.one_of(
    ODD,
    st.sampled_from(["March 3, 2021", "2021-13-01", "2021-02-31", "0000", "99999", "2021\nER  - "]),
)
FIELDS = st.tuples(ODD, ODD, ODD, DATES, st.one_of(st.just(""), st.just("10.1/x\nTY  - JOUR")))


def _records(text: str, style: str) -> int:
    """Count the records of a bibliography as a program that imports it does."""
    if style == "ris":
        return len(_rispy.loads(text))
    if style == "csl-json":
        return len(json.loads(text))
    if style == "bibtex":
        return len(parse_string(text).entries)
    return len(text.split("\n\n"))


@settings(max_examples=60, deadline=None)
@given(st.lists(FIELDS, min_size=1, max_size=4))
@example([("A", ",", "", "", ""), ("B", " \n", "", "", "")])
@example([("B", "", "", "", ""), ("B", "", "", "", ""), ("B", "B", "", "", "")])
@example([("T\n\nER  - \n\nTY  - JOUR", "Ada\n\nB", "S\n\nS", "March 3, 2021", "10.1/x\n\nTY")])
def test_no_field_breaks_out_of_its_record(made: list[tuple[str, str, str, str, str]]) -> None:
    listed = [
        Reference(f"https://x.test/{n}\n\n{title}", title, (author,), site, published, doi)
        for n, (title, author, site, published, doi) in enumerate(made)
    ]

    for style in ("apa", "mla", "bibtex", "ris", "csl-json", "ieee"):
        text, count = bibliography(listed, style, TODAY)
        again, _ = bibliography(list(reversed(listed)), style, TODAY)
        assert text == again
        assert count == _records(text, style) == len(made)


def test_a_bad_date_does_not_lose_the_list() -> None:
    listed = [PAPER, PAGE._replace(published="2021-13-01")]

    text, count = bibliography(listed, "apa", TODAY)

    assert count == 2
    assert "Barn owls. (2021). Bird Notes." in text
