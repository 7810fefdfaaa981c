"""Word documents: headings, lists, tables, links, notes and formulas as Markdown."""

from collections.abc import Iterable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.runs import Inline
from webquarry.reading.documents.docx.styles import (
    Level,
    Style,
    number,
    own_numbering,
    read_numbering,
    read_styles,
    switch,
    value,
)
from webquarry.reading.documents.draft import DocumentTask, Draft
from webquarry.reading.documents.markup import (
    Footnotes,
    Lists,
    heading,
    is_blank,
    new,
    say,
    written,
)
from webquarry.reading.documents.ooxml import (
    Relation,
    main_part,
    page_total,
    properties,
    related,
    relations,
)
from webquarry.reading.documents.page_selection import ignored
from webquarry.reading.documents.zip_archive import Archive, all_text, attribute, child, local

_PLAIN = Style()
_DEEPEST = 40
_WRAPPERS = frozenset(("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))


def read_docx(task: DocumentTask) -> Draft:
    """Return the document with its structure; hidden and deleted text stays out."""
    draft = Draft("docx")
    ignored(task, draft)
    archive = Archive(task.data)
    properties(archive, draft)
    draft.page_count = page_total(archive)
    main = main_part(archive, "word/document.xml")
    links = relations(archive, main)
    notes = Footnotes()
    inline = Inline(read_styles(archive.maybe(related(links, "styles"))), links, notes)
    numbering = read_numbering(archive.maybe(related(links, "numbering")))
    root = new("div")
    body = child(archive.tree(main), "body")
    writer = _Writer(inline, numbering, draft)
    writer.blocks(body if body is not None else (), root)
    _add_notes(archive, writer, root)
    draft.write([written(root)])
    for why, count in inline.hidden.items():
        draft.warnings.append(f"{why} was left out in {count} place{'s'[: count > 1]}")
    return draft


class _Writer:
    """Turns paragraphs and tables into HTML."""

    def __init__(
        self, inline: Inline, numbering: dict[str, dict[int, Level]], draft: Draft
    ) -> None:
        self.inline = inline
        self._numbering = numbering
        self._draft = draft

    def blocks(self, source: Iterable[Element], target: Element, depth: int = 0) -> None:
        """Write what stands one below the other."""
        lists = Lists(target)
        for part in source:
            name = local(part)
            if name == "p":
                self._paragraph(part, target, lists, depth)
            elif depth > _DEEPEST:
                say(new("p", target), all_text(part))
            elif name == "tbl":
                lists.close()
                self._table(part, target, depth)
            elif name in _WRAPPERS:
                lists.close()
                self.blocks(part, target, depth + 1)

    def _paragraph(self, part: Element, target: Element, lists: Lists, depth: int) -> None:
        layout = child(part, "pPr")
        style = self.inline.styles.get(value(child(layout, "pStyle")), _PLAIN)
        home = self._home(layout, style, target, lists)
        self.inline.write(part, home)
        if is_blank(home) and home.find(".//script") is None:
            _remove(home)
        elif home.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._note_heading(home, style)
        boxes = list(self.inline.boxes)
        self.inline.boxes.clear()
        for box in boxes:
            self.blocks(box, target, depth + 1)

    def _home(self, layout: Element | None, style: Style, target: Element, lists: Lists) -> Element:
        """Return the element that the paragraph's text goes into."""
        outlined = number(value(child(layout, "outlineLvl")), 9) + 1
        level = style.heading or (outlined if outlined <= 9 else 0)
        if level:
            lists.close()
            return heading(target, level)
        own = own_numbering(layout)
        item = own if own is not None else style.numbering
        if item is not None and item[0] not in ("", "0"):
            found = self._numbering.get(item[0], {}).get(item[1], Level(ordered=False, start=1))
            key = f":{item[0]}" if item[1] == 0 else ""
            return lists.item(item[1], ordered=found.ordered, key=key, start=found.start)
        lists.close()
        last = target[-1] if len(target) else None
        if style.code:
            if last is not None and last.tag == "pre" and not last.tail:
                say(last, "\n")
                return new("span", last)
            return new("span", new("pre", target))
        if style.quote:
            quote = (
                last if last is not None and last.tag == "blockquote" else new("blockquote", target)
            )
            return new("p", quote)
        return new("p", target)

    def _note_heading(self, home: Element, style: Style) -> None:
        words = " ".join(all_text(home).split())
        if home.tag == "h1" and not self._draft.title and not self._draft.outline:
            self._draft.title = words
        self._draft.outline.append((style.heading or int(str(home.tag)[1]), words))

    def _table(self, part: Element, target: Element, depth: int) -> None:
        table = new("table", target)
        above: dict[int, Element] = {}  # column -> the cell that hangs down from above
        for place, row in enumerate(_rows(part)):
            line = new("tr", table)
            column = number(value(child(row, "trPr", "gridBefore")))
            for _ in range(min(column, 30)):
                new("td", line)
            for cell in _cells(row):
                layout = child(cell, "tcPr")
                wide = max(number(value(child(layout, "gridSpan")), 1), 1)
                merge = child(layout, "vMerge")
                hanging = above.get(column)
                if merge is not None and value(merge) != "restart" and hanging is not None:
                    hanging.set("rowspan", str(number(hanging.get("rowspan") or "1", 1) + 1))
                else:
                    made = new("td" if place else "th", line)
                    if wide > 1:
                        made.set("colspan", str(wide))
                    self.blocks(cell, made, depth + 1)
                    above[column] = made
                column += wide


def _rows(table: Element) -> list[Element]:
    held = [part if local(part) != "sdt" else child(part, "sdtContent", "tr") for part in table]
    rows = [row for row in held if row is not None and local(row) == "tr"]
    return [row for row in rows if not switch(child(row, "trPr"), "del")]


def _cells(row: Element) -> list[Element]:
    held = [part if local(part) != "sdt" else child(part, "sdtContent", "tc") for part in row]
    return [cell for cell in held if cell is not None and local(cell) == "tc"]


def _remove(home: Element) -> None:
    """Take out an empty paragraph, and the wrapper it was the first of."""
    parent = home.getparent()
    if parent is None or home.tag == "span":
        return  # a blank line of code is part of it
    parent.remove(home)
    if parent.tag in ("blockquote", "ul", "ol") and len(parent) == 0:
        _remove(parent)


def _add_notes(archive: Archive, writer: _Writer, root: Element) -> None:
    inline = writer.inline
    sources: dict[str, tuple[Element, dict[str, Relation]]] = {}
    for kind in ("footnote", "endnote"):
        name = related(inline.links, f"{kind}s")
        held = archive.maybe(name) if name else None
        links = relations(archive, name) if name else {}
        for note in held if held is not None else ():
            sources[f"{kind}:{attribute(note, 'id')}"] = (note, links)
    for key in inline.notes.marked():
        if key in sources:
            note, inline.links = sources[key]
            writer.blocks(note, inline.notes.place(root, key), 1)
