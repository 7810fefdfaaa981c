"""Reports of a check, and copies of the document with notes."""

import base64
import csv
import io
from typing import Any

import docx
import pypdfium2
import pypdfium2.raw as pdfium
from reportlab.pdfgen.canvas import Canvas

from webquarry.models.document_check import (
    CheckedClaim,
    CheckedReference,
    CheckProgress,
    DocumentCheck,
    DocumentPlace,
    Finding,
    SourceVerdict,
)
from webquarry.services.checking.reports.check_notes import DocumentNote, document_notes
from webquarry.services.checking.reports.check_page import check_html
from webquarry.services.checking.reports.check_texts import check_csv, check_markdown
from webquarry.services.checking.reports.noted_docx import noted_docx
from webquarry.services.checking.reports.noted_markup import noted_html, noted_markdown
from webquarry.services.checking.reports.noted_pdf import noted_pdf

_TEXT = "Owls fledged 5.2 young [1].\n\nMore text.\n"
_CLAIM = "Owls fledged 5.2 young."
_WHY = "Number: the document has 5.2 young, the source 3.2 young."
_PLACE = DocumentPlace(line=1, start=0, end=27)
CHECK = DocumentCheck(
    checkId="c1",
    status="completed",
    document="a.md",
    format="markdown",
    complete=True,
    summary={"findings": 1, "claims": 1, "references": 1, "contradicted": 1},
    findings=(Finding(kind="contradicted", message=_WHY, text=_CLAIM, place=_PLACE, claim=1),),
    claims=(
        CheckedClaim(
            number=1,
            claim=_CLAIM,
            place=_PLACE,
            claimClass="contradicted",
            reason=_WHY,
            sources=(
                SourceVerdict(
                    reference="r1",
                    claimClass="contradicted",
                    reason=_WHY,
                    quote="They <b>fledged</b> 3.2 young.",
                    url="https://owls.test/#:~:text=3.2",
                ),
            ),
        ),
    ),
    references=(CheckedReference(id="r1", label="1", text="Holt 2021", place=_PLACE, citedBy=1),),
    progress=CheckProgress(),
    checkedAt="2026-01-01T00:00:00Z",
)
_NOTE = DocumentNote(text=_CLAIM, place=_PLACE, message="Wrong number.", is_finding=True)


def test_markdown_begins_with_the_worst() -> None:
    lines = check_markdown(CHECK).split("\n")

    assert lines[2] == "1 contradicted claim. 1 cited claim: 1 contradicted."
    assert lines[6] == f"1. **contradicted** (line 1): {_WHY} “{_CLAIM}”"


def test_the_places_of_a_pdf_from_the_web_are_links() -> None:
    url = "https://owls.test/a.pdf#page=3"
    place = DocumentPlace(line=1, start=0, end=27, page=3, url=url)
    check = CHECK.model_copy(
        update={
            "findings": (CHECK.findings[0].model_copy(update={"place": place}),),
            "claims": (CHECK.claims[0].model_copy(update={"place": place}),),
        }
    )
    link = f'<a href="{url}" rel="noopener noreferrer nofollow">page 3</a>'

    assert f"**contradicted** ([page 3](<{url}>)): {_WHY}" in check_markdown(check)
    page = check_html(check)
    assert f"({link}): " in page
    assert f"<td>{link}</td>" in page
    assert check_csv(check).splitlines()[0].endswith(",link")


def test_csv_has_one_row_for_each_claim_and_source() -> None:
    rows = list(csv.reader(io.StringIO(check_csv(CHECK))))

    assert rows == [
        ["claim", "location", "reference", "class", "reason", "quote", "link"],
        [_CLAIM, "line 1", "1", "contradicted", _WHY, "They <b>fledged</b> 3.2 young.",
         "https://owls.test/#:~:text=3.2"],
    ]  # fmt: skip


def test_text_of_sources_is_no_markup_of_the_page() -> None:
    page = check_html(CHECK)

    assert "They &lt;b&gt;fledged&lt;/b&gt; 3.2 young." in page
    assert "script-src 'sha256-" in page


def test_a_note_has_the_reason_and_the_words_of_the_source() -> None:
    (note,) = document_notes(CHECK)

    assert note.message == (
        f"Contradicted. {_WHY} The source says: “They <b>fledged</b> 3.2 young.” "
        "https://owls.test/#:~:text=3.2"
    )


def test_markdown_gets_footnotes() -> None:
    assert noted_markdown(_TEXT, (_NOTE,)) == (
        "Owls fledged 5.2 young [1].[^check-1]\n\nMore text.\n\n[^check-1]: Wrong number.\n"
    )


def test_html_gets_marks_and_loses_its_scripts() -> None:
    page = f"<html><body><p>{_CLAIM}</p><script>alert(1)</script><p>Other.</p></body></html>"

    copy = noted_html(page.encode(), notes=(_NOTE,))

    mark = '<sup id="check-1"><a href="#check-note-1">[1]</a></sup>'
    assert f"<p>{_CLAIM}{mark}</p>" in copy
    assert "<script>" not in copy


def test_a_word_document_gets_comments() -> None:
    document = docx.Document()
    document.add_paragraph("Another sentence about something else.")
    document.add_paragraph(f"Before. {_CLAIM} After.")
    written = io.BytesIO()
    document.save(written)

    copy = base64.b64decode(noted_docx(written.getvalue(), notes=(_NOTE,)))

    comments = list(docx.Document(io.BytesIO(copy)).comments)
    assert [(each.author, each.text) for each in comments] == [("Webquarry", "Wrong number.")]


def test_a_pdf_gets_a_highlight_where_the_sentence_is() -> None:
    written = io.BytesIO()
    canvas = Canvas(written)
    canvas.drawString(72, 700, "Owls fledged 5.2")
    canvas.drawString(72, 680, "young. Another sentence.")
    canvas.save()

    copy = base64.b64decode(noted_pdf(written.getvalue(), notes=(_NOTE,)))

    raw: Any = pdfium
    document: Any = pypdfium2.PdfDocument(copy)
    page = document[0]
    assert raw.FPDFPage_GetAnnotCount(page) == 1
    annotation = raw.FPDFPage_GetAnnot(page, 0)
    assert raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_HIGHLIGHT
    assert raw.FPDFAnnot_CountAttachmentPoints(annotation) == 2
    raw.FPDFPage_CloseAnnot(annotation)
    page.close()
    document.close()
