"""Workbooks: every visible sheet as a table, read row by row and cut at a number of rows."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.reading.documents.cells import Formats, column_of, shown
from webquarry.reading.documents.draft import (
    MAX_COLUMNS,
    MAX_MARKDOWN,
    MAX_ROWS,
    DocumentTask,
    Draft,
    Unreadable,
)
from webquarry.reading.documents.ooxml import Relation, main_part, properties, related, relations
from webquarry.reading.documents.page_selection import selected
from webquarry.reading.documents.pipe_table import pipe_table
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local, parse_xml

_MOST_SHEETS = 100
_MOST_EMPTY = 100_000  # rows in a row without a value, before the rest is not looked at
_DECLARED = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)


@dataclass(slots=True)
class _Book:
    archive: Archive
    links: dict[str, Relation]
    strings: list[str]
    formats: Formats
    draft: Draft
    room: int = MAX_MARKDOWN
    hidden: int = 0  # rows


def read_xlsx(task: DocumentTask) -> Draft:
    """Return a section per sheet."""
    draft = Draft("xlsx")
    archive = Archive(task.data)
    properties(archive, draft)
    main = main_part(archive, "xl/workbook.xml")
    tree = archive.tree(main)
    links = relations(archive, main)
    listed = child(tree, "sheets")
    sheets = list(listed) if listed is not None else []
    draft.page_count = len(sheets)
    strings = related(links, "sharedStrings")
    styles = archive.maybe(related(links, "styles"))
    since_1904 = (
        attribute(found, "date1904") if (found := child(tree, "workbookPr")) is not None else ""
    )
    book = _Book(archive, links, _strings(archive, strings) if strings in archive else [],
                 Formats(styles, since_1904=since_1904 in ("1", "true")), draft)  # fmt: skip
    wanted = selected(task, len(sheets), draft, "sheet")
    if len(wanted) > _MOST_SHEETS:
        draft.cut(f"only the first {_MOST_SHEETS} of {len(wanted)} sheets were read")
    draft.write(_sheet(book, sheets[place]) for place in wanted[:_MOST_SHEETS])
    if book.hidden:
        draft.warnings.append(f"{book.hidden:,} hidden rows were left out")
    if not draft.markdown:
        raise Unreadable("has no values in its sheets")
    return draft


def _sheet(book: _Book, entry: Element) -> str:
    name = attribute(entry, "name")
    if attribute(entry, "state") in ("hidden", "veryHidden"):
        book.draft.warnings.append(f"sheet {name!r} is hidden and was left out")
        return ""
    relation = next((book.links[str(value)] for key, value in entry.attrib.items()
                     if str(key).endswith("}id") and str(value) in book.links), None)  # fmt: skip
    if relation is None or relation.target not in book.archive or relation.kind == "chartsheet":
        return ""
    book.draft.outline.append((1, name))
    rows = _kept(book, name, _rows(book, book.archive.read(relation.target)))
    table = pipe_table(rows)
    book.room -= len(table)
    return f"## {name}\n\n{table}" if table else ""


def _kept(book: _Book, name: str, found: Iterator[list[str]]) -> list[list[str]]:
    rows: list[list[str]] = []
    size = more = empty = 0
    for row in found:
        if not any(row):
            empty += 1
            if empty > _MOST_EMPTY:
                break
            continue
        if len(rows) > MAX_ROWS or size > book.room:
            more += 1
            continue
        rows.append(row)
        size += sum(map(len, row)) + 3 * len(row)
    if more:
        book.draft.cut(
            f"sheet {name!r}: {more:,} further rows were left out after the first {len(rows):,}"
        )
    return rows


def _rows(book: _Book, data: bytes) -> Iterator[list[str]]:
    """Yield the rows one at a time, so that a huge sheet never stands in memory as a tree."""
    if _DECLARED.search(data[:4096]):
        raise Unreadable("defines XML entities of its own, which documents have no use for")
    source = etree.iterparse(
        io.BytesIO(data), events=("end",), tag="{*}row",
        resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True,
    )  # fmt: skip
    try:
        for _, row in source:
            yield _row(book, row)
            row.clear()
            while row.getprevious() is not None:
                parent = row.getparent()
                if parent is None:
                    break
                del parent[0]
    except etree.XMLSyntaxError as error:
        raise Unreadable(f"is broken: {' '.join(str(error).split())[:160]}") from error


def _row(book: _Book, row: Element) -> list[str]:
    if attribute(row, "hidden") in ("1", "true"):
        book.hidden += 1
        return []
    values: list[str] = []
    for cell in row:
        place = column_of(attribute(cell, "r"), len(values))
        if place >= MAX_COLUMNS:
            book.draft.cut(f"columns after the first {MAX_COLUMNS} were left out")
            break
        values += [""] * (place - len(values))
        values[place:] = [shown(cell, book.strings, book.formats)]
    return values


def _strings(archive: Archive, name: str) -> list[str]:
    found: list[str] = []
    for entry in parse_xml(archive.read(name)):
        # phonetic guides stand beside the text they explain
        parts = (part for part in entry.iter() if local(part) == "t" and not _phonetic(part))
        found.append("".join(part.text or "" for part in parts))
    return found


def _phonetic(part: Element) -> bool:
    parent = part.getparent()
    return parent is not None and local(parent) == "rPh"
