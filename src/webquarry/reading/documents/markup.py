"""Builds the small HTML trees that the Markdown writer of web pages turns into text."""

import re

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.content.markdown.writer import markdown_of
from webquarry.reading.documents.zip_archive import all_text

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def new(tag: str, parent: Element | None = None, **attributes: str) -> Element:
    """Return a new element, put at the end of its parent."""
    clean = {name.rstrip("_"): _FORBIDDEN.sub("", value) for name, value in attributes.items()}
    if parent is None:
        return etree.Element(tag, clean)
    return etree.SubElement(parent, tag, clean)


def say(parent: Element, words: str) -> None:
    """Add text at the end of the element."""
    words = _FORBIDDEN.sub("", words)
    if not words:
        return
    last = parent[-1] if len(parent) else None
    if last is None:
        parent.text = (parent.text or "") + words
    else:
        last.tail = (last.tail or "") + words


def formula(parent: Element, tex: str, *, display: bool = False) -> None:
    """Add a formula."""
    kind = "math/tex; mode=display" if display else "math/tex"
    new("script", parent, type=kind).text = _FORBIDDEN.sub("", tex)


def heading(parent: Element, level: int) -> Element:
    """Add a heading and return it."""
    return new(f"h{min(max(level, 1), 6)}", parent)


def is_blank(element: Element) -> bool:
    """Whether there is nothing to see inside the element."""
    return not all_text(element).strip()


def written(root: Element, base: str = "") -> str:
    """Return the tree as Markdown."""
    return markdown_of(root, base=base)


class Lists:
    """Nests list items by their level, as documents give them one after another."""

    def __init__(self, parent: Element) -> None:
        self._parent = parent
        self._open: list[tuple[int, str, Element]] = []  # level, kind and key, list

    def item(self, level: int, *, ordered: bool, key: str = "", start: int = 1) -> Element:
        """Add an item at the level, opening and closing lists as needed."""
        kind = f"{'ol' if ordered else 'ul'}{key}"
        while self._open and (
            self._open[-1][0] > level or (self._open[-1][0] == level and self._open[-1][1] != kind)
        ):
            self._open.pop()
        if not self._open or self._open[-1][0] < level:
            inside = self._open[-1][2] if self._open else None
            home = self._parent if inside is None else (inside[-1] if len(inside) else inside)
            listed = new("ol" if ordered else "ul", home)
            if ordered and start != 1:
                listed.set("start", str(start))
            self._open.append((level, kind, listed))
        return new("li", self._open[-1][2])

    def close(self) -> None:
        """End all lists: what follows stands outside them."""
        self._open.clear()

    @property
    def is_open(self) -> bool:
        """Whether the last thing added was an item."""
        return bool(self._open)


class Footnotes:
    """Footnotes: marks in the text and the notes at its end."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}

    def mark(self, parent: Element, key: str) -> None:
        """Add the mark of a note."""
        label = self._labels.setdefault(key, str(len(self._labels) + 1))
        new("a", new("sup", parent), href=f"#wq-note-{label}").text = label

    def marked(self) -> list[str]:
        """Return the notes that were marked, in their order."""
        return list(self._labels)

    def place(self, parent: Element, key: str) -> Element:
        """Return the element that takes the content of the note."""
        last = parent[-1] if len(parent) else None
        home = last if last is not None and last.get("data-notes") else new("ol", parent)
        home.set("data-notes", "1")
        return new("li", home, id=f"wq-note-{self._labels[key]}")
