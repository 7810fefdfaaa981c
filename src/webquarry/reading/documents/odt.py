"""OpenDocument text: headings, lists, tables, links and notes as Markdown."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.markup import (
    Footnotes,
    add_formula,
    add_heading,
    add_text,
    is_blank,
    new_element,
    to_markdown,
)
from webquarry.reading.documents.mathml import tex_of_mathml
from webquarry.reading.documents.odf_package import open_package
from webquarry.reading.documents.odf_styles import OdfStyle, OdfStyles
from webquarry.reading.documents.odf_visibility import INHERITED, OdfVisibility, is_hidden_block
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, text

_MAX_DEPTH = 40
_MAX_REPEATS = 50
_TOO_DEEP = f"parts nested deeper than {_MAX_DEPTH} levels were left out"
_SHAPES = frozenset(("frame", "text-box", "custom-shape"))
_SKIPPED = frozenset(("annotation", "annotation-end", "tracked-changes", "sequence-decls", "forms",
                     "bookmark", "bookmark-start", "bookmark-end", "hidden-text",
                     "hidden-paragraph", "variable-decls", "user-field-decls"))  # fmt: skip


def read_odt(task: DocumentTask) -> DocumentDraft:
    """Return the document with its structure."""
    draft = DocumentDraft("odt")
    warn_if_pages_requested(task, draft)
    archive = Archive(task.data)
    open_package(archive, draft)
    tree = archive.tree("content.xml")
    body = child(tree, "body", "text")
    if body is None:
        raise UnreadableDocument("is an OpenDocument file, but not a text document")
    writer = _Writer(archive, OdfStyles(tree, archive.optional_tree("styles.xml")), draft)
    root = new_element("div")
    writer.blocks(body, root, 0)
    for key in writer.notes.referenced():
        writer.blocks(writer.bodies[key], writer.notes.add_note(root, key), 1)
    draft.set_markdown([to_markdown(root)])
    draft.warn_of_hidden(writer.hidden)
    return draft


@dataclass(slots=True)
class _Writer:
    """Turns paragraphs, lists and tables into HTML."""

    archive: Archive
    styles: OdfStyles
    draft: DocumentDraft
    notes: Footnotes = field(default_factory=Footnotes)
    bodies: dict[str, Element] = field(default_factory=dict[str, Element])
    hidden: Counter[str] = field(default_factory=Counter[str])
    visibility: OdfVisibility = INHERITED  # of the current paragraph or span

    def blocks(self, source: Element, target: Element, depth: int) -> None:
        """Write a sequence of blocks."""
        for part in source:
            name = local_name(part)
            writer = _BLOCKS.get(name)
            if depth > _MAX_DEPTH:
                self.draft.truncate(_TOO_DEEP)  # whether it is hidden would not be known
            elif name in _SKIPPED:
                continue
            elif is_hidden_block(part):
                self._add(target, text(part), "hidden text")
            elif writer:
                writer(self, part, target, depth)
            elif name not in ("note", "list-header"):
                self.blocks(part, target, depth + 1)

    def heading(self, part: Element, target: Element, depth: int) -> None:
        """Write a heading at its outline level."""
        outline_level = attribute(part, "outline-level")
        is_level = outline_level.isdecimal() and len(outline_level) < 3
        level = int(outline_level) if is_level else 1
        element = add_heading(target, level)
        self.inline(part, element, depth)
        title = text(element)
        if not title:
            target.remove(element)
            return
        self.draft.outline.append((level, title))

    def paragraph(self, part: Element, target: Element, depth: int) -> None:
        """Write a paragraph according to its style."""
        style = self._style(part)
        element = _paragraph_element(style, target)
        self.inline(part, element, depth)
        if is_blank(element) and element.tag == "p":
            quotation = element.getparent() if style.quote else None
            target.remove(element if quotation is None else quotation)
        elif style.title and not self.draft.title:
            self.draft.title = text(element)

    def listed(self, part: Element, target: Element, depth: int, level: int = 1,
               name: str = "") -> None:  # fmt: skip
        """Write a list; its style is named on the outermost one."""
        name = attribute(part, "style-name") or name
        element = new_element("ol" if self.styles.is_ordered(name, level) else "ul", target)
        for item in part:
            if local_name(item) not in ("list-item", "list-header"):
                continue
            entry = new_element("li", element)
            for inner in item:
                if local_name(inner) == "list" and level < 10:
                    self.listed(inner, entry, depth + 1, level + 1, name)
                elif local_name(inner) in _BLOCKS:
                    _BLOCKS[local_name(inner)](self, inner, entry, depth + 1)

    def table(self, part: Element, target: Element, depth: int) -> None:
        """Write a table with its spans."""
        element = new_element("table", target)
        for row in part.iter():
            if local_name(row) == "table-row" and _parent_table(row) is part:
                if is_hidden_block(row):
                    self._add(element, text(row), "hidden text")
                    continue
                line = new_element("tr", element)
                first = len(element) == 1
                for cell in row:
                    self._cell(cell, line, depth, "th" if first else "td")

    def _cell(self, cell: Element, line: Element, depth: int, tag: str) -> None:
        if local_name(cell) != "table-cell":
            return  # covered by the span of another cell
        for _ in range(_repeats(cell, "number-columns-repeated")):
            new_cell = new_element(tag, line)
            for source, name in _SPANS:
                if attribute(cell, source).isdecimal():
                    new_cell.set(name, attribute(cell, source))
            self.blocks(cell, new_cell, depth + 1)

    def inline(self, source: Element, target: Element, depth: int) -> None:
        """Write the text inside a paragraph, without what a reader cannot see."""
        outer = self.visibility
        around = self.styles.default if local_name(source) in ("p", "h") else outer
        self.visibility = self._style(source).visibility.inside(around)
        reason = self._hidden_reason(source)
        self._add(target, source.text, reason)
        for part in source:
            self._inline_part(part, target, depth)
            self._add(target, part.tail, reason)
        self.visibility = outer

    def _add(self, target: Element, content: str | None, reason: str) -> None:
        if not reason:
            add_text(target, content or "")
        elif content and content.strip():
            self.hidden[reason] += 1

    def _hidden_reason(self, source: Element) -> str:
        """Return why a reader cannot see the text of the current style; empty if they can."""
        reason = self.visibility.hidden_reason
        return "" if reason == "white text" and self._has_background(source) else reason

    def _has_background(self, source: Element) -> bool:
        """Return whether the text may be on something else than white paper."""
        return self.styles.colored_page or any(
            local_name(part) in _SHAPES or self._style(part).colored
            for part in (source, *source.iterancestors())
        )

    def _style(self, part: Element) -> OdfStyle:
        return self.styles.of(attribute(part, "style-name"))

    def _inline_part(self, part: Element, target: Element, depth: int) -> None:
        name = local_name(part)
        writer = _INLINE.get(name)
        if depth > _MAX_DEPTH:
            self.draft.truncate(_TOO_DEEP)
            return
        if name in _SKIPPED:
            return
        if name == "s":
            add_text(target, " " * _repeats(part, "c"))
        elif name == "tab":
            add_text(target, " ")
        elif name == "line-break":
            new_element("br", target)
        elif writer:
            writer(self, part, target, depth)
        else:
            self.inline(part, target, depth + 1)

    def link(self, part: Element, target: Element, depth: int) -> None:
        """Write a link."""
        self.inline(part, new_element("a", target, href=attribute(part, "href")), depth + 1)

    def span(self, part: Element, target: Element, depth: int) -> None:
        """Write text in a style of its own."""
        style = self._style(part)
        for applies, tag in ((style.code, "code"), (style.bold, "strong"), (style.italic, "em"),
                            (style.superscript, "sup"), (style.subscript, "sub")):  # fmt: skip
            target = new_element(tag, target) if applies else target
        self.inline(part, target, depth + 1)

    def note(self, part: Element, target: Element, depth: int) -> None:
        """Write the reference to a note; its text follows at the end."""
        del depth
        body = child(part, "note-body")
        reason = self._hidden_reason(part)
        if reason:
            self._add(target, text(body), reason)
        elif body is not None:
            key = attribute(part, "id") or str(len(self.bodies))
            self.bodies[key] = body
            self.notes.add_reference(target, key)

    def frame(self, part: Element, target: Element, depth: int) -> None:
        """Write a text box, a formula, or the description of an image."""
        box = child(part, "text-box")
        description = text(child(part, "desc")) or text(child(part, "title"))
        if box is not None:
            for inner in box:
                add_text(target, " ")
                self.inline(inner, target, depth + 1)
        elif child(part, "object") is not None:
            self._object(part, target)
        elif description:
            self._add(target, f"[Image: {description}]", self._hidden_reason(part))

    def _object(self, part: Element, target: Element) -> None:
        """Write an embedded object if it is a formula."""
        name = _href(part).removeprefix("./")
        tree = self.archive.optional_tree(f"{name.rstrip('/')}/content.xml")
        if tree is not None and local_name(tree) == "math":
            add_formula(target, tex_of_mathml(tree))


_SPANS = (("number-columns-spanned", "colspan"), ("number-rows-spanned", "rowspan"))
_BLOCKS: dict[str, Callable[[_Writer, Element, Element, int], None]] = {
    "h": _Writer.heading,
    "p": _Writer.paragraph,
    "list": _Writer.listed,
    "table": _Writer.table,
}
_INLINE: dict[str, Callable[[_Writer, Element, Element, int], None]] = {
    "a": _Writer.link,
    "note": _Writer.note,
    "frame": _Writer.frame,
    "span": _Writer.span,
}


def _paragraph_element(style: OdfStyle, target: Element) -> Element:
    """Return the new element that takes the text of a paragraph."""
    last = target[-1] if len(target) else None
    if style.title:
        return add_heading(target, 1)
    if style.code and last is not None and last.tag == "pre":
        add_text(last, "\n")
        return new_element("span", last)
    if style.code:
        return new_element("span", new_element("pre", target))
    return new_element("p", new_element("blockquote", target) if style.quote else target)


def _href(frame: Element) -> str:
    embedded = child(frame, "object")
    return "" if embedded is None else attribute(embedded, "href")


def _repeats(element: Element, name: str) -> int:
    count = attribute(element, name)
    return min(int(count), _MAX_REPEATS) if count.isdecimal() and len(count) < 10 else 1


def _parent_table(row: Element) -> Element | None:
    return next((above for above in row.iterancestors() if local_name(above) == "table"), None)
