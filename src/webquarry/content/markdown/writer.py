"""The Markdown of a pruned page: headings, paragraphs, lists, quotes, code and tables."""

import re
from collections.abc import Callable
from itertools import pairwise

from webquarry.content.html.dom import (
    BLOCKS,
    HEADINGS,
    MAX_DEPTH,
    SILENT,
    Element,
    children_of,
    finder,
    is_block,
    name_of,
    text_of,
)
from webquarry.content.markdown.code_blocks import fenced
from webquarry.content.markdown.formulas import FORMULA_TAGS, formula_in
from webquarry.content.markdown.html_tables import data_table, rows_of
from webquarry.content.markdown.inline import BREAK, InlineWriter, escape, tidy

_LINE_START = re.compile(r"^(?:#{1,6}(?=\s)|[-+>](?=\s)|[-=]{3,}\s*$)|^(\d{1,9})([.)])(?=\s)")
_LINE_ENDS = re.compile(r"\s*\n\s*")
_STARTS = frozenset("#-+>=0123456789")
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_LABEL = re.compile(r"[^0-9A-Za-z_-]+")
_LINKS_WITHIN = finder("descendant-or-self::a[starts-with(@href, '#')]")
_NOTE_CLASS = re.compile(r"footnote|reference|noteref|endnote|\bfn", re.IGNORECASE)


def markdown_of(element: Element, *, base: str = "") -> str:
    """Return everything inside the element as Markdown, links made absolute against `base`."""
    writer = _Writer(InlineWriter(base, _footnotes(element)))
    return "\n\n".join(writer.chunks(element, 0)).strip("\n")


class _Writer:
    """Turns elements into chunks: pieces of Markdown that a blank line separates."""

    def __init__(self, scribe: InlineWriter) -> None:
        self._scribe = scribe
        self._writers: dict[str, Callable[[Element, int], list[str]]] = {
            **dict.fromkeys(HEADINGS, self._heading),
            **dict.fromkeys(_LISTS, self._list),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._code),
            "blockquote": self._quote,
            "table": self._table,
            "dl": self._definitions,
            "dd": self._description,
            "hr": self._rule,
            "summary": self._summary,
        }

    def chunks(self, element: Element, level: int) -> list[str]:
        """Return the chunks of what is inside the element."""
        if level > MAX_DEPTH:
            return _paragraph(escape(text_of(element)))
        text, children = element.text, children_of(element)
        if not children:
            return _paragraph(escape(text)) if text else []
        out: list[str] = []
        run = [escape(text)] if text else []
        for child in children:
            if _is_line_part(child):
                run.append(self._scribe.piece(child))
            else:
                if run:
                    out += _paragraph("".join(run))
                    run.clear()
                out += self._block(child, level + 1)
            text = child.tail
            if text and (run or not text.isspace()):  # between blocks stands nothing but space
                run.append(escape(text))
        return out + _paragraph("".join(run)) if run else out

    def _block(self, element: Element, level: int) -> list[str]:
        tag, notes = element.tag, self._scribe.notes
        note = notes.get(element.get("id") or "") if notes else None
        if note and tag != "li":
            return self._note(note, element, level)
        if tag == "a":
            return self._linked_blocks(element, level)
        writer = self._writers.get(tag)
        return writer(element, level) if writer else self.chunks(element, level)

    def _note(self, note: str, element: Element, level: int) -> list[str]:
        inner = "\n\n".join(self.chunks(element, level))
        return [f"[^{note}]: {_indented(inner, 4)}"] if inner else []

    def _linked_blocks(self, element: Element, level: int) -> list[str]:
        """Put the link of an <a> around blocks on the first of them that can carry it."""
        found = self.chunks(element, level)
        target = self._scribe.absolute(element.get("href") or "")
        if not target:
            return found
        for place, chunk in enumerate(found):
            marks = re.match(r"#{1,6} ", chunk)
            words = chunk[marks.end() :] if marks else chunk
            if "\n" not in words and "](" not in words and not words.startswith(("|", "- ", "`")):
                found[place] = f"{marks[0] if marks else ''}[{words}]({target})"
                break
        return found

    def _heading(self, element: Element, level: int) -> list[str]:
        del level
        text = self._scribe.line(element)
        return [f"{'#' * int(str(element.tag)[1])} {text}"] if text else []

    def _summary(self, element: Element, level: int) -> list[str]:
        del level
        text = self._scribe.line(element)
        return [text if text.startswith("**") else f"**{text}**"] if text else []

    def _code(self, element: Element, level: int) -> list[str]:
        del level
        return fenced(element)

    def _rule(self, element: Element, level: int) -> list[str]:
        del element, level
        return []  # a rule separates what blank lines and headings already do

    def _quote(self, element: Element, level: int) -> list[str]:
        if len(element) and all(part.tag == "pre" for part in element):
            return self.chunks(element, level)  # code that is only set in from the margin
        inner = "\n\n".join(self.chunks(element, level))
        lines = [f"> {line}" if line else ">" for line in inner.split("\n")]
        return ["\n".join(lines)] if inner else []

    def _list(self, element: Element, level: int) -> list[str]:
        """Return the whole list as one chunk, items in it tight unless they hold paragraphs."""
        if _has_headed_items(element):
            return self.chunks(element, level)  # cards or sections, only marked up as a list
        ordered = element.tag == "ol"
        start = element.get("start") or "1"
        number = int(start) if start.isdecimal() and len(start) < 9 else 1
        items: list[str] = []
        for child in children_of(element):
            if child.tag != "li":
                items += self._stray(child, level, after=bool(items))
                continue
            value = child.get("value") or ""
            number = int(value) if ordered and value.isdecimal() and len(value) < 9 else number
            items += self._item(child, f"{number}. " if ordered else "- ", level)
            number += 1
        return ["\n".join(items)] if items else []

    def _item(self, element: Element, marker: str, level: int) -> list[str]:
        notes = self._scribe.notes
        note = notes.get(element.get("id") or "") if notes else None
        if note:
            return self._note(note, element, level)
        found = self.chunks(element, level)
        if not found:
            return []
        text = found[0]
        for before, chunk in pairwise(found):
            nested = chunk.startswith(("- ", "1. ")) and not before.startswith("|")
            text += ("\n" if nested else "\n\n") + chunk
        return [marker + _indented(text, len(marker))]

    def _stray(self, element: Element, level: int, *, after: bool) -> list[str]:
        """Return what stands in a list outside items; a list there belongs to the item above."""
        if not name_of(element) or element.tag in SILENT:
            return []
        found = "\n\n".join(self._block(element, level))
        if not found:
            return []
        return [f"  {_indented(found, 2)}" if after and element.tag in _LISTS else found]

    def _definitions(self, element: Element, level: int) -> list[str]:
        text = ""
        for chunk in self.chunks(element, level):
            gap = "\n" if chunk.startswith(": ") else "\n\n"
            text += gap + chunk if text else chunk
        return [text] if text else []

    def _description(self, element: Element, level: int) -> list[str]:
        inner = "\n\n".join(self.chunks(element, level))
        return [f": {_indented(inner, 2)}"] if inner else []

    def _table(self, element: Element, level: int) -> list[str]:
        """Return a pipe table for data, and the cells one after another for a layout table."""
        written = data_table(element, lambda cell: self._cell(cell, level))
        if written is not None:
            return written
        out: list[str] = []
        for row in rows_of(element):
            for cell in row:
                out += self.chunks(cell, level)
        return out

    def _cell(self, cell: Element, level: int) -> str:
        if len(cell) == 0:  # most cells hold a number or a few words
            text = cell.text or ""
            if text.isalnum():
                return text
            text = tidy(escape(text))
            return _with_plain_start(text) if text else ""
        lines = "\n".join(self.chunks(cell, level))
        return _LINE_ENDS.sub("<br>", lines) if "\n" in lines else lines


def _has_headed_items(element: Element) -> bool:
    if next(element.iter(*HEADINGS), None) is None:
        return False
    return any(next(item.iter(*HEADINGS), None) is not None for item in element.iterchildren("li"))


def _is_line_part(element: Element) -> bool:
    """Tell whether the element is part of a line: it is no block and holds none."""
    tag = element.tag
    if tag in FORMULA_TAGS and formula_in(element) is not None:
        return True
    if tag in BLOCKS:
        return False
    tag = name_of(element)
    if not tag or tag in SILENT:
        return True
    if "-" in tag:
        return False
    return len(element) == 0 or not any(is_block(name_of(part)) for part in element.iter())


def _paragraph(run: str) -> list[str]:
    text = tidy(run)
    if not text:
        return []
    if BREAK not in text:
        return [_with_plain_start(text)]
    return ["  \n".join(_with_plain_start(line) for line in text.split(BREAK) if line)]


def _with_plain_start(line: str) -> str:
    """Return the line with a backslash where its start would make it a list or a heading."""
    found = _LINE_START.match(line) if line[0] in _STARTS else None
    if found is None:
        return line
    start = f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[0]}"
    return start + line[found.end() :]


def _indented(text: str, width: int) -> str:
    """Indent every line but the first, leaving blank lines blank."""
    if "\n" not in text:
        return text
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * width + line if line else "" for line in rest)])


def _footnotes(root: Element) -> dict[str, str]:
    """Return the ids of footnotes that a mark in the text points to, with their labels."""
    wanted: dict[str, str] = {}
    for link in _LINKS_WITHIN(root):
        href = link.get("href") or ""
        if len(href) > 1 and _is_note_mark(link):
            label = _LABEL.sub("", text_of(link)) or _LABEL.sub("", href)
            wanted.setdefault(href[1:], label[:20])
    if not wanted:
        return {}
    targets = {e.get("id") or "" for e in root.iter("li", "p", "div", "aside") if e.get("id")}
    return {name: label for name, label in wanted.items() if name in targets and label}


def _is_note_mark(link: Element) -> bool:
    parent = link.getparent()
    if parent is not None and parent.tag == "sup":
        return True
    return link.find("sup") is not None or bool(_NOTE_CLASS.search(link.get("class") or ""))
