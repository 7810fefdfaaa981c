"""A copy of a Word document with comments."""

import base64
import io
from collections.abc import Iterator
from itertools import chain
from typing import Any

from rapidfuzz import fuzz

from webquarry.services.checking.reports.check_notes import DocumentNote

_AUTHOR, _INITIALS = "Webquarry", "WQ"
_MIN_SIMILARITY = 80.0  # of 100: the paragraph has the sentence


def noted_docx(content: bytes, *, notes: tuple[DocumentNote, ...]) -> str:
    """Return the document with a comment at each note, in base64: a task of a worker."""
    # imported here: it loads a template and takes a while
    from docx import Document

    document: Any = Document(io.BytesIO(content))
    paragraphs = [each for each in _paragraphs(document) if each.runs]
    texts = [" ".join(each.text.split()) for each in paragraphs]
    for note in notes:
        scores = [fuzz.partial_ratio(note.text, text) if text else 0.0 for text in texts]
        best = max(range(len(scores)), key=lambda at: scores[at], default=None)
        if best is None:
            break
        if scores[best] < _MIN_SIMILARITY:
            best = 0  # a note whose place is not found stands at the beginning
        runs = paragraphs[best].runs
        document.add_comment(
            runs=[runs[0], runs[-1]], text=note.message, author=_AUTHOR, initials=_INITIALS
        )
    written = io.BytesIO()
    document.save(written)
    return base64.b64encode(written.getvalue()).decode()


def _paragraphs(document: Any) -> Iterator[Any]:
    """Yield the paragraphs of the body and of its tables."""
    tables = (cell.paragraphs for table in document.tables for cell in table._cells)  # noqa: SLF001
    return chain(document.paragraphs, chain.from_iterable(tables))
