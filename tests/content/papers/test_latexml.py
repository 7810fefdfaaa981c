"""Papers that LaTeXML converted to HTML."""

from tests.content.papers.samples import LATEXML
from webquarry.content.papers.latexml import read_latexml
from webquarry.models.paper_text import PaperFigure, PaperReference, PaperSection, PaperText


def test_a_paper_of_arxiv_has_sections_version_and_licence() -> None:
    assert read_latexml(LATEXML) == PaperText(
        title="HTML papers",
        authors=("Ada Strix",),
        published="2024-02-14",
        licence="CC BY 4.0",
        version="v1",
        sections=(
            PaperSection(title="Abstract", level=1, text="We do."),
            PaperSection(
                title="1 Introduction",
                level=1,
                text="Seen [[1](#bib.bib1)] in Section 2 $a_b$ [note: Foot words.].\n\n"
                "$$E=mc^2$$(1)",
                anchor="S1",
            ),
            PaperSection(
                title="1.1 Sub",
                level=2,
                text="text \\foo\n\nTable 1: Counts.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n"
                "![Refer to caption](x1.png)\n\nFigure 2: A plot.",
                anchor="S1.SS1",
            ),
        ),
        figures=(PaperFigure(label="Figure 2", caption="A plot.", section="1.1 Sub"),),
        tables=(
            PaperFigure(
                label="Table 1",
                caption="Counts.",
                section="1.1 Sub",
                table="| a | b |\n| --- | --- |\n| 1 | 2 |",
            ),
        ),
        references=(
            PaperReference(
                id="bib.bib1",
                label="1",
                text="A. Author, \u201cA cited work,\u201d J. Owls, vol. 3, 2001. doi:10.1000/x.1",
                title="A cited work",
                year="2001",
                doi="10.1000/x.1",
                url="https://doi.org/10.1000/x.1",
                citedIn=("1 Introduction",),
            ),
        ),
        markers=1,
        notes=("1 LaTeX commands could not be converted; the text may have gaps.",),
    )


def test_a_page_of_another_kind_is_no_paper() -> None:
    assert read_latexml(b"<html><body><p>No HTML for this paper.</p></body></html>") is None
    assert read_latexml(b"") is None
    assert read_latexml(b'<article class="ltx_document"></article>') is None
