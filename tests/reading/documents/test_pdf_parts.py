"""Formulas, and tables that continue on the next page."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf, together

PROSE = (
    "The sum of all owls in the forest is defined by the",
    "equation below, which holds always:",
)


def grid(rows: Sequence[Sequence[str]], *, top: float = 740) -> Callable[[Any], None]:
    def draw(canvas: Any) -> None:
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                canvas.rect(72 + 110 * column, top - 20 * row, 110, 20)
                canvas.drawString(76 + 110 * column, top + 6 - 20 * row, text)

    return draw


def test_a_displayed_formula_is_marked_and_uncertain() -> None:
    page = together(
        lines(*PROSE, top=700),
        lines("x = a + 2b (1)", top=660, left=150),
        lines("where a is the number of owls and b that of the nests.", top=620),
    )

    found = read(pdf(page))

    assert found.markdown == (
        "The sum of all owls in the forest is defined by the equation below, "
        "which holds always:\n\n"
        "```formula\nx = a + 2b (1)\n```\n\n"
        "where a is the number of owls and b that of the nests."
    )
    assert [part.reason for part in found.uncertain] == [
        "1 formula: characters without their layout"
    ]


def test_a_line_at_the_margin_is_no_formula() -> None:
    assert "```" not in read(pdf(lines("x = 3", "y = 4", "and that is all there is."))).markdown


def test_a_table_with_its_header_repeated_on_the_next_page_is_one() -> None:
    header = ["Year", "Owls", "Foxes"]
    first = together(
        lines("Table 1: All animals."), grid([header, ["2019", "1", "2"], ["2020", "3", "4"]])
    )
    second = together(lines("Table 1 (continued)"), grid([header, ["2021", "5", "6"]]))

    assert read(pdf(first, second)).markdown == (
        "Table 1: All animals.\n\n"
        "| Year | Owls | Foxes |\n| --- | --- | --- |\n"
        "| 2019 | 1 | 2 |\n| 2020 | 3 | 4 |\n| 2021 | 5 | 6 |\n\nTable 1 (continued)"
    )


def test_a_table_that_goes_on_without_a_header_is_one() -> None:
    first = grid([["Bird", "Number"], ["Owl", "12"], ["Fox", "7"]])
    second = grid([["Hare", "9"], ["Crow", "30"]])

    assert read(pdf(first, second)).markdown == (
        "| Bird | Number |\n| --- | --- |\n| Owl | 12 |\n| Fox | 7 |\n| Hare | 9 |\n| Crow | 30 |"
    )


def test_another_table_on_the_next_page_stays_apart() -> None:
    first = grid([["Bird", "Number"], ["Owl", "12"], ["Fox", "7"]])
    second = together(
        lines("The trees of this forest were counted as well, in the year after."),
        grid([["Tree", "Number"], ["Oak", "3"], ["Elm", "4"]]),
    )

    assert read(pdf(first, second)).markdown.count("| --- | --- |") == 2


def test_a_table_right_below_a_running_head_stays() -> None:
    def head(canvas: Any) -> None:
        canvas.drawString(72, 768, "A Study of Owls")
        canvas.drawString(480, 768, "22 / 57")

    page = together(
        head,
        grid([["Bird", "Number"], ["Owl", "12"], ["Fox", "7"]], top=742),
        lines(
            *[f"Line {n} of the text below, which has some more words." for n in range(8)], top=600
        ),
    )

    markdown = read(pdf(page)).markdown

    assert markdown.startswith("| Bird | Number |\n| --- | --- |\n| Owl | 12 |\n| Fox | 7 |")


def test_only_one_line_at_an_edge_has_the_page_number() -> None:
    def contents(canvas: Any) -> None:
        for top, title, number in (
            (780, "A Study of Owls", "vi"),
            (730, "7 Checking the nests", "44"),
        ):
            canvas.drawString(72, top, title)
            canvas.drawString(500, top, number)

    text = [f"Line {n} of the text below, which has some more words." for n in range(8)]

    markdown = read(pdf(together(contents, lines(*text, top=680)))).markdown

    assert "A Study of Owls" not in markdown
    assert "7 Checking the nests" in markdown
