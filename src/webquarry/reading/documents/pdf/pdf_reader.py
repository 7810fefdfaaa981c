"""PDF: text in reading order, headings, tables and metadata as Markdown."""

import re
from collections import Counter
from importlib import import_module
from typing import Any

from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    MAX_OUTLINE,
    DocumentDraft,
    DocumentTask,
    EncryptedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.pdf.glyphs import GlyphReader, Glyphs
from webquarry.reading.documents.pdf.layout import PdfLine, page_columns
from webquarry.reading.documents.pdf.ocr import recognize_text
from webquarry.reading.documents.pdf.page_furniture import without_furniture
from webquarry.reading.documents.pdf.page_tables import place_tables
from webquarry.reading.documents.pdf.pdf_blocks import PdfBlock, body_of, document_blocks
from webquarry.reading.documents.pdf.pdf_markdown import PdfMarkdown, heading_key, mark_pages
from webquarry.reading.documents.pdf.raised_numbers import raised_numbers
from webquarry.reading.documents.pdf.running_headers import remove_running_headers

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
_UNKNOWN = 0.05  # share of characters that are not known
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
        texts = _scanned_texts(task, draft, raw, scans)
        _write(task, draft, pages, texts, _outline(document, draft))
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
    reader = GlyphReader(raw, mark_raised=task.marked)
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


def _scanned_texts(
    task: DocumentTask, draft: DocumentDraft, raw: Any, scans: list[tuple[int, Any]]
) -> dict[int, str]:
    if not scans:
        return {}
    if task.tesseract:
        return recognize_text(task, draft, raw, scans)
    count = len(scans)
    if count == draft.page_count:
        raise UnreadableDocument(
            f"is a scanned PDF without text ({count} page{'s'[: count > 1]}); reading it needs "
            "tesseract, which is not installed"
        )
    pages = "pages are" if count > 1 else "page is"
    draft.warnings.append(
        f"{count} {pages} scanned images without text; "
        "reading them needs tesseract, which is not installed"
    )
    return {}


def _write(
    task: DocumentTask,
    draft: DocumentDraft,
    pages: dict[int, Glyphs],
    texts: dict[int, str],
    outline: dict[str, int],
) -> None:
    layouts = _layouts(list(pages.values()))
    notes = [_called_notes(columns) if task.marked else set[str]() for columns in layouts]
    blocks: list[PdfBlock] = []
    for index, found in zip(pages, document_blocks(layouts, body_of(layouts), notes), strict=True):
        page = _page_blocks(found, texts.get(index, ""), index + 1)
        blocks += page
        draft.uncertain += _uncertain(page, index + 1, is_recognized=index in texts)
    if task.marked:
        mark_pages(blocks)
    markdown = PdfMarkdown(blocks, outline)
    chunks = markdown.chunks()
    draft.set_markdown(chunks, markdown.pages)
    _describe(draft, markdown, has_first=0 in pages)
    if not draft.markdown:
        raise UnreadableDocument("has no text on the pages that were read")


def _layouts(pages: list[Glyphs]) -> list[list[list[PdfLine]]]:
    """Return the columns of each page, without running heads."""
    for page in pages:
        page.runs = place_tables(page.runs, page.rules)
    remove_running_headers([page.runs for page in pages])
    return page_columns([without_furniture(page.runs) for page in pages])


def _called_notes(columns: list[list[PdfLine]]) -> set[str]:
    """Return the raised numbers on a page, which may call footnotes."""
    return {number for column in columns for line in column for number in raised_numbers(line.text)}


def _page_blocks(blocks: list[PdfBlock], text: str, number: int) -> list[PdfBlock]:
    """Return the blocks of a page, and those of the text that was recognized on it."""
    blocks += [PdfBlock("text", [part]) for part in filter(None, text.split("\n\n"))]
    for block in blocks:
        block.page = number
    return blocks


def _describe(draft: DocumentDraft, markdown: PdfMarkdown, *, has_first: bool) -> None:
    """Take outline, figures and title from the text where the file does not declare them."""
    draft.figures = markdown.figures
    if not draft.outline:
        draft.outline = markdown.headings[:MAX_OUTLINE]
        draft.outline_pages = markdown.heading_pages[:MAX_OUTLINE]
    if not draft.title and markdown.headings and has_first:
        draft.title = min(markdown.headings[:3], key=lambda heading: heading[0])[1]


def _uncertain(blocks: list[PdfBlock], page: int, *, is_recognized: bool) -> list[tuple[int, str]]:
    """Return what may be read wrongly on a page."""
    tables = sum(block.kind == "table" and not block.is_ruled for block in blocks)
    several = f"{tables} tables" if tables > 1 else "a table"
    text = "".join(line for block in blocks for line in block.lines)
    reasons = {
        "text recognition read this page": is_recognized,
        f"{several} without rules: gaps show the columns": tables > 0,
        "its font does not say which letters it shows": _is_unknown(text),
    }
    return [(page, reason) for reason, applies in reasons.items() if applies]


def _is_unknown(text: str) -> bool:
    return text.count("\ufffd") > _UNKNOWN * len(text)


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
