"""Articles in JATS by section."""

import pytest

from tests.content.papers.samples import JATS
from webquarry.content.papers.jats import read_jats
from webquarry.errors import PayloadError
from webquarry.models.paper_text import PaperFigure, PaperReference, PaperSection, PaperText

OWLS = PaperText(
    title="Owls hear well",
    authors=("Ada Strix", "Owl Group"),
    journal="Journal of Owls",
    published="2021-03-04",
    doi="10.1000/owl.1",
    licence="https://creativecommons.org/licenses/by/4.0/",
    version="published version",
    language="en",
    sections=(
        PaperSection(title="Abstract", level=1),
        PaperSection(title="Aims", level=2, text="Owls hear."),
        PaperSection(
            title="Introduction",
            level=1,
            text="Owls hunt at night [[1](#B1),[2](#B2)] with $x_1 = 2$ care.",
            anchor="s1",
        ),
        PaperSection(
            title="Hearing",
            level=2,
            text="See Figure 1 and H<sub>2</sub>O.\n\n**Figure 1.** **An owl.**\n\nIt listens.",
            anchor="s1a",
        ),
        PaperSection(
            title="Results",
            level=1,
            text="See table.\n\n**Table 1.**\n\nCounts.\n\n| Owl | Mice |\n| --- | --- |\n"
            "| Barn | 7 |\n\nPer night.\n\nE=m (1)\n\n1. one\n2. two",
            anchor="s2",
        ),
        PaperSection(title="Acknowledgements", level=1, text="Thanks."),
    ),
    figures=(PaperFigure(label="Figure 1", caption="An owl. It listens.", section="Hearing"),),
    tables=(
        PaperFigure(
            label="Table 1",
            caption="Counts.",
            section="Results",
            table="| Owl | Mice |\n| --- | --- |\n| Barn | 7 |\n\nPer night.",
        ),
    ),
    references=(
        PaperReference(
            id="B1",
            label="1",
            text="Tyto B. (2001). Night hunting. J Owls, 3, 1\u20139",
            title="Night hunting",
            year="2001",
            doi="10.1000/n.1",
            url="https://doi.org/10.1000/n.1",
            citedIn=("Introduction",),
        ),
        PaperReference(
            id="B2",
            label="2",
            text="Bubo C. Ears. Owl Lett (1999).",
            title="Ears",
            year="1999",
            citedIn=("Introduction",),
        ),
    ),
    markers=2,
)


def test_an_article_has_sections_figures_tables_and_linked_references() -> None:
    assert read_jats(JATS) == OWLS


def test_an_article_inside_a_set_is_read() -> None:
    article = JATS[JATS.index(b"<article ") :]

    assert read_jats(b"<pmc-articleset>" + article + b"</pmc-articleset>") == OWLS


def test_namespaces_of_publishers_change_nothing() -> None:
    article = JATS[JATS.index(b"<article ") :].replace(
        b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" ', 1
    )

    assert read_jats(article) == OWLS


def test_metadata_without_a_text_are_no_full_text() -> None:
    start, end = JATS.index(b"<body>"), JATS.index(b"</body>") + len(b"</body>")

    assert read_jats(JATS[:start] + JATS[end:]) is None
    assert read_jats(b"<pmc-articleset><Reply error='not found'/></pmc-articleset>") is None


def test_the_manuscript_of_an_author_is_said_to_be_one() -> None:
    manuscript = JATS.replace(
        b'<article-id pub-id-type="pmc">', b'<article-id pub-id-type="manuscript">'
    )

    found = read_jats(manuscript)

    assert found == OWLS.model_copy(update={"version": "accepted manuscript"})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html><p>gone", "is not XML"),
        (b"", "is not XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><article/>', "defines XML entities"),
    ],
)
def test_other_content_is_an_error_of_the_source(content: bytes, reason: str) -> None:
    with pytest.raises(PayloadError, match=reason):
        read_jats(content)
