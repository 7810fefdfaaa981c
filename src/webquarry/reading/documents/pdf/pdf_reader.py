"""PDF: text in reading order, headings, tables and metadata as Markdown."""

import re
from collections import Counter
from importlib import import_module
from typing import Any

from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    MAX_OUTLINE,
    NEEDS_RECOGNITION,
    DocumentDraft,
    DocumentTask,
    EncryptedDocument,
    ScannedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.ocr.page_recognition import RecognizedPages, recognize_pages
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.pdf.glyphs import GlyphReader, Glyphs
from webquarry.reading.documents.pdf.page_image import PaintedPage
from webquarry.reading.documents.pdf.pdf_markdown import heading_key
from webquarry.reading.documents.pdf.pdf_writing import write_pages

_PASSWORD, _SECURITY = 4, 5  # pdfium's error codes
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?([Zz+-])?(\d\d)?'?(\d\d)?")
_PLACEHOLDER = re.compile(
    r"untitled.*|\(?(?:anonymous|unspecified|unknown)\)?|microsoft word.*|slide 1|\W*|"
    r".*\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|rtf)",
    re.IGNORECASE,
)
_AUTHORS = re.compile(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s+and\s+")
_SCANNED_CHARS = 10  # a page with fewer and an image is scanned
_RENDER_SHARE = 0.3  # of the time, in which pages may be rendered to find hidden text
_MAX_CHARS = 2 * MAX_MARKDOWN


def read_pdf(task: DocumentTask) -> DocumentDraft:
    """Return the requested pages."""
    library: Any = import_module("pypdfium2")
    raw: Any = import_module("pypdfium2.raw")
    draft = DocumentDraft("pdf")
    document = _open(library, task.data)
    try:
        draft.page_count = len(document)
        if not draft.page_count:
            raise UnreadableDocument("is broken: it has no pages")
        _metadata(document, draft, raw)
        pages, scans = _pages(task, draft, document, raw)
        found = _recognized(task, draft, raw, scans)
        outline = _outline(document, draft)
        write_pages(task, draft, pages | found.pages, found.confidence, outline)
    finally:
        document.close()
    return draft


def _open(library: Any, data: bytes) -> Any:
    try:
        return library.PdfDocument(data)
    except library.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in (_PASSWORD, _SECURITY) or "password" in str(error).lower():
            raise EncryptedDocument("is an encrypted PDF: it opens only with a password") from error
        raise UnreadableDocument("is broken: it cannot be opened as a PDF") from error


def _pages(
    task: DocumentTask, draft: DocumentDraft, document: Any, raw: Any
) -> tuple[dict[int, Glyphs], list[tuple[int, Any]]]:
    """Return the words of each page, and the pages that are scanned images."""
    reader = GlyphReader(raw, is_marked=task.marked)
    pages: dict[int, Glyphs] = {}
    scans: list[tuple[int, Any]] = []
    size = unchecked = 0
    hidden: Counter[str] = Counter()
    indexes = selected_indexes(task, len(document), draft)
    for done, index in enumerate(indexes):
        if size > _MAX_CHARS or task.out_of_time():
            draft.truncate(f"stopped after {done} of {len(indexes)} pages")
            break
        try:
            page = document[index]
            glyphs: Glyphs = reader.read(page, may_render=not task.out_of_time(_RENDER_SHARE))
        except RuntimeError:  # PdfiumError is a subclass
            draft.warnings.append(f"page {index + 1} is damaged and could not be read")
            continue
        length = sum(len(run.text) for run in glyphs.runs)
        if length < _SCANNED_CHARS and glyphs.has_image:
            scans.append((index, page))
        else:
            page.close()
        pages[index] = glyphs
        size += length
        hidden += glyphs.hidden
        unchecked += glyphs.unchecked
    _warn_of_hidden_text(draft, hidden, unchecked)
    return pages, scans


def _warn_of_hidden_text(draft: DocumentDraft, hidden: Counter[str], unchecked: int) -> None:
    for reason, count in hidden.most_common():
        draft.warnings.append(
            f"hidden text was left out: {count:,} character{'s'[: count > 1]} {reason}"
        )
    if unchecked:
        draft.warnings.append(
            f"{unchecked} page{'s'[: unchecked > 1]} may have text that is covered or in the "
            "colour of the background: checking them would take too long"
        )


def _recognized(
    task: DocumentTask, draft: DocumentDraft, raw: Any, scans: list[tuple[int, Any]]
) -> RecognizedPages:
    if not scans:
        return RecognizedPages()
    if task.recognizer:
        images = [(index, PaintedPage(raw, page)) for index, page in scans]
        return recognize_pages(task, draft, images, len(scans))
    draft.scans = count = len(scans)
    if count == draft.page_count:
        raise ScannedDocument(
            f"is a scanned PDF without text ({count} page{'s'[: count > 1]}); {NEEDS_RECOGNITION}",
            draft.language,
        )
    pages = "pages are scanned images" if count > 1 else "page is a scanned image"
    draft.warnings.append(f"{count} {pages} without text; {NEEDS_RECOGNITION}")
    return RecognizedPages()


def _metadata(document: Any, draft: DocumentDraft, raw: Any) -> None:
    fields: dict[str, str] = document.get_metadata_dict()
    title = " ".join(fields.get("Title", "").split())
    draft.title = "" if _PLACEHOLDER.fullmatch(title) else title
    authors = _AUTHORS.split(fields.get("Author", "").strip())
    draft.authors = [author for author in authors if author and not _PLACEHOLDER.fullmatch(author)]
    draft.published = _date(fields.get("CreationDate", ""))
    draft.modified = _date(fields.get("ModDate", ""))
    get_language = getattr(raw, "FPDFCatalog_GetLanguage", None)
    draft.language = _language(document, get_language) if get_language else ""


def _language(document: Any, get_language: Any) -> str:
    import ctypes

    size = get_language(document.raw, None, 0)
    if not 2 < size < 200:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get_language(document.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").strip("\x00")


def _date(text: str) -> str:
    """Return D:20240305123000+01'00' as ISO 8601, with the same precision."""
    match = _DATE.match(text.strip())
    if match is None or not 1 <= int(match[2] or 1) <= 12 or not 1 <= int(match[3] or 1) <= 31:
        return ""
    date = "-".join(part for part in match.groups()[:3] if part)
    if not match[3] or not match[5]:
        return date
    return f"{date}T{match[4]}:{match[5]}:{match[6] or '00'}{_zone(match)}"


def _zone(match: re.Match[str]) -> str:
    if match[7] in ("Z", "z"):
        return "Z"
    return f"{match[7]}{match[8]}:{match[9] or '00'}" if match[7] and match[8] else ""


def _target(bookmark: Any) -> int:
    """Return the page of a bookmark, 0 if it has none."""
    target = bookmark.get_dest()
    index = target.get_index() if target else None
    return index + 1 if index is not None and index >= 0 else 0


def _outline(document: Any, draft: DocumentDraft) -> dict[str, int]:
    """Read the bookmarks; return the level of each title, by which headings are recognized."""
    levels: dict[str, int] = {}
    try:
        for bookmark in document.get_toc(max_depth=6):
            title = " ".join((bookmark.get_title() or "").split())
            if title and len(draft.outline) < MAX_OUTLINE:
                draft.outline.append((bookmark.level + 1, title))
                draft.outline_pages.append(_target(bookmark))
            levels.setdefault(heading_key(title), bookmark.level + 1)
    except (RuntimeError, RecursionError, ValueError):
        draft.warnings.append("the table of contents is damaged")
    return levels
