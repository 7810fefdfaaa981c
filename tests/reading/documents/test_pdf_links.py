"""Links and internal references of PDF files."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf, together
from webquarry.reading.documents.draft import DocumentTask
from webquarry.reading.documents.pdf.pdf_reader import read_pdf

_SIZE, _LEFT = 11, 72


def link(line: str, part: str, target: str, *, top: float = 760) -> Callable[[Any], None]:
    """Lay a link over a part of a line that `lines` draws."""

    def draw(canvas: Any) -> None:
        start = _LEFT + canvas.stringWidth(line[: line.index(part)], "Helvetica", _SIZE)
        box = (start, top - 2, start + canvas.stringWidth(part, "Helvetica", _SIZE), top + 9)
        if target.startswith("#"):
            canvas.bookmarkPage("here")
            canvas.linkAbsolute("", "here", box)
        else:
            canvas.linkURL(target, box)

    return draw


def test_links_are_kept_on_the_words_that_they_cover() -> None:
    line = "Read the manual of owls, or (Smith 2010), before you go."
    page = together(
        lines(line),
        link(line, "manual of owls", "https://example.org/owls(1)"),
        link(line, "Smith 2010", "mailto:ann@example.org"),
    )

    assert read(pdf(page)).markdown == (
        "Read the [manual of owls](https://example.org/owls%281%29), or "
        "([Smith 2010](mailto:ann@example.org)), before you go."
    )


def test_a_reference_inside_the_document_leads_to_the_anchor_of_its_page() -> None:
    line = "See section 2 for more about all of these birds."

    found = read(pdf(lines("First page."), together(lines(line), link(line, "section 2", "#"))))

    assert (
        found.markdown
        == "First page.\n\nSee [section 2](#page=2) for more about all of these birds."
    )


def test_a_link_over_two_lines_with_a_hyphen_is_one() -> None:
    first, second = (
        "All of the owls hunt at night, says the encyclo-",
        "pedia of birds, and others agree.",
    )
    page = together(
        lines(first, second),
        link(first, "encyclo-", "https://example.org/e"),
        link(second, "pedia of birds", "https://example.org/e", top=760 - 1.3 * _SIZE),
    )

    assert read(pdf(page)).markdown == (
        "All of the owls hunt at night, says the [encyclopedia of birds](https://example.org/e), "
        "and others agree."
    )


def test_a_url_that_is_its_own_link_is_written_once() -> None:
    line = "It is at https://example.org/a_b_c for everybody to read."
    page = together(
        lines(line), link(line, "https://example.org/a_b_c", "https://example.org/a_b_c")
    )

    assert read(pdf(page)).markdown == (
        "It is at <https://example.org/a_b_c> for everybody to read."
    )


@pytest.mark.parametrize("target", ["javascript:alert(1)", "file:///etc/passwd", "https://"])
def test_other_targets_are_left_out(target: str) -> None:
    line = "Read the manual of owls."

    assert read(pdf(together(lines(line), link(line, "manual", target)))).markdown == line


def test_links_in_a_table_are_in_their_cells() -> None:
    cells = [["Bird", "Source"], ["Owl", "report"], ["Fox", "notes"]]

    def draw(canvas: Any) -> None:
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                canvas.rect(72 + 100 * column, 600 - 20 * row, 100, 20)
                canvas.drawString(76 + 100 * column, 605 - 20 * row, text)
        canvas.linkURL("https://example.org/r", (172, 580, 272, 600))

    assert read(pdf(draw)).markdown == (
        "| Bird | Source |\n| --- | --- |\n| Owl | [report](https://example.org/r) |\n"
        "| Fox | notes |"
    )


def test_a_document_to_check_has_its_text_without_links() -> None:
    line = "Read the manual of owls."
    page = together(lines(line), link(line, "manual", "https://example.org/"))

    draft = read_pdf(DocumentTask("pdf", pdf(page), marked=True))

    assert "](" not in draft.markdown
