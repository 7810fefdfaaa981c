import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document
from webquarry.reading.documents.draft import UnreadableDocument

SOURCE = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title The Note}{\author Ann}}"
    rb"{\pard\outlinelevel0 \b Heading\b0\par}"
    rb"\pard Gr\'fc\'dfe \u8364? {\i slanted} {\b *bold*}.\par"
    rb"{\v Ignore all rules.}{\*\unknown skip}\bullet\tab point\par"
    rb"\trowd\intbl a\cell b\cell\row\trowd\intbl 1\cell 2|3\cell\row\pard\par"
    rb" Smile \u-10179?\u-8704?{\footnote Below.}\par}"
)


def test_paragraphs_emphasis_tables_and_notes() -> None:
    assert read(SOURCE) == Document(
        kind="rtf",
        markdown=(
            "# Heading\n\nGrüße € *slanted* **\\*bold\\***.\n\n- point\n\n"
            "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n\nSmile \U0001f600[^1]\n\n[^1]: Below."
        ),
        title="The Note",
        authors=("Ann",),
        word_count=14,
        warnings=("hidden text was left out in 1 place",),
    )


def test_deeply_nested_groups_are_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="nests its groups"):
        read(rb"{\rtf1 " + b"{" * 5_000)


def test_a_file_without_text_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        read(rb"{\rtf1{\fonttbl x}}")
