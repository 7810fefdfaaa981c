"""Word documents: headings, lists, tables, links, notes and formulas as Markdown."""

from collections.abc import Iterable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.runs import RunWriter
from webquarry.reading.documents.docx.styles import (
    ListLevel,
    WordStyle,
    own_numbering,
    read_numbering,
    read_styles,
    small_int,
    toggle,
    val,
)
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask
from webquarry.reading.documents.markup import (
    Footnotes,
    ListBuilder,
    add_heading,
    add_text,
    is_blank,
    new_element,
    to_markdown,
)
from webquarry.reading.documents.ooxml import (
    Relation,
    main_part,
    read_properties,
    related_part,
    relations,
    stored_page_count,
)
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.zip_archive import Archive, all_text, attribute, child, local_name

_PLAIN = WordStyle()
_MAX_DEPTH = 40
_WRAPPERS = frozenset(("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))


def read_docx(task: DocumentTask) -> DocumentDraft:
    """Return the document with its structure, without hidden and deleted text."""
    draft = DocumentDraft("docx")
    warn_if_pages_requested(task, draft)
    archive = Archive(task.data)
    read_properties(archive, draft)
    draft.page_count = stored_page_count(archive)
    main = main_part(archive, "word/document.xml")
    links = relations(archive, main)
    styles = read_styles(archive.optional_tree(related_part(links, "styles")))
    runs = RunWriter(styles, links, Footnotes())
    numbering = read_numbering(archive.optional_tree(related_part(links, "numbering")))
    root = new_element("div")
    body = child(archive.tree(main), "body")
    writer = _Writer(runs, numbering, draft)
    writer.blocks(body if body is not None else (), root)
    _add_notes(archive, writer, root)
    draft.set_markdown([to_markdown(root)])
    draft.warn_of_hidden(runs.hidden)
    return draft


class _Writer:
    """Turns paragraphs and tables into HTML."""

    def __init__(
        self, runs: RunWriter, numbering: dict[str, dict[int, ListLevel]], draft: DocumentDraft
    ) -> None:
        self.runs = runs
        self._numbering = numbering
        self._draft = draft

    def blocks(self, source: Iterable[Element], target: Element, depth: int = 0) -> None:
        """Write a sequence of paragraphs and tables."""
        lists = ListBuilder(target)
        for part in source:
            name = local_name(part)
            if name == "p":
                self._paragraph(part, target, lists, depth)
            elif depth > _MAX_DEPTH:
                add_text(new_element("p", target), all_text(part))
            elif name == "tbl":
                lists.close()
                self._table(part, target, depth)
            elif name in _WRAPPERS:
                lists.close()
                self.blocks(part, target, depth + 1)

    def _paragraph(self, part: Element, target: Element, lists: ListBuilder, depth: int) -> None:
        layout = child(part, "pPr")
        style = self.runs.styles.get(val(child(layout, "pStyle")), _PLAIN)
        element = self._paragraph_element(layout, style, target, lists)
        self.runs.paragraph = style
        self.runs.write(part, element)
        if is_blank(element) and element.find(".//script") is None:
            _remove(element)
        elif element.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._add_to_outline(element, style)
        text_boxes = list(self.runs.text_boxes)
        self.runs.text_boxes.clear()
        for text_box in text_boxes:
            self.blocks(text_box, target, depth + 1)

    def _paragraph_element(
        self, layout: Element | None, style: WordStyle, target: Element, lists: ListBuilder
    ) -> Element:
        """Return the new element that takes the text of a paragraph."""
        outline_level = small_int(val(child(layout, "outlineLvl")), 9) + 1
        level = style.heading or (outline_level if outline_level <= 9 else 0)
        if level:
            lists.close()
            return add_heading(target, level)
        numbering = own_numbering(layout) or style.numbering
        if numbering and numbering[0] not in ("", "0"):
            return self._list_item(lists, *numbering)
        lists.close()
        if style.code:
            return _code_line(target)
        if style.quote:
            return new_element("p", _last_or_new(target, "blockquote"))
        return new_element("p", target)

    def _list_item(self, lists: ListBuilder, numbering: str, level: int) -> Element:
        default = ListLevel(ordered=False, start=1)
        found = self._numbering.get(numbering, {}).get(level, default)
        key = "" if level else f":{numbering}"
        return lists.add_item(level, ordered=found.ordered, key=key, start=found.start)

    def _add_to_outline(self, element: Element, style: WordStyle) -> None:
        title = " ".join(all_text(element).split())
        if element.tag == "h1" and not self._draft.title and not self._draft.outline:
            self._draft.title = title
        self._draft.outline.append((style.heading or int(str(element.tag)[1]), title))

    def _table(self, part: Element, target: Element, depth: int) -> None:
        table = new_element("table", target)
        merged: dict[int, Element] = {}  # column -> the cell that spans rows from above
        for number, row in enumerate(_rows(part)):
            line = new_element("tr", table)
            column = small_int(val(child(row, "trPr", "gridBefore")))
            for _ in range(min(column, 30)):
                new_element("td", line)
            for cell in _unwrapped(row, "tc"):
                layout = child(cell, "tcPr")
                width = max(small_int(val(child(layout, "gridSpan")), 1), 1)
                merge = child(layout, "vMerge")
                above = merged.get(column)
                if merge is not None and val(merge) != "restart" and above is not None:
                    above.set("rowspan", str(small_int(above.get("rowspan") or "1", 1) + 1))
                else:
                    merged[column] = new_element("td" if number else "th", line)
                    if width > 1:
                        merged[column].set("colspan", str(width))
                    self.blocks(cell, merged[column], depth + 1)
                column += width


def _code_line(target: Element) -> Element:
    """Return the element of a line of code; consecutive lines share one block."""
    last = target[-1] if len(target) else None
    if last is not None and last.tag == "pre" and not last.tail:
        add_text(last, "\n")
        return new_element("span", last)
    return new_element("span", new_element("pre", target))


def _last_or_new(target: Element, tag: str) -> Element:
    last = target[-1] if len(target) else None
    return last if last is not None and last.tag == tag else new_element(tag, target)


def _rows(table: Element) -> list[Element]:
    rows = _unwrapped(table, "tr")
    return [row for row in rows if not toggle(child(row, "trPr"), "del")]


def _unwrapped(parent: Element, name: str) -> list[Element]:
    """Return the children of this name, also those inside content controls."""
    parts = (
        child(part, "sdtContent", name) if local_name(part) == "sdt" else part for part in parent
    )
    return [part for part in parts if part is not None and local_name(part) == name]


def _remove(element: Element) -> None:
    """Remove an empty paragraph, and the list or quotation that has no other."""
    parent = element.getparent()
    if parent is None or element.tag == "span":
        return  # a blank line of code is part of it
    parent.remove(element)
    if parent.tag in ("blockquote", "ul", "ol") and len(parent) == 0:
        _remove(parent)


def _add_notes(archive: Archive, writer: _Writer, root: Element) -> None:
    runs = writer.runs
    sources: dict[str, tuple[Element, dict[str, Relation]]] = {}
    for kind in ("footnote", "endnote"):
        name = related_part(runs.relations, f"{kind}s")
        notes = archive.optional_tree(name) if name else None
        links = relations(archive, name) if name else {}
        for note in notes if notes is not None else ():
            sources[f"{kind}:{attribute(note, 'id')}"] = (note, links)
    for key in runs.notes.referenced():
        if key in sources:
            note, runs.relations = sources[key]
            writer.blocks(note, runs.notes.add_note(root, key), 1)
