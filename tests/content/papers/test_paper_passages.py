"""The passages of a paper that answer a query."""

from tests.content.papers.test_jats import OWLS
from webquarry.content.papers.paper_passages import PaperPassage, best_passages
from webquarry.models.paper_text import PaperSection, PaperText

URL = "https://pmc.ncbi.nlm.nih.gov/articles/PMC456"


def found(paper: PaperText, query: str, count: int = 1) -> list[PaperPassage]:
    return best_passages(paper.model_dump_json().encode(), query=query, url=URL, count=count)


def test_a_passage_has_its_section_and_a_link_that_stops_before_a_formula() -> None:
    assert found(OWLS, "owls hunt night") == [
        PaperPassage(
            text="Owls hunt at night [1,2] with $x_1 = 2$ care.",
            section="Introduction",
            score=1.0,
            url=f"{URL}#s1:~:text=Owls%20hunt%20at%20night%20%5B1%2C2%5D%20with",
        )
    ]


def test_a_passage_of_a_pdf_has_its_page() -> None:
    section = PaperSection(title="Methods", text="We counted every single owl twice.", page=3)

    assert found(PaperText(sections=(section,)), "counted owl") == [
        PaperPassage(
            text="We counted every single owl twice.",
            section="Methods",
            score=1.0,
            url=f"{URL}#page=3",
            page=3,
        )
    ]


def test_a_paper_without_words_of_the_query_has_no_passage() -> None:
    assert found(OWLS, "submarine") == []
