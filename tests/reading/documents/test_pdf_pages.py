"""Layout of PDF pages: columns, sidebars, running heads; pages, outline and figures."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf, together
from webquarry.models.document_content import DocumentFigure, PageStart
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask

BODY = [f"Sentence number {n} of the page stands here." for n in range(1, 9)]


def body(first: float = 700) -> Callable[[Any], None]:
    return lines(*BODY, top=first)


def test_a_page_number_and_a_running_head_are_left_out_on_a_single_page() -> None:
    page = together(
        lines("Advocacy in Action", top=800, size=8),
        lines("447", top=800, left=500, size=8),
        body(),
        lines("62", top=40, left=300, size=8),
    )

    assert read(pdf(page)).markdown == " ".join(BODY)


def test_the_line_of_a_publisher_is_left_out_on_a_single_page() -> None:
    page = together(
        lines("Downloaded from http://journal.example/ on July 12, 2017", top=810, size=8),
        body(),
        lines("Journal of Foxes, March 2014, Volume 8, Issue 3", top=40, size=8),
    )

    assert read(pdf(page)).markdown == " ".join(BODY)


def test_a_footnote_that_names_a_source_stays() -> None:
    page = together(body(), lines("7 See http://journal.example/issue/7", top=60, size=8))

    assert "journal.example" in read(pdf(page)).markdown


def test_a_sidebar_is_read_apart_from_the_text_beside_it() -> None:
    side = ["Correspondence:", "Dr Ann Fox,", "Fox Street 7,", "Helsinki", "Received in May"]

    def draw(canvas: Any) -> None:
        lines(*BODY, top=700, left=220)(canvas)
        canvas.setFont("Helvetica", 8)
        for at, text in enumerate(side):
            canvas.drawString(72, 697 - 9.7 * at, text)

    written = read(pdf(draw)).markdown

    assert " ".join(BODY) in written
    assert "Dr Ann Fox, Fox Street 7, Helsinki" in written


def test_sections_of_a_page_may_have_columns_of_different_widths() -> None:
    upper = [f"upper {side} line {n} with several words" for side in ("left", "right")
             for n in range(1, 7)]  # fmt: skip
    lower = [f"lower {side} line {n} with words" for side in ("left", "right") for n in range(1, 7)]

    def draw(canvas: Any) -> None:
        for at in range(6):
            canvas.drawString(72, 740 - 14 * at, upper[at])
            canvas.drawString(320, 740 - 14 * at, upper[6 + at])
            canvas.drawString(72, 560 - 14 * at, f"{lower[at]} in the wide column")
            canvas.drawString(370, 560 - 14 * at, lower[6 + at])
        canvas.drawString(72, 610, "A title that runs over both of the columns of this page")

    written = read(pdf(draw)).markdown
    places = [written.index(text) for text in (*upper, *lower)]

    assert places == sorted(places)


def test_prose_in_a_monospaced_font_is_no_code() -> None:
    text = [f"this is line {'abcdefghij'[n]} of a report that was typed" for n in range(10)]

    assert read(pdf(lines(*text, font="Courier"))).markdown == " ".join(text)


def test_each_page_has_the_place_where_it_starts() -> None:
    found = read(pdf(lines("Words of one.", size=12), lines("Words of two."), lines("And three.")))

    assert found.page_starts == (
        PageStart(page=1, offset=0), PageStart(page=2, offset=15), PageStart(page=3, offset=30),
    )  # fmt: skip
    assert found.markdown[15:] == "Words of two.\n\nAnd three."


def test_the_outline_names_the_page_of_each_heading() -> None:
    def page(title: str) -> Callable[[Any], None]:
        return together(lines(title, size=20, top=780), lines("Words below it.", top=700))

    found = read(pdf(page("First Part"), page("Second Part")))

    assert [(entry.title, entry.page) for entry in found.outline] == [
        ("First Part", 1), ("Second Part", 2),
    ]  # fmt: skip


def test_figures_are_listed_with_caption_and_page() -> None:
    found = read(pdf(lines("Words."), lines("Figure 2: Foxes at night, counted by ear")))

    assert found.figures == (
        DocumentFigure(page=2, caption="Figure 2: Foxes at night, counted by ear"),
    )


def test_pages_start_where_they_do_without_their_invisible_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chunks = ["Fox\u200bes and owls\ud800.", "The second\u200b page."]
    draft = DocumentDraft("pdf", figures=[(2, "Figure 1: a\u200b fox")])
    draft.set_markdown(chunks, [1, 2])

    def stand_in(_: DocumentTask) -> DocumentDraft:
        return draft

    monkeypatch.setattr("webquarry.reading.documents.pdf.pdf_reader.read_pdf", stand_in)

    found = read(pdf(lines("Words.")))

    assert found.markdown == "Foxes and owls\ufffd.\n\nThe second page."
    assert found.page_starts == (PageStart(page=1, offset=0), PageStart(page=2, offset=18))
    assert found.figures == (DocumentFigure(page=2, caption="Figure 1: a fox"),)


def test_the_lines_of_an_outline_are_cut_to_a_length() -> None:
    def draw(canvas: Any) -> None:
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Part " * 10_000, "a", 0)
        lines("Words of the page.")(canvas)

    assert [len(entry.title) for entry in read(pdf(draw)).outline] == [500]
