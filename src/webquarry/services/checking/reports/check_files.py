"""The result of a check as a file of the wanted form."""

import base64
from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptFormat
from webquarry.errors import BadInputError
from webquarry.models.document_check import DocumentCheck
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import WORKER_ONLY, ParseTask
from webquarry.services.checking.reports.check_notes import DocumentNote, document_notes
from webquarry.services.checking.reports.check_page import check_html
from webquarry.services.checking.reports.check_texts import check_csv, check_json, check_markdown
from webquarry.services.checking.reports.noted_docx import noted_docx
from webquarry.services.checking.reports.noted_markup import noted_html, noted_markdown
from webquarry.services.checking.reports.noted_pdf import noted_pdf

CheckForm = Literal["json", "md", "html", "csv", "docx", "pdf", "noted"]
_SECONDS = 30.0  # of CPU time for a copy
_WRITERS: dict[str, tuple[Callable[[DocumentCheck], str], str]] = {
    "json": (check_json, "application/json"),
    "md": (check_markdown, "text/markdown"),
    "html": (check_html, "text/html"),
    "csv": (check_csv, "text/csv"),
}
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class CheckFile(NamedTuple):
    """A file with a result."""

    content: bytes
    media_type: str
    ending: str


def check_form(text: str) -> CheckForm:
    """Return the form of that name."""
    forms: tuple[CheckForm, ...] = get_args(CheckForm)
    for form in forms:
        if form == text:
            return form
    raise BadInputError(f"as: unknown form {text!r}; known: {', '.join(forms)}")


def copy_ending(form: CheckForm, kind: ManuscriptFormat) -> str:
    """Return the file ending of a copy with notes; refuse one of another format."""
    if form not in ("noted", kind):
        wanted = form.upper()
        raise BadInputError(
            f"A {wanted} copy with notes needs a {wanted} document; this one is {kind}. "
            "Use noted, html or md."
        )
    return kind if kind in ("docx", "pdf", "html") else "md"


async def check_file(
    check: DocumentCheck, form: CheckForm, manuscript: Manuscript, data: bytes, parsers: Parsers
) -> CheckFile:
    """Return a report, or a copy of the document with notes: `noted`, in the document's format."""
    if form in _WRITERS:
        write, media_type = _WRITERS[form]
        return CheckFile(write(check).encode("utf-8", "replace"), media_type, form)
    kind = copy_ending(form, manuscript.format)
    notes = document_notes(check)
    if kind == "docx":
        content = await _binary_copy(noted_docx, data, notes, parsers)
        return CheckFile(content, _DOCX, "docx")
    if kind == "pdf":
        content = await _binary_copy(noted_pdf, data, notes, parsers)
        return CheckFile(content, "application/pdf", "pdf")
    if kind == "html":
        task = ParseTask(noted_html, subject="The document", seconds=_SECONDS)
        page = await parsers.run(task, data, notes=notes)
        return CheckFile(page.encode("utf-8", "replace"), "text/html", "html")
    text = noted_markdown(manuscript.text, notes)
    return CheckFile(text.encode("utf-8", "replace"), "text/markdown", "md")


async def _binary_copy(
    write: Callable[..., str], data: bytes, notes: tuple[DocumentNote, ...], parsers: Parsers
) -> bytes:
    task = ParseTask(write, subject="The document", inline_bytes=WORKER_ONLY, seconds=_SECONDS)
    return base64.b64decode(await parsers.run(task, data, notes=notes))
