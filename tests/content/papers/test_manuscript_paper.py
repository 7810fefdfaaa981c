"""Papers of which there is only a PDF or a page."""

from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.papers.manuscript_paper import paper_of_manuscript
from webquarry.models.paper_text import PaperFigure, PaperReference, PaperSection, PaperText

TEXT = """# Owls on farms

Ada Strix

## 1 Introduction

Owls hunt at night [1, 2]. Others disagree (Smith, 2020; Jones, 2021). They fly [3].

**Figure 1.** An owl at night.

Table 2: Counts of mice.

## References

[1] Tyto, B. (2001). Night hunting. Journal of Owls, 3(1), 1-9. https://doi.org/10.1000/n.1

[2] Bubo, C. (1999). Ears of owls. Owl Letters, 2, 3-4.
"""


def test_citations_are_links_and_those_without_an_entry_are_counted() -> None:
    assert paper_of_manuscript(build_manuscript(TEXT, "markdown")) == PaperText(
        title="Owls on farms",
        sections=(
            PaperSection(title="Owls on farms", level=1, text="Ada Strix"),
            PaperSection(
                title="1 Introduction",
                level=2,
                text="Owls hunt at night [[1](#ref-1), [2](#ref-2)]. Others disagree "
                "(Smith, 2020; Jones, 2021). They fly [3].\n\n**Figure 1.** An owl at night.\n\n"
                "Table 2: Counts of mice.",
            ),
        ),
        figures=(
            PaperFigure(label="Figure 1", caption="An owl at night.", section="1 Introduction"),
        ),
        tables=(PaperFigure(label="Table 2", caption="Counts of mice.", section="1 Introduction"),),
        references=(
            PaperReference(
                id="ref-1",
                label="1",
                text="Tyto, B. (2001). Night hunting. Journal of Owls, 3(1), 1-9. "
                "https://doi.org/10.1000/n.1",
                title="Night hunting",
                year="2001",
                doi="10.1000/n.1",
                url="https://doi.org/10.1000/n.1",
                citedIn=("1 Introduction",),
            ),
            PaperReference(
                id="ref-2",
                label="2",
                text="Bubo, C. (1999). Ears of owls. Owl Letters, 2, 3-4.",
                title="Ears of owls",
                year="1999",
                citedIn=("1 Introduction",),
            ),
        ),
        markers=3,
        unlinked=2,
    )


def test_each_work_of_an_author_year_marker_is_a_link() -> None:
    text = (
        TEXT.replace("[1, 2]", "(Tyto, 2001; Bubo, 1999)").replace("[1] ", "").replace("[2] ", "")
    )

    introduction = paper_of_manuscript(build_manuscript(text, "markdown")).sections[1]

    assert introduction.text.startswith(
        "Owls hunt at night ([Tyto, 2001](#ref-1); [Bubo, 1999](#ref-2)). Others"
    )
