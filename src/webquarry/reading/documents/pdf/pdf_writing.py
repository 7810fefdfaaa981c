"""Writes the words of pages as Markdown, with outline, figures and what is uncertain."""

from collections.abc import Mapping

from webquarry.reading.documents.draft import (
    MAX_OUTLINE,
    DocumentDraft,
    DocumentTask,
    UnreadableDocument,
)
from webquarry.reading.documents.pdf.glyphs import Glyphs
from webquarry.reading.documents.pdf.layout import PdfLine, page_columns
from webquarry.reading.documents.pdf.line_kinds import body_of
from webquarry.reading.documents.pdf.page_furniture import without_furniture
from webquarry.reading.documents.pdf.page_tables import place_tables
from webquarry.reading.documents.pdf.pdf_blocks import PdfBlock, document_blocks
from webquarry.reading.documents.pdf.pdf_markdown import PdfMarkdown, mark_pages
from webquarry.reading.documents.pdf.raised_numbers import raised_numbers
from webquarry.reading.documents.pdf.running_headers import remove_running_headers

_UNKNOWN = 0.05  # share of characters that are not known


def write_pages(
    task: DocumentTask,
    draft: DocumentDraft,
    pages: dict[int, Glyphs],
    confidence: Mapping[int, float],
    outline: dict[str, int] | None = None,
) -> None:
    """Write the pages into the draft; `confidence`: of those that text recognition read."""
    layouts = _layouts(list(pages.values()))
    notes = [_called_notes(columns) if task.marked else set[str]() for columns in layouts]
    blocks: list[PdfBlock] = []
    for index, found in zip(pages, document_blocks(layouts, body_of(layouts), notes), strict=True):
        for block in found:
            block.page = index + 1
        blocks += found
        draft.uncertain += _uncertain(found, index + 1, confidence.get(index))
    if task.marked:
        mark_pages(blocks)
    markdown = PdfMarkdown(blocks, outline or {})
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


def _describe(draft: DocumentDraft, markdown: PdfMarkdown, *, has_first: bool) -> None:
    """Take outline, figures and title from the text where the file does not declare them."""
    draft.figures = markdown.figures
    if not draft.outline:
        draft.outline = markdown.headings[:MAX_OUTLINE]
        draft.outline_pages = markdown.heading_pages[:MAX_OUTLINE]
    if not draft.title and markdown.headings and has_first:
        draft.title = min(markdown.headings[:3], key=lambda heading: heading[0])[1]


def _uncertain(
    blocks: list[PdfBlock], page: int, confidence: float | None
) -> list[tuple[int, str]]:
    """Return what may be read wrongly on a page."""
    tables = sum(block.kind == "table" and not block.is_ruled for block in blocks)
    several = f"{tables} tables" if tables > 1 else "a table"
    formulas = sum(block.kind == "formula" for block in blocks)
    text = "".join(line for block in blocks for line in block.lines)
    reasons = {
        f"text recognition read this page, confidence {confidence or 0:.0%}": confidence
        is not None,
        f"{several} without rules: gaps show the columns": tables > 0,
        f"{formulas} formula{'s'[: formulas > 1]}: characters without their layout": formulas > 0,
        "its font does not say which letters it shows": _is_unknown(text),
    }
    return [(page, reason) for reason, applies in reasons.items() if applies]


def _is_unknown(text: str) -> bool:
    return text.count("\ufffd") > _UNKNOWN * len(text)
