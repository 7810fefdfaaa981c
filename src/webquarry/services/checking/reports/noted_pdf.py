"""A copy of a PDF with a highlight and a note at each place."""

import base64
import ctypes
import io
import re
from typing import Any

from webquarry.services.checking.reports.check_notes import DocumentNote

_RED, _YELLOW = (255, 170, 160), (255, 235, 120)
_MIN_CHARS = 24  # of a sentence whose rest is on another line or page
_SPACES = re.compile(r"[\s\u00ad\u0002\ufffe-]+")


def noted_pdf(content: bytes, *, notes: tuple[DocumentNote, ...]) -> str:
    """Return the document with highlights, in base64: a task of a worker."""
    # imported here: it loads a library
    import pypdfium2

    document: Any = pypdfium2.PdfDocument(content)
    pages = [_PdfPage(document[number]) for number in range(len(document))]
    for note in notes:
        for page in pages:
            if page.highlight(note):
                break
        else:
            pages[0].add_note(note)
    written = io.BytesIO()
    document.save(written)
    for page in pages:
        page.close()
    document.close()
    return base64.b64encode(written.getvalue()).decode()


class _PdfPage:
    """A page and its text without spaces and hyphens, which line ends change."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._text: Any = page.get_textpage()
        characters = [
            (at, character)
            for at, character in enumerate(self._text.get_text_range())
            if not _SPACES.fullmatch(character)
        ]
        self._places = [at for at, _ in characters]
        self._plain = "".join(character for _, character in characters).casefold()
        self._notes = 0

    def highlight(self, note: DocumentNote) -> bool:
        """Highlight the text of a note; return whether the page has it."""
        wanted = _SPACES.sub("", note.text).casefold()
        at = self._plain.find(wanted) if wanted else -1
        size = len(wanted)
        if at < 0 and size > _MIN_CHARS:
            size = _MIN_CHARS
            at = self._plain.find(wanted[:size])
        if at < 0 or at + size > len(self._places):
            return False
        first, last = self._places[at], self._places[at + size - 1]
        count = self._text.count_rects(first, last - first + 1)
        boxes = [self._text.get_rect(index) for index in range(count)]
        if boxes:
            self._annotate("highlight", boxes, note)
        return bool(boxes)

    def add_note(self, note: DocumentNote) -> None:
        """Put a note at the top of the page, whose place in the document is not found."""
        height = self._page.get_height()
        left = 10.0 + 24.0 * self._notes
        self._notes += 1
        self._annotate("note", [(left, height - 30.0, left + 20.0, height - 10.0)], note)

    def close(self) -> None:
        """Release the text and the page."""
        self._text.close()
        self._page.close()

    def _annotate(
        self, kind: str, boxes: list[tuple[float, float, float, float]], note: DocumentNote
    ) -> None:
        import pypdfium2.raw as pdfium

        raw: Any = pdfium
        subtype = raw.FPDF_ANNOT_HIGHLIGHT if kind == "highlight" else raw.FPDF_ANNOT_TEXT
        annotation = raw.FPDFPage_CreateAnnot(self._page, subtype)
        red, green, blue = _RED if note.is_finding else _YELLOW
        raw.FPDFAnnot_SetColor(annotation, raw.FPDFANNOT_COLORTYPE_Color, red, green, blue, 255)
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        whole = raw.FS_RECTF(min(lefts), max(tops), max(rights), min(bottoms))
        raw.FPDFAnnot_SetRect(annotation, whole)
        if kind == "highlight":
            for left, bottom, right, top in boxes:
                corners = (left, top, right, top, left, bottom, right, bottom)
                raw.FPDFAnnot_AppendAttachmentPoints(annotation, raw.FS_QUADPOINTSF(*corners))
        _set_text(raw, annotation, b"Contents", note.message)
        _set_text(raw, annotation, b"T", "Webquarry")
        raw.FPDFPage_CloseAnnot(annotation)


def _set_text(raw: Any, annotation: Any, key: bytes, text: str) -> None:
    encoded = (text + "\0").encode("utf-16-le")
    buffer = ctypes.create_string_buffer(encoded, len(encoded))
    wide = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    raw.FPDFAnnot_SetStringValue(annotation, key, wide)
