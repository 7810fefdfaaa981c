"""PDF: text in reading order, headings, tables and metadata as Markdown."""

import re
from importlib import import_module
from typing import Any

from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    MAX_OUTLINE,
    DocumentTask,
    Draft,
    Encrypted,
    Unreadable,
)
from webquarry.reading.documents.page_selection import selected
from webquarry.reading.documents.pdf.glyphs import GlyphReader, Glyphs, WordRun
from webquarry.reading.documents.pdf.layout import columns_of
from webquarry.reading.documents.pdf.ocr import recognised
from webquarry.reading.documents.pdf.pdf_blocks import PdfBlock, blocks_of, body_of
from webquarry.reading.documents.pdf.pdf_markdown import Prose, key_of
from webquarry.reading.documents.pdf.running_headers import strip_furniture

_PASSWORD, _SECURITY = 4, 5  # pdfium's error codes
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?([Zz+-])?(\d\d)?'?(\d\d)?")
_SAYS_NOTHING = re.compile(
    r"untitled.*|\(?(?:anonymous|unspecified|unknown)\)?|microsoft word.*|slide 1|\W*|"
    r".*\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|rtf)",
    re.IGNORECASE,
)
_AUTHORS = re.compile(r"\s*;\s*|\s+and\s+")
_SCANNED = 10  # characters: a page with fewer and an image is a picture of a page
_MOST_FOUND = 2 * MAX_MARKDOWN


def read_pdf(task: DocumentTask) -> Draft:
    """Return the pages that were asked for."""
    library: Any = import_module("pypdfium2")
    raw: Any = import_module("pypdfium2.raw")
    draft = Draft("pdf")
    document = _opened(library, task.data)
    try:
        draft.page_count = len(document)
        if not draft.page_count:
            raise Unreadable("is broken: it has no pages")
        _metadata(document, draft, raw)
        pages, scans = _pages(task, draft, document, raw)
        texts = _scanned(task, draft, raw, scans)
        _write(draft, pages, texts, _outline(document, draft))
    finally:
        document.close()
    return draft


def _opened(library: Any, data: bytes) -> Any:
    try:
        return library.PdfDocument(data)
    except library.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in (_PASSWORD, _SECURITY) or "password" in str(error).lower():
            raise Encrypted("is an encrypted PDF: it opens only with a password") from error
        raise Unreadable("is broken: it cannot be opened as a PDF") from error


def _pages(
    task: DocumentTask, draft: Draft, document: Any, raw: Any
) -> tuple[dict[int, list[WordRun]], list[tuple[int, Any]]]:
    """Return the words of each page, and the pages that are only pictures."""
    reader = GlyphReader(raw)
    pages: dict[int, list[WordRun]] = {}
    scans: list[tuple[int, Any]] = []
    size = hidden = 0
    wanted = selected(task, len(document), draft)
    for done, place in enumerate(wanted):
        if size > _MOST_FOUND or task.out_of_time():
            draft.cut(f"stopped after {done} of {len(wanted)} pages")
            break
        try:
            page = document[place]
            glyphs: Glyphs = reader.read(page)
        except RuntimeError:  # pdfium's own error is one
            draft.warnings.append(f"page {place + 1} is damaged and could not be read")
            continue
        length = sum(len(run.text) for run in glyphs.runs)
        if length < _SCANNED and glyphs.has_image:
            scans.append((place, page))
        else:
            page.close()
        pages[place] = glyphs.runs
        size += length
        hidden += glyphs.hidden
    if hidden:
        draft.warnings.append(f"{hidden:,} characters of invisible text were left out")
    return pages, scans


def _scanned(
    task: DocumentTask, draft: Draft, raw: Any, scans: list[tuple[int, Any]]
) -> dict[int, str]:
    if not scans:
        return {}
    if task.tesseract:
        return recognised(task, draft, raw, scans)
    count = len(scans)
    said = f"{count} page{'s are' if count > 1 else ' is'} scanned images without text"
    if count == draft.page_count:
        raise Unreadable(
            f"is a scanned PDF without text ({count} page{'s'[: count > 1]}); reading it needs "
            "tesseract, which is not installed"
        )
    draft.warnings.append(f"{said}; reading them needs tesseract, which is not installed")
    return {}


def _write(
    draft: Draft,
    pages: dict[int, list[WordRun]],
    texts: dict[int, str],
    outline: dict[str, int],
) -> None:
    strip_furniture(list(pages.values()))
    laid_out = {place: columns_of(runs) for place, runs in pages.items()}
    body = body_of(list(laid_out.values()))
    blocks: list[PdfBlock] = []
    for place, columns in laid_out.items():
        for column in columns:
            blocks += blocks_of(column, body)
        if place in texts:
            blocks += [PdfBlock("text", [part]) for part in texts[place].split("\n\n") if part]
    prose = Prose(blocks, outline)
    draft.write(prose.chunks())
    if not draft.outline:
        draft.outline = prose.headings[:MAX_OUTLINE]
    if not draft.title and prose.headings and 0 in pages:
        draft.title = min(prose.headings[:3], key=lambda found: found[0])[1]
    if not draft.markdown:
        raise Unreadable("has no text on the pages that were read")


def _metadata(document: Any, draft: Draft, raw: Any) -> None:
    said: dict[str, str] = document.get_metadata_dict()
    title = " ".join(said.get("Title", "").split())
    draft.title = "" if _SAYS_NOTHING.fullmatch(title) else title
    authors = _AUTHORS.split(said.get("Author", "").strip())
    draft.authors = [author for author in authors if author and not _SAYS_NOTHING.fullmatch(author)]
    draft.published = _date(said.get("CreationDate", ""))
    draft.modified = _date(said.get("ModDate", ""))
    buffer = raw.FPDFCatalog_GetLanguage if hasattr(raw, "FPDFCatalog_GetLanguage") else None
    draft.language = _language(document, buffer) if buffer else ""


def _language(document: Any, ask: Any) -> str:
    import ctypes

    size = ask(document.raw, None, 0)
    if not 2 < size < 200:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(document.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").strip("\x00")


def _date(said: str) -> str:
    """Return D:20240305123000+01'00' as ISO 8601, as precise as it is."""
    match = _DATE.match(said.strip())
    if match is None or not 1 <= int(match[2] or 1) <= 12 or not 1 <= int(match[3] or 1) <= 31:
        return ""
    date = "-".join(part for part in match.groups()[:3] if part)
    if not match[3] or not match[5]:
        return date
    zone = ""
    if match[7] in ("Z", "z"):
        zone = "Z"
    elif match[7] and match[8]:
        zone = f"{match[7]}{match[8]}:{match[9] or '00'}"
    return f"{date}T{match[4]}:{match[5]}:{match[6] or '00'}{zone}"


def _outline(document: Any, draft: Draft) -> dict[str, int]:
    """Read the bookmarks; return the level of each title, to recognise headings by."""
    levels: dict[str, int] = {}
    try:
        for mark in document.get_toc(max_depth=6):
            title = " ".join((mark.get_title() or "").split())
            if title and len(draft.outline) < MAX_OUTLINE:
                draft.outline.append((mark.level + 1, title))
            levels.setdefault(key_of(title), mark.level + 1)
    except (RuntimeError, RecursionError, ValueError):
        draft.warnings.append("the table of contents is damaged")
    return levels
