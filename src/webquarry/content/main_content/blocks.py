"""A page split into text blocks, each with its position among the page's block elements."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, cast

from webquarry.content.html.dom import (
    BLOCK_TAGS,
    MAX_DEPTH,
    NON_TEXT_TAGS,
    Element,
    attributes_of,
    children_of,
    is_block_tag,
    tag_of,
    text_parts,
)
from webquarry.content.main_content.vocabulary import attribute_groups, name_groups
from webquarry.content.markdown.formulas import is_formula_script
from webquarry.content.markdown.html_tables import is_data_table, table_rows
from webquarry.content.text.whitespace import collapse_whitespace
from webquarry.content.text.word_list import words

_WIDE = re.compile(
    "[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_WIDE_CHARS = 3  # one wide character carries about as much as three Latin letters
_NO_ELEMENTS: tuple[Element, ...] = ()
_NO_BLOCKS = ((),) * 6
_INDIVISIBLE = frozenset(("pre", "table"))
_BLANK = " \t\r\n\f\xa0\u200b\u200c\u200d\u2060\ufeff"


# the fields of a PageBlock
_BlockTuple = tuple[str, int, int, int, Sequence[Element], Sequence[Element]]


class PageBlock(NamedTuple):
    """A run of text between two line breaks."""

    text: str
    size: int  # characters, wide scripts counted more
    linked: int  # of these, inside links
    node: int  # index of the block element
    text_elements: Sequence[Element]  # elements whose `text` is part of the block
    tail_elements: Sequence[Element]  # elements whose `tail` is part of the block


# as `PageBlock._make`, without its length check
_page_block = cast(
    "Callable[[_BlockTuple], PageBlock]", partial(cast("Any", tuple).__new__, PageBlock)
)


@dataclass(slots=True)
class BlockImage:
    """An image, the block that follows it and the element it is in."""

    element: Element
    next_block: int
    node: int


@dataclass(slots=True)
class PageBlocks:
    """The block elements of a page in document order, and the text blocks inside them."""

    elements: list[Element]
    parent: list[int]
    tags: list[str]
    indivisible: set[int]  # code blocks and data tables
    blocks: list[PageBlock]
    images: list[BlockImage]
    # the fields of all blocks: reading them from each block costs three times as much
    texts: Sequence[str]
    sizes: Sequence[int]
    nodes: Sequence[int]
    depth: list[int] = field(default_factory=list[int])
    groups: list[int] = field(default_factory=list[int])
    roles: list[int] = field(default_factory=list[int])
    path_hashes: list[int] = field(default_factory=list[int])  # of tags and classes from the root
    sibling_keys: list[int] = field(default_factory=list[int])  # of parent, tag and classes
    names: list[str] = field(default_factory=list[str])  # class, id and itemprop


def split_into_blocks(body: Element) -> PageBlocks:
    """Split the body of a page, or any other element, into blocks."""
    return _Walker(body).walk()


class _Walker:
    """Walks the tree once and collects elements and blocks."""

    def __init__(self, body: Element) -> None:
        self._elements = [body]
        self._parent = [-1]
        self._blocks: list[_BlockTuple] = []
        self._images: list[BlockImage] = []
        # the current block
        self._text: list[str] = []
        self._text_elements: list[Element] = []
        self._tail_elements: list[Element] = []
        self._linked = 0
        self._breaks = 0
        # the current element
        self._node = 0
        self._verbatim: bool = False

    def walk(self) -> PageBlocks:
        """Return the blocks and elements of the body."""
        body = self._elements[0]
        self._visit_content(body, children_of(body), 0, 0)
        self._end_block()
        tags: list[str] = ["body", *[element.tag for element in self._elements[1:]]]
        indivisible = {
            node
            for node, tag in enumerate(tags)
            if tag in _INDIVISIBLE and self._is_indivisible(node, tag)
        }
        fields = zip(*self._blocks, strict=True) if self._blocks else _NO_BLOCKS
        texts, sizes, _, nodes, _, _ = fields
        blocks = list(map(_page_block, self._blocks))
        collected = (self._elements, self._parent, tags, indivisible, blocks, self._images)
        page = PageBlocks(*collected, texts, sizes, nodes)
        _add_attributes(page)
        return page

    def _is_indivisible(self, node: int, tag: str) -> bool:
        element = self._elements[node]
        return tag == "pre" or is_data_table(element, table_rows(element))

    # flags are positional ints: this runs for every element of every page
    def _visit_content(
        self, element: Element, children: list[Element], in_link: int, level: int
    ) -> None:
        current = self._text
        if level > MAX_DEPTH:
            self._add_text("".join(text_parts(element)), element, in_link, 0)
            return
        text = element.text
        if text and (current or not text.isspace()):
            self._add_text(text, element, in_link, 0)
        level += 1
        for child in children:
            kind = _KINDS.get(child.tag) or _kind_of(child)
            if kind == _BLOCK:
                self._visit_block(child, in_link, level)
            elif kind <= _LINK:
                self._visit_inline(child, in_link or kind - _INLINE, level)
            else:
                self._visit_other(child, kind, in_link)
            text = child.tail
            if text and (current or not text.isspace()):
                self._add_text(text, child, in_link, 1)

    def _visit_inline(self, element: Element, in_link: int, level: int) -> None:
        children = children_of(element)
        if children or level > MAX_DEPTH:
            self._visit_content(element, children, in_link, level)
            return
        text = element.text
        if text:
            self._add_text(text, element, in_link, 0)

    def _visit_block(self, element: Element, in_link: int, level: int) -> None:
        if self._text:
            self._end_block()
        outer_node, node = self._node, len(self._elements)
        self._elements.append(element)
        self._parent.append(outer_node)
        children, text = children_of(element), element.text or ""
        verbatim = self._verbatim or element.tag == "pre"
        if children or verbatim or level > MAX_DEPTH or not text.isascii():
            self._node = node
            outer_verbatim, self._verbatim = self._verbatim, verbatim
            self._visit_content(element, children, in_link, level)
            if self._text:
                self._end_block()
            self._node = outer_node
            self._verbatim = outer_verbatim
        elif text:  # fast path: half of all blocks hold nothing but ASCII text
            flat = collapse_whitespace(text)
            if flat:
                size = len(flat)
                linked = min(len(text.strip()), size) if in_link else 0
                self._blocks.append((flat, size, linked, node, (element,), _NO_ELEMENTS))

    def _visit_other(self, element: Element, kind: int, in_link: int) -> None:
        if kind == _SCRIPT:
            if is_formula_script(element):
                self._add_text(element.text or "", element, 0, 0)
        elif kind == _LINE_BREAK:
            self._add_line_break()
        elif kind == _IMAGE:
            self._images.append(BlockImage(element, len(self._blocks), self._node))
        elif kind == _FORMULA:
            self._add_text("".join(text_parts(element)), element, in_link, 0)

    def _add_text(self, text: str, element: Element, in_link: int, tail: int) -> None:
        blank = text.isspace() or (not text.isascii() and not text.strip(_BLANK))
        if blank and not self._text:
            return  # white space before the first word of a block
        self._text.append(text)
        (self._tail_elements if tail else self._text_elements).append(element)
        if blank:
            return
        self._breaks = 0
        if in_link:
            self._linked += len(text.strip())

    def _add_line_break(self) -> None:
        """Add one line break; two in a row end a paragraph on old pages."""
        self._breaks += 1
        if self._breaks > 1 and not self._verbatim:
            self._end_block()
        else:
            self._text.append("\n")

    def _end_block(self) -> None:
        parts = self._text
        text = parts[0] if len(parts) == 1 else "".join(parts)
        parts.clear()
        flat = text.strip(_BLANK) if self._verbatim else collapse_whitespace(text)
        is_ascii = flat.isascii()
        if not is_ascii:
            flat = flat.strip(_BLANK)
        if flat:
            linked, size = self._linked, len(flat)
            if not is_ascii:
                extra = len(_WIDE.findall(flat)) * (_WIDE_CHARS - 1)
                linked += round(extra * linked / size)
                size += extra
            linked = min(linked, size) if linked else 0
            elements = (self._text_elements, self._tail_elements)
            self._blocks.append((flat, size, linked, self._node, *elements))
            self._text_elements, self._tail_elements = [], []
        else:
            self._text_elements.clear()
            self._tail_elements.clear()
        self._linked = self._breaks = 0


def _add_attributes(page: PageBlocks) -> None:
    """Add what the attributes of the elements and their positions in the tree say."""
    count, parent, tags = len(page.elements), page.parent, page.tags
    groups, roles, classes, names = [0] * count, [0] * count, [""] * count, [""] * count
    # one loop without a call per element, which would cost more than its work
    for node, attributes in enumerate(map(attributes_of, page.elements)):
        if len(attributes) == 1 and attributes[0][0] == "class":  # most have this one or none
            name = classes[node] = names[node] = attributes[0][1]
            groups[node] = name_groups(name) if name else 0
        elif attributes:
            values = dict(attributes)
            classes[node], groups[node], roles[node] = attribute_groups(values)
            names[node] = classes[node]
            if "id" in values or "itemprop" in values:
                names[node] += f" {values.get('id', '')} {values.get('itemprop', '')}"
    depth, path_hashes = [0], [hash((0, tags[0], classes[0]))]
    page.sibling_keys = list(map(hash, zip(parent, tags, classes, strict=True)))
    for above, tag, name in islice(zip(parent, tags, classes, strict=True), 1, None):
        depth.append(depth[above] + 1)
        path_hashes.append(hash((path_hashes[above], tag, name)))
    page.groups, page.roles, page.names = groups, roles, names
    page.depth, page.path_hashes = depth, path_hashes


_BLOCK, _INLINE, _LINK, _NON_TEXT, _SCRIPT, _LINE_BREAK, _IMAGE, _FORMULA = range(1, 9)
_KINDS: dict[object, int] = {
    **dict.fromkeys(NON_TEXT_TAGS, _NON_TEXT),
    **dict.fromkeys(BLOCK_TAGS, _BLOCK),
    **dict.fromkeys(words("span b i em strong small sub sup code time font u abbr cite"), _INLINE),
    "a": _LINK,
    "script": _SCRIPT,
    "br": _LINE_BREAK,
    "img": _IMAGE,
    "math": _FORMULA,
}


def _kind_of(element: Element) -> int:
    """Return how the walk treats an element that is not in `_KINDS`."""
    tag = tag_of(element)
    if not tag:
        return _NON_TEXT
    return _BLOCK if is_block_tag(tag) else _INLINE
