"""Tables in PDF files: with rules in both directions, in one, and without."""

from collections.abc import Callable
from typing import Any

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf, together
from webquarry.content.manuscript.page_breaks import PAGE_BREAK
from webquarry.reading.documents.draft import DocumentTask
from webquarry.reading.documents.pdf.pdf_reader import read_pdf

Draw = Callable[[Any], None]


def words(*placed: tuple[float, float, str], size: float = 10) -> Draw:
    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", size)
        for x, y, text in placed:
            canvas.drawString(x, y, text)

    return draw


def rules(*ends: tuple[float, float, float, float]) -> Draw:
    def draw(canvas: Any) -> None:
        for line in ends:
            canvas.line(*line)

    return draw


def grid(xs: list[float], ys: list[float]) -> Draw:
    across = [(xs[0], y, xs[-1], y) for y in ys]
    down = [(x, ys[0], x, ys[-1]) for x in xs]
    return rules(*across, *down)


def table(draw: Draw, *more: Draw) -> list[str]:
    """Return the lines of the table in a document."""
    written = read(pdf(together(draw, *more))).markdown
    return [line for line in written.split("\n") if line.startswith("|")]


def columns(top: float, *rows: tuple[str, ...], xs: tuple[float, ...] = (72, 200, 300)) -> Draw:
    return words(*(
        (x, top - 14 * at, text)
        for at, row in enumerate(rows) for x, text in zip(xs, row, strict=True) if text
    ))  # fmt: skip


def test_a_cell_with_several_lines_is_one_cell_between_its_rules() -> None:
    found = table(
        grid([70, 190, 300], [700, 660, 620]),
        words(
            (74, 685, "Species"), (194, 685, "Where it"), (194, 672, "is found"),
            (74, 645, "Red fox"), (194, 645, "Nearly"), (194, 632, "everywhere"),
        ),
    )  # fmt: skip

    assert found == [
        "| Species | Where it is found |", "| --- | --- |", "| Red fox | Nearly everywhere |",
    ]  # fmt: skip


def test_a_heading_over_several_columns_is_repeated_in_each() -> None:
    found = table(
        rules(
            (70, 700, 310, 700), (70, 640, 310, 640), (190, 670, 310, 670),
            (70, 610, 310, 610), (70, 700, 70, 610), (190, 700, 190, 610),
            (250, 670, 250, 610), (310, 700, 310, 610),
        ),
        words(
            (74, 680, "Year"), (225, 680, "Foxes"), (194, 650, "Red"), (254, 650, "Grey"),
            (74, 620, "1999"), (194, 620, "12"), (254, 620, "34"),
        ),
    )  # fmt: skip

    assert found == [
        "| Year | Foxes | Foxes |", "| --- | --- | --- |", "|  | Red | Grey |",
        "| 1999 | 12 | 34 |",
    ]  # fmt: skip


def test_a_title_and_notes_inside_the_frame_of_a_table_are_not_rows() -> None:
    frame = rules(
        (70, 720, 310, 720), (70, 580, 310, 580), (70, 720, 70, 580), (310, 720, 310, 580)
    )
    written = read(pdf(together(
        frame, grid([70, 190, 310], [690, 660, 630, 610]),
        words((74, 700, "Exhibit 7: Foxes by year"), (74, 590, "Source: our own count"),
              (74, 670, "Year"), (194, 670, "Foxes"), (74, 640, "1999"), (194, 640, "12"),
              (74, 617, "2000"), (194, 617, "15")),
    ))).markdown  # fmt: skip

    assert written.split("\n\n") == [
        "Exhibit 7: Foxes by year",
        "| Year | Foxes |\n| --- | --- |\n| 1999 | 12 |\n| 2000 | 15 |",
        "Source: our own count",
    ]


def test_lines_between_two_rules_are_rows_when_each_has_values() -> None:
    found = table(
        grid([70, 190, 250, 310], [700, 680, 630]),
        columns(685, ("Year", "Red", "Grey"), xs=(74, 194, 254)),
        columns(667, ("1999", "12", "34"), ("2000", "13", "35"), ("2001", "14", "36"),
                xs=(74, 194, 254)),
    )  # fmt: skip

    assert found == [
        "| Year | Red | Grey |", "| --- | --- | --- |",
        "| 1999 | 12 | 34 |", "| 2000 | 13 | 35 |", "| 2001 | 14 | 36 |",
    ]  # fmt: skip


def test_a_table_between_horizontal_rules_ends_at_the_last_one() -> None:
    written = read(pdf(together(
        rules((70, 700, 400, 700), (70, 680, 400, 680), (70, 620, 400, 620)),
        columns(686, ("Animal", "Mean", "Max")),
        columns(666, ("Foxes", "1.5", "3"), ("Wolves", "2.5", "4"), ("Bears", "0.5", "1")),
        words((72, 608, "Note: counted at night in the north of the country.")),
    ))).markdown  # fmt: skip

    assert written.split("\n\n") == [
        "| Animal | Mean | Max |\n| --- | --- | --- |\n| Foxes | 1.5 | 3 |\n"
        "| Wolves | 2.5 | 4 |\n| Bears | 0.5 | 1 |",
        "Note: counted at night in the north of the country.",
    ]


def test_a_rule_below_a_heading_shows_its_columns() -> None:
    found = table(
        rules((70, 720, 400, 720), (195, 700, 330, 700), (70, 680, 400, 680), (70, 620, 400, 620)),
        words((240, 704, "Foxes"), (72, 686, "Year"), (200, 686, "Red"), (300, 686, "Grey")),
        columns(666, ("1999", "12", "34"), ("2000", "13", "35"), ("2001", "14", "36")),
    )

    assert found[:3] == ["|  | Foxes | Foxes |", "| --- | --- | --- |", "| Year | Red | Grey |"]


def test_a_table_without_rules_is_found_and_said_to_be_uncertain() -> None:
    found = read(pdf(together(
        lines("The counts of the last years are as follows, by species.", top=720),
        columns(680, ("Year", "Red", "Grey"), ("1999", "12", "34"), ("2000", "13", "35"),
                ("2001", "14", "36")),
    )))  # fmt: skip

    assert found.markdown.split("\n\n")[1] == (
        "| Year | Red | Grey |\n| --- | --- | --- |\n| 1999 | 12 | 34 |\n| 2000 | 13 | 35 |\n"
        "| 2001 | 14 | 36 |"
    )
    assert [(part.page, part.reason) for part in found.uncertain] == [
        (1, "a table without rules: gaps show the columns")
    ]


def test_numbers_close_to_each_other_are_in_columns_of_their_own() -> None:
    rows = [(f"Place {at}", f"2,753,4{at}8", f"2,799,2{at}0") for at in range(10, 14)]
    found = table(
        rules((70, 700, 270, 700), (70, 640, 270, 640)),
        columns(690, *rows, xs=(72, 160, 213)),
    )

    assert found[0] == "| Place 10 | 2,753,4108 | 2,799,2100 |"


def test_digits_in_groups_are_one_number() -> None:
    found = table(
        rules((70, 700, 330, 700), (70, 640, 330, 640)),
        columns(
            690, ("Foxes", "79 935", "55"), ("Wolves", "51 955", "52"), ("Bears", "13 560", "8"),
                ("Lynxes", "57 986", "80")),
    )  # fmt: skip

    assert found[0] == "| Foxes | 79 935 | 55 |"


def test_the_labels_of_a_chart_are_no_table() -> None:
    labels = [("20,000", "100"), ("18,000", "90"), ("16,000", "80"), ("14,000", "70"),
              ("12,000", "60"), ("10,000", "50")]  # fmt: skip

    assert table(columns(700, *labels, xs=(72, 400))) == []


def test_the_bars_of_a_chart_are_no_table() -> None:
    bars = [
        end
        for at, height in enumerate((30, 60, 45, 80))
        for x in (100 + 40 * at,)
        for end in (
            (x, 500, x, 500 + height), (x + 30, 500, x + 30, 500 + height),
            (x, 500 + height, x + 30, 500 + height),
        )
    ]  # fmt: skip
    labels = words(*((105 + 40 * at, 505, str(at)) for at in range(4)))

    assert table(rules((100, 500, 250, 500), *bars), labels) == []


def test_a_frame_around_prose_is_no_table() -> None:
    frame = grid([70, 520], [720, 640])
    text = lines("A box may explain a term that the text uses, in a few sentences.", top=700)

    assert table(frame, text) == []


def test_a_page_full_of_rules_is_read_as_text() -> None:
    paper = grid([float(x) for x in range(20, 580)], [float(y) for y in range(20, 820, 2)])
    written = read(pdf(together(paper, lines("Words on graph paper.", top=700)))).markdown

    assert written == "Words on graph paper."


def test_raised_numbers_are_marked_in_cells_too() -> None:
    def draw(canvas: Any) -> None:
        grid([70, 190, 300], [700, 660, 620])(canvas)
        words((74, 685, "Species"), (194, 685, "Found"), (74, 645, "Red fox"))(canvas)
        words((194, 645, "Everywhere"))(canvas)
        words((194 + canvas.stringWidth("Everywhere", "Helvetica", 10), 649, "4"), size=6)(canvas)

    written = read_pdf(DocumentTask("pdf", pdf(draw), marked=True)).markdown

    assert written == (
        f"{PAGE_BREAK}| Species | Found |\n| --- | --- |\n| Red fox | Everywhere\u2074 |"
    )


def test_a_table_between_the_entries_of_a_list_stays() -> None:
    def entry(top: float, name: str) -> Draw:
        start = f"{name}. The foxes of the northern coast and how they live with"
        return words(
            (72, top, start), (92, top - 13, "their neighbours in winter. Journal of Foxes.")
        )

    found = table(
        entry(760, "Ash"), entry(733, "Berg"), entry(600, "Cole"), entry(573, "Dorn"),
        grid([72, 190, 300], [705, 665, 625]),
        words((74, 690, "Species"), (194, 690, "Found"), (74, 650, "Fox"), (194, 650, "Here")),
    )  # fmt: skip

    assert found == ["| Species | Found |", "| --- | --- |", "| Fox | Here |"]
