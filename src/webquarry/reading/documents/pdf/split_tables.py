"""Joins the parts of a table that continues on the next page."""

import re
from collections.abc import Sequence

from webquarry.reading.documents.pdf.pdf_blocks import PdfBlock
from webquarry.reading.documents.pdf.table_words import is_number

# in the title that is repeated above the second part
_CONTINUED = re.compile(
    r"\b(?:continued|cont(?:inuation|[.\u2019']?d)?|fortsetzung|suite|continuaci[oó]n|segue)\b",
    re.IGNORECASE,
)
_MAX_TITLE = 300
_MAX_HEADER = 4  # rows


def join_tables(blocks: Sequence[PdfBlock]) -> list[PdfBlock]:
    """Return the blocks with one table for its parts; their repeated header stands once."""
    out: list[PdfBlock] = []
    last: PdfBlock | None = None  # a table that the next page may continue
    ends = 0  # the page on which it ends
    for block in blocks:
        if last and block.kind == "table" and block.page == ends + 1 and _continues(last, block):
            last.rows += block.rows[_repeated(last.rows, block.rows) :]
            last.phrases += block.phrases
            ends = block.page
            continue
        out.append(block)
        if block.kind == "table":
            last, ends = block, block.page
        elif not _is_title(block, ends):
            last = None
    return out


def _is_title(block: PdfBlock, ends: int) -> bool:
    """Return whether a block is the title of the part on the next page."""
    text = " ".join(block.lines)
    return block.page == ends + 1 and len(text) <= _MAX_TITLE and bool(_CONTINUED.search(text))


def _continues(last: PdfBlock, block: PdfBlock) -> bool:
    if not last.rows or not block.rows or len(last.rows[0]) != len(block.rows[0]):
        return False
    if _repeated(last.rows, block.rows):
        return True
    first, header = _shape(block.rows[0]), _shape(last.rows[0])
    return any(first) and first == _shape(last.rows[-1]) != header


def _repeated(rows: Sequence[Sequence[str]], more: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the start are the same."""
    count = 0
    for row, other in zip(rows[:_MAX_HEADER], more[:-1], strict=False):
        if _plain(row) != _plain(other):
            break
        count += 1
    return count


def _plain(row: Sequence[str]) -> list[str]:
    return ["".join(cell.split()).casefold() for cell in row]


def _shape(row: Sequence[str]) -> list[bool]:
    """Return which cells of a row are numbers."""
    return [is_number(cell.strip()) for cell in row]
