"""Excel workbooks (xlsx): every visible sheet as a table, read row by row."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.content.text.length_limits import cap_text
from webquarry.reading.documents.cells import WHITE, NumberFormats, column_index, displayed_value
from webquarry.reading.documents.draft import (
    MAX_COLUMNS,
    MAX_MARKDOWN,
    DocumentDraft,
    DocumentTask,
    UnreadableDocument,
)
from webquarry.reading.documents.ooxml import (
    Relation,
    main_part,
    read_properties,
    related_part,
    relations,
)
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.pipe_table import limit_rows, pipe_table
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, parse_xml

_MAX_SHEETS = 100
_COLUMN = re.compile(rb"<(?:\w{1,20}:)?col\s[^<>]{1,400}>")
_HIDDEN = re.compile(rb"""\shidden=["'](?:1|true)["']""")
_EDGES = (re.compile(rb"""\smin=["'](\d{1,6})["']"""), re.compile(rb"""\smax=["'](\d{1,6})["']"""))
_MAX_COLUMN_BYTES = 200_000
_BACKGROUNDS = re.compile(rb"<(?:\w{1,20}:)?(?:tablePart|conditionalFormatting|picture)\b")
_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)


@dataclass(slots=True)
class _Workbook:
    archive: Archive
    links: dict[str, Relation]
    strings: list[str]
    formats: NumberFormats
    draft: DocumentDraft
    room: int = MAX_MARKDOWN
    hidden_rows: int = 0
    hidden: Counter[str] = field(default_factory=Counter[str])


@dataclass(slots=True)
class _Sheet:
    book: _Workbook
    hidden_columns: frozenset[int]
    may_have_background: bool  # from a table style, a condition or a picture


def read_xlsx(task: DocumentTask) -> DocumentDraft:
    """Return a section per sheet."""
    draft = DocumentDraft("xlsx")
    archive = Archive(task.data)
    read_properties(archive, draft)
    main = main_part(archive, "xl/workbook.xml")
    tree = archive.tree(main)
    links = relations(archive, main)
    entries = child(tree, "sheets")
    sheets = list(entries) if entries is not None else []
    draft.page_count = len(sheets)
    strings = _shared_strings(archive, related_part(links, "sharedStrings"))
    book = _Workbook(archive, links, strings, _number_formats(archive, tree, links), draft)
    indexes = selected_indexes(task, len(sheets), draft, "sheet")
    if len(indexes) > _MAX_SHEETS:
        draft.truncate(f"only the first {_MAX_SHEETS} of {len(indexes)} sheets were read")
    draft.set_markdown(_sheet(book, sheets[index]) for index in indexes[:_MAX_SHEETS])
    if book.hidden_rows:
        draft.warnings.append(f"{book.hidden_rows:,} hidden rows were left out")
    draft.warn_of_hidden(book.hidden)
    if not draft.markdown:
        raise UnreadableDocument("has no values in its sheets")
    return draft


def _number_formats(
    archive: Archive, workbook: Element, links: dict[str, Relation]
) -> NumberFormats:
    styles = archive.optional_tree(related_part(links, "styles"))
    properties = child(workbook, "workbookPr")
    since_1904 = properties is not None and attribute(properties, "date1904") in ("1", "true")
    return NumberFormats(styles, since_1904=since_1904)


def _sheet(book: _Workbook, entry: Element) -> str:
    name = attribute(entry, "name")
    if attribute(entry, "state") in ("hidden", "veryHidden"):
        book.draft.warnings.append(f"sheet {name!r} is hidden and was left out")
        return ""
    relation = next((book.links[str(value)] for key, value in entry.attrib.items()
                     if str(key).endswith("}id") and str(value) in book.links), None)  # fmt: skip
    if relation is None or relation.target not in book.archive or relation.kind == "chartsheet":
        return ""
    book.draft.outline.append((1, name))
    rows, more = limit_rows(_rows(book, book.archive.read(relation.target)), book.draft, book.room)
    if more:
        book.draft.truncate(
            f"sheet {name!r}: {more:,} further rows were left out after the first {len(rows):,}"
        )
    table = pipe_table(rows)
    book.room -= len(table)
    return f"## {name}\n\n{table}" if table else ""


def _rows(book: _Workbook, data: bytes) -> Iterator[list[str]]:
    """Yield the rows one at a time: the tree of a huge sheet would not fit into memory."""
    if _DOCTYPE.search(cap_text(data, 4096)):
        raise UnreadableDocument("defines XML entities of its own, which documents have no use for")
    sheet = _Sheet(book, _hidden_columns(data), _BACKGROUNDS.search(data) is not None)
    source = etree.iterparse(
        io.BytesIO(data), events=("end",), tag="{*}row",
        resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True,
    )  # fmt: skip
    try:
        for _, row in source:
            yield _row(sheet, row)
            row.clear()
            while row.getprevious() is not None:
                parent = row.getparent()
                if parent is None:
                    break
                del parent[0]
    except etree.XMLSyntaxError as error:
        raise UnreadableDocument(f"is broken: {' '.join(str(error).split())[:160]}") from error


def _hidden_columns(data: bytes) -> frozenset[int]:
    """Return the columns that are not shown, counted from 0; they are named before the rows."""
    columns: set[int] = set()
    for entry in _COLUMN.findall(cap_text(data, _MAX_COLUMN_BYTES).partition(b"<sheetData")[0]):
        if not _HIDDEN.search(entry):
            continue
        first, last = (int(found[1]) if (found := edge.search(entry)) else 0 for edge in _EDGES)
        columns |= set(range(max(first, 1) - 1, min(last, MAX_COLUMNS)))
    return frozenset(columns)


def _shown(sheet: _Sheet, cell: Element, index: int) -> str:
    """Return the value of a cell; empty if a reader cannot see it."""
    book = sheet.book
    value = displayed_value(cell, book.strings, book.formats)
    if not value:
        return ""
    if index in sheet.hidden_columns:
        reason = "text in hidden columns"
    else:
        reason = book.formats.hidden_reason(attribute(cell, "s"))
    if reason == WHITE and sheet.may_have_background:
        reason = ""
    if not reason:
        return value
    book.hidden[reason] += 1
    return ""


def _row(sheet: _Sheet, row: Element) -> list[str]:
    book = sheet.book
    if attribute(row, "hidden") in ("1", "true"):
        book.hidden_rows += 1
        return []
    values: list[str] = []
    for cell in row:
        index = column_index(attribute(cell, "r"), len(values))
        if index >= MAX_COLUMNS:
            book.draft.truncate(f"columns after the first {MAX_COLUMNS} were left out")
            break
        values += [""] * (index - len(values))
        values[index:] = [_shown(sheet, cell, index)]
    return values


def _shared_strings(archive: Archive, name: str) -> list[str]:
    if name not in archive:
        return []
    strings: list[str] = []
    for entry in parse_xml(archive.read(name)):
        # phonetic guides repeat the text
        parts = (part for part in entry.iter() if local_name(part) == "t" and not _phonetic(part))
        strings.append("".join(part.text or "" for part in parts))
    return strings


def _phonetic(part: Element) -> bool:
    parent = part.getparent()
    return parent is not None and local_name(parent) == "rPh"
