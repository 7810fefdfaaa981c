"""Repairs a parsed page where libxml2 departs from the HTML standard."""

import re
from collections.abc import Callable, Iterator
from typing import cast

from lxml import etree

from webquarry.content.text.word_list import words

# lxml has no public name for its element type
_Node = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

_HEAD_TAGS = frozenset(words("title meta link style script base noscript template object bgsound"))
# libxml2 waits for their end tag, which never comes, and puts the text after them inside
_VOID_TAGS = ("wbr", "embed")
_CELLS = frozenset(("td", "th"))
_SECTIONS = frozenset(("thead", "tbody", "tfoot"))
_TABLE_PARTS = _SECTIONS | {"tr", "caption", "colgroup", "col", "script", "style", "template"}
_MAX_LEVELS = 50  # of sections, forms and rows inside each other
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_find_broken_tables = cast(
    "Callable[[_Node], list[_Node]]",
    etree.XPath(
        "//table[*[not(self::tr or self::thead or self::tbody or self::tfoot or self::caption"
        " or self::colgroup or self::col)] or text()[normalize-space()]"
        " or *[self::tr or self::thead or self::tbody or self::tfoot]"
        "[text()[normalize-space()] or self::tr/*[not(self::td or self::th)]"
        " or not(self::tr) and *[not(self::tr)]"
        " or tr[text()[normalize-space()] or *[not(self::td or self::th)]]]]"
    ),
)


def repair_tree(root: _Node) -> None:
    """Move misplaced elements and texts to where a browser has them."""
    _repair_head(root)
    _repair_body(root)
    etree.strip_tags(root, *_VOID_TAGS)
    for table in _find_broken_tables(root):
        _repair_table(table)


def valid_text(text: str | None) -> str:
    """Return the text without characters that the parser accepts but assignment rejects."""
    return _NOT_XML.sub("", text or "")


def _repair_head(root: _Node) -> None:
    """Move body elements out of the head, where the parser leaves elements it does not know."""
    head = root.find("head")
    children = () if head is None else head
    misplaced = next((e for e in children if _is_misplaced(e)), None)
    if misplaced is None:
        return
    moved = [misplaced, *misplaced.itersiblings()]
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    for index, element in enumerate(moved):
        body.insert(index, element)
    if body.text:  # the text at the start of the body comes after the moved elements
        moved[-1].tail = valid_text((moved[-1].tail or "") + body.text)
        body.text = None


def _is_misplaced(element: _Node) -> bool:
    return _is_element(element) and element.tag not in _HEAD_TAGS


def _is_element(node: _Node) -> bool:
    """Tell elements from comments, whose tag is a function."""
    return isinstance(cast("object", node.tag), str)


def _repair_body(root: _Node) -> None:
    """Move what comes after the body, or in a second body, to the end of the body."""
    body = root.find("body")
    if body is None:
        return
    _append_text(body, body.tail)
    body.tail = None
    for element in list(body.itersiblings()):
        if element.tag == "body":
            _append_text(body, element.text)
            body.extend(list(element))
            _append_text(body, element.tail)
            root.remove(element)
        elif element.tag != "head":
            body.append(element)


def _append_text(parent: _Node, text: str | None) -> None:
    if not text or text.isspace():
        return
    if len(parent):
        parent[-1].tail = valid_text((parent[-1].tail or "") + text)
    else:
        parent.text = valid_text((parent.text or "") + text)


def _repair_table(table: _Node) -> None:
    """Put loose cells into rows, and move what is between rows and cells before the table."""
    repair = _TableRepair()
    table[:] = repair.parts_of(table)
    table.text = None
    for element in repair.loose:
        if element.tag != "table":
            table.addprevious(element)
    for element in reversed(repair.loose):
        if element.tag == "table":
            table.addnext(element)


class _TableRepair:
    """Rebuilds the rows of a table, and collects what belongs into none of them."""

    def __init__(self) -> None:
        self.loose: list[_Node] = []

    def parts_of(self, element: _Node, level: int = 0) -> list[_Node]:
        """Return captions, sections and rows in the table, a section, or a form around rows."""
        parts: list[_Node] = []
        open_row: _Node | None = None  # collects cells that are in no row
        for child in self._children(element):
            if child.tag not in _CELLS:
                open_row = None
                parts += self._parts(child, level)
                continue
            if open_row is None:
                open_row = etree.Element("tr")
                parts.append(open_row)
            open_row.append(child)
        return parts

    def _parts(self, child: _Node, level: int) -> list[_Node]:
        if child.tag == "tr":
            return self._rows(child, level)
        if child.tag in _SECTIONS:
            child[:] = self.parts_of(child, level + 1)
            child.text = None
            return [child]
        if child.tag in _TABLE_PARTS:
            return [child]
        if level < _MAX_LEVELS and _holds_rows(child):
            return self.parts_of(child, level + 1)
        self.loose.append(child)
        return []

    def _rows(self, row: _Node, level: int) -> list[_Node]:
        """Return the row, and the rows inside of it that follow because it was never closed."""
        cells: list[_Node] = []
        following: list[_Node] = []
        for child in self._children(row):
            if child.tag in _CELLS:
                cells.append(child)
            elif level < _MAX_LEVELS and (child.tag == "tr" or _holds_rows(child)):
                first, *others = self._rows(child, level + 1)
                if child.tag == "tr":
                    following += [first, *others]
                else:  # a form around cells
                    cells += list(first)
                    following += others
            else:
                self.loose.append(child)
        row[:] = cells
        row.text = None
        return [row, *following]

    def _children(self, element: _Node) -> Iterator[_Node]:
        """Yield the child elements without tails; texts between them become loose paragraphs."""
        self._keep_text(element.text)
        for child in list(element):
            tail, child.tail = child.tail, None
            if _is_element(child):
                yield child
            self._keep_text(tail)

    def _keep_text(self, text: str | None) -> None:
        if text and not text.isspace():
            paragraph = etree.Element("p")
            paragraph.text = valid_text(text)
            self.loose.append(paragraph)


def _holds_rows(element: _Node) -> bool:
    """Tell whether rows or cells are inside the element, such as a form around them."""
    first = next(element.iter("tr", "td", "th", "table"), None)
    return first is not None and first.tag != "table"
