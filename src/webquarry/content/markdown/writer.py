"""Block Markdown of an element: headings, paragraphs, lists, quotes, code and tables."""

import re
from collections.abc import Callable
from itertools import chain, pairwise

from webquarry.content.html.dom import (
    BLOCK_TAGS,
    HEADINGS,
    MAX_DEPTH,
    NON_TEXT_TAGS,
    Element,
    children_of,
    element_finder,
    is_block_tag,
    tag_of,
    text_of,
)
from webquarry.content.markdown.code_blocks import code_span, fenced_code
from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.formulas import FORMULA_TAGS, tex_formula
from webquarry.content.markdown.html_tables import table_rows, write_data_table
from webquarry.content.markdown.inline import (
    PLAIN_INLINE_TAGS,
    InlineWriter,
    collapse_with_breaks,
)
from webquarry.content.markdown.lines import indented, paragraph, with_escaped_start
from webquarry.content.markdown.list_parts import ListParts, on_one_line

_LINE_ENDS = re.compile(r"(?:(?<!\s)[^\S\n]++)?\n\s*")
_LIST_TAGS = frozenset(("ul", "ol", "menu", "dir"))
_NOT_LABEL = re.compile(r"[^0-9A-Za-z_-]+")
_find_fragment_links = element_finder("descendant-or-self::a[starts-with(@href, '#')]")
_MAX_LABEL = 20
_FOOTNOTE_CLASS = re.compile(r"footnote|reference|noteref|endnote|\bfn", re.IGNORECASE)


def write_markdown(element: Element, *, base: str = "") -> str:
    """Return everything inside the element as Markdown, links made absolute against `base`."""
    writer = _Writer(InlineWriter(base, _footnotes(element)))
    return "\n\n".join(writer.chunks(element, 0)).strip("\n")


class _Writer:
    """Writes elements as chunks: parts of Markdown that a blank line separates."""

    def __init__(self, inline: InlineWriter) -> None:
        self._inline = inline
        self._writers: dict[str, Callable[[Element, int], list[str]]] = {
            **dict.fromkeys(HEADINGS, self._heading),
            **dict.fromkeys(_LIST_TAGS, self._list),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._code),
            "blockquote": self._quote,
            "table": self._table,
            "dl": self._definitions,
            "dd": self._description,
            "hr": self._rule,
            "summary": self._summary,
        }

    def chunks(self, element: Element, level: int) -> list[str]:
        """Return the content of the element as chunks."""
        if level > MAX_DEPTH:
            return paragraph(escape(text_of(element)))
        text, children = element.text, children_of(element)
        if not children:
            return paragraph(escape(text)) if text else []
        chunks: list[str] = []
        line = [escape(text)] if text else []
        for child in children:
            if _is_inline(child):
                line.append(self._inline.write_element(child))
            else:
                if line:
                    chunks += paragraph("".join(line))
                    line.clear()
                chunks += self._block(child, level + 1)
            text = child.tail
            if text and (line or not text.isspace()):  # white space between blocks means nothing
                line.append(escape(text))
        return chunks + paragraph("".join(line)) if line else chunks

    def _block(self, element: Element, level: int) -> list[str]:
        tag, label = element.tag, self._footnote_label(element)
        if label and tag != "li":
            return self._footnote(label, element, level)
        if tag == "a":
            return self._linked_blocks(element, level)
        writer = self._writers.get(tag)
        return writer(element, level) if writer else self.chunks(element, level)

    def _footnote_label(self, element: Element) -> str | None:
        footnotes = self._inline.footnotes  # most pages have none
        return footnotes.get(element.get("id", "")) if footnotes else None

    def _footnote(self, label: str, element: Element, level: int) -> list[str]:
        inner = "\n\n".join(self.chunks(element, level))
        return [f"[^{label}]: {indented(inner, 4)}"] if inner else []

    def _linked_blocks(self, element: Element, level: int) -> list[str]:
        """Write an <a> around blocks as a link on the first of them that can be linked."""
        chunks = self.chunks(element, level)
        url = self._inline.absolute_url(element.get("href", ""))
        if not url:
            return chunks
        for index, chunk in enumerate(chunks):
            heading = re.match(r"#{1,6} ", chunk)
            marker = heading[0] if heading else ""
            text = chunk[len(marker) :]
            if "\n" not in text and "](" not in text and not text.startswith(("|", "- ", "`")):
                chunks[index] = f"{marker}[{text}]({url})"
                break
        return chunks

    def _heading(self, element: Element, level: int) -> list[str]:
        del level
        text = self._inline.write_heading(element)
        return [f"{'#' * int(str(element.tag)[1])} {text}"] if text else []

    def _summary(self, element: Element, level: int) -> list[str]:
        if next(element.iter(*HEADINGS), None) is not None:
            return self.chunks(element, level)
        text = self._inline.write_line(element)
        return [text if text.startswith("**") else f"**{text}**"] if text else []

    def _code(self, element: Element, level: int) -> list[str]:
        del level
        return fenced_code(element)

    def _rule(self, element: Element, level: int) -> list[str]:
        del element, level
        return []  # blank lines and headings separate already

    def _quote(self, element: Element, level: int) -> list[str]:
        if len(element) and all(part.tag == "pre" for part in element):
            return self.chunks(element, level)  # code that is only indented
        inner = "\n\n".join(self.chunks(element, level))
        lines = [f"> {line}" if line else ">" for line in inner.split("\n")]
        return ["\n".join(lines)] if inner else []

    def _list(self, element: Element, level: int) -> list[str]:
        """Return the list as one chunk; what is between its items divides it."""
        if _has_headed_items(element):
            return self.chunks(element, level)  # cards or sections in list markup
        parts = ListParts()
        parts.add_text(element.text)
        ordered = element.tag == "ol"
        number = _number(element.get("start"), 1)
        for child in children_of(element):
            if child.tag == "li":
                number = _number(child.get("value"), number)
                parts.add_items(self._item(child, f"{number}. " if ordered else "- ", level))
                number += 1
            elif _is_inline(child):
                parts.line.append(self._inline.write_element(child))
            elif child.tag in _LIST_TAGS:
                parts.add_list(self._block(child, level))
            else:
                parts.add_blocks(self._block(child, level))
            parts.add_text(child.tail)
        return parts.finished()

    def _item(self, element: Element, marker: str, level: int) -> list[str]:
        label = self._footnote_label(element)
        if label:
            return self._footnote(label, element, level)
        chunks = on_one_line(self.chunks(element, level))
        if not chunks:
            return []
        text = chunks[0]
        for previous, chunk in pairwise(chunks):
            nested = chunk.startswith(("- ", "1. ")) and not previous.startswith("|")
            text += ("\n" if nested else "\n\n") + chunk
        return [marker + indented(text, len(marker))]

    def _definitions(self, element: Element, level: int) -> list[str]:
        text = ""
        for chunk in self.chunks(element, level):
            gap = "\n" if chunk.startswith(": ") else "\n\n"
            text += gap + chunk if text else chunk
        return [text] if text else []

    def _description(self, element: Element, level: int) -> list[str]:
        inner = "\n\n".join(self.chunks(element, level))
        return [f": {indented(inner, 2)}"] if inner else []

    def _table(self, element: Element, level: int) -> list[str]:
        """Return a pipe table for data, and the cells one after another for a layout table."""
        chunks = write_data_table(element, lambda cell: self._cell(cell, level))
        if chunks is not None:
            return chunks
        cells = chain.from_iterable(table_rows(element))
        return list(chain.from_iterable(self.chunks(cell, level) for cell in cells))

    def _cell(self, cell: Element, level: int) -> str:
        if len(cell) == 0:  # most cells hold a number or a few words
            text = cell.text or ""
            if text.isalnum():
                return text
            text = collapse_with_breaks(escape(text))
            return with_escaped_start(text) if text else ""
        lines = "\n".join(map(_in_cell, self.chunks(cell, level)))
        return _LINE_ENDS.sub("<br>", lines) if "\n" in lines else lines


def _in_cell(chunk: str) -> str:
    """Return a chunk for a table cell: a code block becomes lines of inline code."""
    if not chunk.startswith("```"):
        return chunk
    return "\n".join(map(code_span, chunk.split("\n")[1:-1]))


def _has_headed_items(element: Element) -> bool:
    if next(element.iter(*HEADINGS), None) is None:
        return False
    return any(next(item.iter(*HEADINGS), None) is not None for item in element.iterchildren("li"))


def _number(value: str | None, default: int) -> int:
    """Return the number of a list item."""
    return int(value) if value and value.isdecimal() and len(value) < 9 else default


def _is_inline(element: Element) -> bool:
    """Tell whether the element is not a block and holds none."""
    tag = element.tag
    if tag in PLAIN_INLINE_TAGS and len(element) == 0:
        return True
    if tag in FORMULA_TAGS and tex_formula(element) is not None:
        return True
    if tag in BLOCK_TAGS:
        return False
    tag = tag_of(element)
    if not tag or tag in NON_TEXT_TAGS:
        return True
    return not is_block_tag(tag) and not _holds_block(element)


def _holds_block(element: Element) -> bool:
    return len(element) > 0 and any(is_block_tag(tag_of(part)) for part in element.iter())


def _footnotes(root: Element) -> dict[str, str]:
    """Return the ids of footnotes that a mark in the text refers to, with their labels."""
    labels: dict[str, str] = {}
    for link in _find_fragment_links(root):
        href = link.get("href", "")
        if len(href) > 1 and _is_footnote_mark(link):
            label = _NOT_LABEL.sub("", text_of(link)) or _NOT_LABEL.sub("", href)
            labels.setdefault(href[1:], label[:_MAX_LABEL])
    if not labels:
        return {}
    ids = {element.get("id") for element in root.iter("li", "p", "div", "aside")}
    return {name: label for name, label in labels.items() if label and name in ids}


def _is_footnote_mark(link: Element) -> bool:
    parent = link.getparent()
    if parent is not None and parent.tag == "sup":
        return True
    return link.find("sup") is not None or bool(_FOOTNOTE_CLASS.search(link.get("class", "")))
