"""OpenDocument text: headings, lists, tables, links and notes as Markdown."""

from collections.abc import Callable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.reading.documents.draft import DocumentTask, Draft, Encrypted, Unreadable
from webquarry.reading.documents.markup import (
    Footnotes,
    formula,
    heading,
    is_blank,
    new,
    say,
    written,
)
from webquarry.reading.documents.mathml import tex_of_mathml
from webquarry.reading.documents.odf_styles import OdfStyles
from webquarry.reading.documents.page_selection import ignored
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local, text

_DEEPEST = 40
_MOST_REPEATS = 50
_SILENT = frozenset(("annotation", "annotation-end", "tracked-changes", "sequence-decls", "forms",
                     "bookmark", "bookmark-start", "bookmark-end", "hidden-text",
                     "hidden-paragraph", "variable-decls", "user-field-decls"))  # fmt: skip


def read_odt(task: DocumentTask) -> Draft:
    """Return the document with its structure."""
    draft = Draft("odt")
    ignored(task, draft)
    archive = Archive(task.data)
    _refuse_encrypted(archive)
    _metadata(archive, draft)
    tree = archive.tree("content.xml")
    body = child(tree, "body", "text")
    if body is None:
        raise Unreadable("is an OpenDocument file, but not a text document")
    writer = _Writer(archive, OdfStyles(tree, archive.maybe("styles.xml")), draft)
    root = new("div")
    writer.blocks(body, root, 0)
    for key in writer.notes.marked():
        writer.blocks(writer.bodies[key], writer.notes.place(root, key), 1)
    draft.write([written(root)])
    if writer.hidden:
        plural = "s" if writer.hidden > 1 else ""
        draft.warnings.append(f"hidden text was left out in {writer.hidden} place{plural}")
    return draft


@dataclass(slots=True)
class _Writer:
    """Turns paragraphs, lists and tables into HTML."""

    archive: Archive
    styles: OdfStyles
    draft: Draft
    notes: Footnotes = field(default_factory=Footnotes)
    bodies: dict[str, Element] = field(default_factory=dict[str, Element])
    hidden: int = 0

    def blocks(self, source: Element, target: Element, depth: int) -> None:
        """Write what stands one below the other."""
        for part in source:
            name = local(part)
            writer = _BLOCKS.get(name)
            if depth > _DEEPEST:
                say(new("p", target), text(part))
            elif name in _SILENT:
                continue
            elif attribute(part, "display") == "none":
                self.hidden += 1
            elif writer:
                writer(self, part, target, depth)
            elif name not in ("note", "list-header"):
                self.blocks(part, target, depth + 1)

    def heading(self, part: Element, target: Element, depth: int) -> None:
        """Write a heading at its outline level."""
        said = attribute(part, "outline-level")
        level = int(said) if said.isdecimal() and len(said) < 3 else 1
        home = heading(target, level)
        self.inline(part, home, depth)
        words = text(home)
        if not words:
            target.remove(home)
            return
        self.draft.outline.append((level, words))

    def paragraph(self, part: Element, target: Element, depth: int) -> None:
        """Write a paragraph as what its style means."""
        style = self.styles.of(attribute(part, "style-name"))
        last = target[-1] if len(target) else None
        if style.title:
            home = heading(target, 1)
        elif style.code and last is not None and last.tag == "pre":
            say(last, "\n")
            home = new("span", last)
        elif style.code:
            home = new("span", new("pre", target))
        else:
            home = new("p", new("blockquote", target) if style.quote else target)
        self.inline(part, home, depth)
        if is_blank(home) and home.tag == "p":
            outer = home.getparent() if style.quote else home
            target.remove(outer if outer is not None else home)
        elif style.title and not self.draft.title:
            self.draft.title = text(home)

    def listed(self, part: Element, target: Element, depth: int, level: int = 1,
               name: str = "") -> None:  # fmt: skip
        """Write a list; its style is named on the outermost one."""
        name = attribute(part, "style-name") or name
        home = new("ol" if self.styles.is_ordered(name, level) else "ul", target)
        for item in part:
            if local(item) not in ("list-item", "list-header"):
                continue
            entry = new("li", home)
            for inner in item:
                if local(inner) == "list" and level < 10:
                    self.listed(inner, entry, depth + 1, level + 1, name)
                elif local(inner) in _BLOCKS:
                    _BLOCKS[local(inner)](self, inner, entry, depth + 1)

    def table(self, part: Element, target: Element, depth: int) -> None:
        """Write a table with its spans."""
        home = new("table", target)
        for row in part.iter():
            if local(row) == "table-row" and _table_of(row) is part:
                line = new("tr", home)
                first = len(home) == 1
                for cell in row:
                    self._cell(cell, line, depth, "th" if first else "td")

    def _cell(self, cell: Element, line: Element, depth: int, tag: str) -> None:
        if local(cell) != "table-cell":
            return  # a covered cell, which the span above or left of it stands for
        for _ in range(_repeats(cell, "number-columns-repeated")):
            made = new(tag, line)
            for said, name in (("number-columns-spanned", "colspan"),
                               ("number-rows-spanned", "rowspan")):  # fmt: skip
                if attribute(cell, said).isdecimal():
                    made.set(name, attribute(cell, said))
            self.blocks(cell, made, depth + 1)

    def inline(self, source: Element, target: Element, depth: int) -> None:
        """Write the text inside a paragraph."""
        say(target, source.text or "")
        for part in source:
            self._piece(part, target, depth)
            say(target, part.tail or "")

    def _piece(self, part: Element, target: Element, depth: int) -> None:
        name = local(part)
        writer = _PIECES.get(name)
        if name in _SILENT or depth > _DEEPEST:
            return
        if name == "s":
            say(target, " " * _repeats(part, "c"))
        elif name == "tab":
            say(target, " ")
        elif name == "line-break":
            new("br", target)
        elif writer:
            writer(self, part, target, depth)
        else:
            self.inline(part, target, depth + 1)

    def link(self, part: Element, target: Element, depth: int) -> None:
        """Write a link."""
        self.inline(part, new("a", target, href=attribute(part, "href")), depth + 1)

    def span(self, part: Element, target: Element, depth: int) -> None:
        """Write words in a style of their own."""
        style = self.styles.of(attribute(part, "style-name"))
        if style.hidden:
            self.hidden += 1
            return
        for wanted, tag in ((style.code, "code"), (style.bold, "strong"), (style.italic, "em"),
                            (style.raised, "sup"), (style.lowered, "sub")):  # fmt: skip
            target = new(tag, target) if wanted else target
        self.inline(part, target, depth + 1)

    def note(self, part: Element, target: Element, depth: int) -> None:
        """Write the mark of a note and keep the note for the end."""
        del depth
        body = child(part, "note-body")
        if body is not None:
            key = attribute(part, "id") or str(len(self.bodies))
            self.bodies[key] = body
            self.notes.mark(target, key)

    def frame(self, part: Element, target: Element, depth: int) -> None:
        """Write a text box, a formula, or what describes a picture."""
        box = child(part, "text-box")
        words = text(child(part, "desc")) or text(child(part, "title"))
        if box is not None:
            for inner in box:
                say(target, " ")
                self.inline(inner, target, depth + 1)
        elif child(part, "object") is not None:
            self._object(part, target)
        elif words:
            say(target, f"[Image: {words}]")

    def _object(self, part: Element, target: Element) -> None:
        """Write an embedded object if it is a formula."""
        name = _href(part).removeprefix("./")
        tree = self.archive.maybe(f"{name.rstrip('/')}/content.xml")
        if tree is not None and local(tree) == "math":
            formula(target, tex_of_mathml(tree))


_BLOCKS: dict[str, Callable[[_Writer, Element, Element, int], None]] = {
    "h": _Writer.heading,
    "p": _Writer.paragraph,
    "list": _Writer.listed,
    "table": _Writer.table,
}
_PIECES: dict[str, Callable[[_Writer, Element, Element, int], None]] = {
    "a": _Writer.link,
    "note": _Writer.note,
    "frame": _Writer.frame,
    "span": _Writer.span,
}


def _href(frame: Element) -> str:
    held = child(frame, "object")
    return "" if held is None else attribute(held, "href")


def _repeats(element: Element, name: str) -> int:
    said = attribute(element, name)
    return min(int(said), _MOST_REPEATS) if said.isdecimal() and len(said) < 10 else 1


def _table_of(row: Element) -> Element | None:
    return next((above for above in row.iterancestors() if local(above) == "table"), None)


def _refuse_encrypted(archive: Archive) -> None:
    manifest = archive.maybe("META-INF/manifest.xml")
    for entry in manifest.iter() if manifest is not None else ():
        if local(entry) == "encryption-data":
            raise Encrypted("is encrypted: it opens only with a password")


def _metadata(archive: Archive, draft: Draft) -> None:
    held = child(archive.maybe("meta.xml"), "meta")
    if held is None:
        return
    said = {local(entry): text(entry) for entry in held}
    draft.title = said.get("title", "")
    author = said.get("initial-creator") or said.get("creator") or ""
    draft.authors = [part.strip() for part in author.split(";") if part.strip()]
    draft.published = said.get("creation-date", "")
    draft.modified = said.get("date", "")
    draft.language = said.get("language", "")
    counts = child(held, "document-statistic")
    pages = "" if counts is None else attribute(counts, "page-count")
    draft.page_count = int(pages) if pages.isdecimal() and len(pages) < 7 else None
