"""Manuscripts of every format are read, where their parsers can be stopped."""

import re
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any

import docx
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from tests.reading.documents.samples import lines, odt, pdf, together
from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptSource
from webquarry.errors import BadInputError
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


ODT = (
    '<text:h text:outline-level="1">Owls</text:h><text:p>Owls sleep<text:note text:id="n1">'
    "<text:note-citation>1</text:note-citation><text:note-body><text:p>Ann Stone, "
    "\u201cSleep of Owls,\u201d Owl 12, no. 3 (2019): 5\u20136.</text:p></text:note-body>"
    "</text:note>"
    ' in 25 km<text:span text:style-name="T1">2</text:span>, as seen'
    '<text:span text:style-name="T1">1\u20132</text:span> in '
    '<text:a xlink:href="https://owl.example/r">a report</text:a> (Stone, 2020).'
    '<text:note text:id="n2"><text:note-citation>2</text:note-citation><text:note-body>'
    "<text:p>Ibid., 7.</text:p></text:note-body></text:note></text:p>"
    '<text:h text:outline-level="1">References</text:h><text:list text:style-name="L1">'
    f"<text:list-item><text:p>{ENTRY}</text:p></text:list-item>"
    "<text:list-item><text:p>Slate, C. (2018). Barns. Owl, 1, 4-5.</text:p></text:list-item>"
    "</text:list>"
)
ODT_STYLES = (
    '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/>'
    '</style:style><text:list-style style:name="L1"><text:list-level-style-number '
    'text:level="1" style:num-format="1"/></text:list-style>'
)


async def test_an_open_document_is_read_with_notes_links_and_lists(
    reader: ManuscriptReader,
) -> None:
    source = ManuscriptSource(odt(ODT, ODT_STYLES), "a.odt")

    manuscript = await reader.read_manuscript(source)

    assert manuscript.format == "odt"
    assert _markers(manuscript) == [
        ("footnote", "[^1]", ("note-1", "ref-1")),
        ("superscript", "\u00b9\u207b\u00b2", ("ref-1", "ref-2")),
        ("link", "[a report](https://owl.example/r)", ()),
        *LINKED,
        ("footnote", "[^2]", ("note-2", "note-1", "ref-1")),
    ]
    assert manuscript.sentences[0].claim == "Owls sleep in 25 km\u00b2, as seen in a report."


async def test_the_sentences_of_a_pdf_have_pages_and_raised_markers(
    reader: ManuscriptReader,
) -> None:
    def first(page: Any) -> None:
        text = page.beginText(72, 700)
        text.setFont("Helvetica", 11)
        text.textOut("Owls sleep by day in all barns of 25 km")
        for number, rest in (("2", " of land."), ("1", "")):
            text.setFont("Helvetica", 7)
            text.setRise(4)
            text.textOut(number)
            text.setFont("Helvetica", 11)
            text.setRise(0)
            text.textOut(rest)
        page.drawText(text)

    second = together(
        lines("They hunt at night, as everybody knows (Stone, 2020)."),
        lines("References", size=16, top=700),
        lines(f"1. {ENTRY}", top=660),
    )

    manuscript = await reader.read_manuscript(ManuscriptSource(pdf(first, second), "a.pdf"))

    assert [(each.claim, each.page) for each in manuscript.sentences] == [
        ("Owls sleep by day in all barns of 25 km\u00b2 of land.", 1),
        ("They hunt at night, as everybody knows.", 2),
    ]
    assert _markers(manuscript) == [("superscript", "\u00b9", ("ref-1",)), *LINKED]


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b" \n", "a.md", "a.md is empty."),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 8, "a.pdf", "of another kind: image/png"),
        (b"PK\x03\x04" + bytes(range(32)) * 8, "a.docx", "a.docx is damaged or of another kind"),
        (b"{\\rtf1 Owls sleep.}", "a.rtf", "of another kind: rtf. Give a PDF, Word, OpenDocument"),
        (b"<html><body></body></html>", "a.html", "a.html has no text to check."),
    ],
)
async def test_what_is_no_document_is_refused(
    reader: ManuscriptReader, data: bytes, name: str, message: str
) -> None:
    with pytest.raises(BadInputError, match=re.escape(message)):
        await reader.read_manuscript(ManuscriptSource(data, name))


async def test_an_encrypted_document_is_refused_with_a_remedy(reader: ManuscriptReader) -> None:
    file = BytesIO()
    locked = canvas.Canvas(file, encrypt=StandardEncryption("secret"))
    locked.drawString(72, 700, "Owls sleep.")
    locked.save()

    with pytest.raises(BadInputError, match="Save a copy without a password"):
        await reader.read_manuscript(ManuscriptSource(file.getvalue(), "a.pdf"))


async def test_a_text_without_citations_has_a_warning(reader: ManuscriptReader) -> None:
    plain = await reader.read_manuscript(ManuscriptSource("Owls sleep by day in barns.", "a.md"))
    cited = await reader.read_manuscript(ManuscriptSource("Owls sleep by day [1].", "a.md"))

    assert plain.warnings == (
        "The document has neither citations nor a reference list: nothing was checked.",
    )
    assert cited.warnings == ()
