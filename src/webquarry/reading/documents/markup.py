"""Builds HTML trees from documents, which the Markdown writer of web pages then writes."""

import re

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.content.markdown.writer import write_markdown
from webquarry.reading.documents.zip_archive import all_text

# XML 1.0 does not allow these
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def new_element(tag: str, parent: Element | None = None, **attributes: str) -> Element:
    """Return a new element, put at the end of its parent."""
    clean = {name.rstrip("_"): _FORBIDDEN.sub("", value) for name, value in attributes.items()}
    if parent is None:
        return etree.Element(tag, clean)
    return etree.SubElement(parent, tag, clean)


def add_text(parent: Element, text: str) -> None:
    """Add text at the end of the element."""
    text = _FORBIDDEN.sub("", text)
    if not text:
        return
    last = parent[-1] if len(parent) else None
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


def add_formula(parent: Element, tex: str, *, display: bool = False) -> None:
    """Add a formula."""
    kind = "math/tex; mode=display" if display else "math/tex"
    new_element("script", parent, type=kind).text = _FORBIDDEN.sub("", tex)


def add_heading(parent: Element, level: int) -> Element:
    """Add a heading and return it."""
    return new_element(f"h{min(max(level, 1), 6)}", parent)


def is_blank(element: Element) -> bool:
    """Return whether the element has no text."""
    return not all_text(element).strip()


def to_markdown(root: Element, base: str = "") -> str:
    """Return the tree as Markdown."""
    return write_markdown(root, base=base)


class ListBuilder:
    """Nests list items by level; documents list them one after another."""

    def __init__(self, parent: Element) -> None:
        self._parent = parent
        self._open: list[tuple[int, str, Element]] = []  # level, tag and key, list

    def add_item(self, level: int, *, ordered: bool, key: str = "", start: int = 1) -> Element:
        """Add an item at the level, opening and closing lists as needed."""
        kind = f"{'ol' if ordered else 'ul'}{key}"
        while self._open and not self._may_contain(level, kind):
            self._open.pop()
        if not self._open or self._open[-1][0] < level:
            new_list = new_element("ol" if ordered else "ul", self._innermost())
            if ordered and start != 1:
                new_list.set("start", str(start))
            self._open.append((level, kind, new_list))
        return new_element("li", self._open[-1][2])

    def _may_contain(self, level: int, kind: str) -> bool:
        open_level, open_kind, _ = self._open[-1]
        return open_level < level or (open_level == level and open_kind == kind)

    def _innermost(self) -> Element:
        """Return the last open item, or the parent of all lists."""
        if not self._open:
            return self._parent
        innermost = self._open[-1][2]
        return innermost[-1] if len(innermost) else innermost

    def close(self) -> None:
        """End all lists."""
        self._open.clear()

    @property
    def is_open(self) -> bool:
        """Whether a list is open."""
        return bool(self._open)


class Footnotes:
    """References in the text, and the notes at its end."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}

    def add_reference(self, parent: Element, key: str) -> None:
        """Add a reference to a note."""
        label = self._labels.setdefault(key, str(len(self._labels) + 1))
        new_element("a", new_element("sup", parent), href=f"#wq-note-{label}").text = label

    def referenced(self) -> list[str]:
        """Return the keys of the notes in the order of their first reference."""
        return list(self._labels)

    def add_note(self, parent: Element, key: str) -> Element:
        """Return a new element for the content of a note."""
        last = parent[-1] if len(parent) else None
        notes = last if last is not None and last.get("data-notes") else new_element("ol", parent)
        notes.set("data-notes", "1")
        return new_element("li", notes, id=f"wq-note-{self._labels[key]}")
