"""Manuscripts of every format are read, where their parsers can be stopped."""

from collections.abc import AsyncIterator
from io import BytesIO

import docx
import pytest

from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptSource
from webquarry.parsing.parsers import Parsers
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.manuscript_reader import ManuscriptReader

ENTRY = "Stone, A. (2020). Sleep of owls in barns. Owl, 4(1), 10-20."
LINKED = [("author-year", "(Stone, 2020)", ("ref-1",))]


pytestmark = pytest.mark.anyio


@pytest.fixture
async def reader() -> AsyncIterator[ManuscriptReader]:
    documents, parsers = DocumentReader(), Parsers()
    yield ManuscriptReader(documents, parsers)
    await documents.aclose()
    await parsers.aclose()


def _markers(manuscript: Manuscript) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(marker.kind, marker.text, marker.entries) for marker in manuscript.markers]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"# Owls\n\nThey sleep (Stone, 2020).\n\n# References\n\n{ENTRY}\n"),
        ("a.txt", f"They sleep (Stone,\r\n2020).\r\n\r\nReferences\r\n\r\n{ENTRY}\r\n"),
        ("a.html", f"<h1>Owls</h1><p>They sleep (Stone, 2020).<h2>References</h2><p>{ENTRY}"),
    ],
)
async def test_texts_are_read(reader: ManuscriptReader, name: str, text: str) -> None:
    manuscript = await reader.read_manuscript(ManuscriptSource(text, name))

    assert [(kind, " ".join(marker.split()), entries)
            for kind, marker, entries in _markers(manuscript)] == LINKED  # fmt: skip


async def test_a_word_document_is_read_with_raised_numbers(reader: ManuscriptReader) -> None:
    document = docx.Document()
    document.add_heading("Owls", 1)
    paragraph = document.add_paragraph("They sleep by day")
    paragraph.add_run("1").font.superscript = True
    paragraph.add_run(". They fly (Stone, 2020).")
    document.add_heading("References", 1)
    document.add_paragraph(ENTRY, style="List Number")
    file = BytesIO()
    document.save(file)

    manuscript = await reader.read_manuscript(ManuscriptSource(file.getvalue(), "a.docx"))

    assert manuscript.format == "docx"
    assert _markers(manuscript) == [("superscript", "\u00b9", ("ref-1",)), *LINKED]
