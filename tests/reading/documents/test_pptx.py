import re
from typing import Any

import pptx as writer
import pytest

from tests.reading.documents.reading import read
from tests.reading.documents.samples import saved, zipped
from webquarry.reading.documents.draft import NoSuchPages, UnreadableDocument


def deck(count: int) -> Any:
    source: Any = writer.Presentation()
    for number in range(1, count + 1):
        slide = source.slides.add_slide(source.slide_layouts[1])
        slide.shapes.title.text = f"Title {number}"
        slide.placeholders[1].text = f"Point {number}"
    return source


def test_slides_are_in_presentation_order() -> None:
    source = deck(12)
    # the library has no way to move a slide
    listed = source.slides._sldIdLst  # noqa: SLF001
    listed.insert(0, listed[-1])

    found = read(saved(source))

    assert re.findall(r"Title (\d+)", found.markdown) == [
        "12", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11",
    ]  # fmt: skip
    assert found.page_count == 12


def test_a_slide_has_title_bullets_table_picture_words_and_notes() -> None:
    source = deck(1)
    slide = source.slides[0]
    body = slide.placeholders[1].text_frame
    inner = body.add_paragraph()
    inner.text, inner.level = "Inner", 1
    run = inner.add_run()
    run.text, run.hyperlink.address = " link", "https://example.org/"
    table = slide.shapes.add_table(2, 2, 0, 0, 9_000, 9_000).table
    for place, text in enumerate(("a", "b|c", "1", "2")):
        table.cell(place // 2, place % 2).text = text
    slide.shapes.add_textbox(0, 0, 9_000, 9_000).text_frame.text = "Free words"
    slide.notes_slide.notes_text_frame.text = "Say this."

    assert read(saved(source)).markdown == (
        "## Slide 1: Title 1\n\n- Point 1\n  - Inner [link](https://example.org/)\n\n"
        "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n\nFree words\n\n> **Notes:**\n>\n> Say this."
    )


def test_hidden_slides_are_left_out_and_named() -> None:
    source = deck(2)
    # the library cannot hide slides
    source.slides[1]._element.set("show", "0")  # noqa: SLF001

    found = read(saved(source))

    assert found.markdown == "## Slide 1: Title 1\n\n- Point 1"
    assert found.warnings == ("slide 2 is hidden and was left out",)


def test_slides_can_be_chosen() -> None:
    found = read(saved(deck(4)), pages="2,4-9")

    assert re.findall(r"Title (\d+)", found.markdown) == ["2", "4"]
    assert found.warnings == ("the document has only 4 slides",)


def test_slide_numbers_out_of_range_are_an_error() -> None:
    with pytest.raises(NoSuchPages, match="has 1 slide; none of the requested ones"):
        read(saved(deck(1)), pages="3")


def test_metadata_comes_from_the_properties() -> None:
    source = deck(1)
    source.core_properties.title, source.core_properties.author = "The Talk", "Ann"

    found = read(saved(source))

    assert (found.title, found.authors) == ("The Talk", ("Ann",))


def test_a_presentation_without_slides_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="has no slides"):
        read(zipped({"ppt/presentation.xml": "<p:presentation xmlns:p='x'/>"}))
