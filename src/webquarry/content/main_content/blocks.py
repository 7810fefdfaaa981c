"""A page cut into text blocks, each with its place among the page's block elements."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, cast

from webquarry.content.html.dom import (
    BLOCKS,
    MAX_DEPTH,
    SILENT,
    Element,
    attributes_of,
    children_of,
    is_block,
    name_of,
    texts,
)
from webquarry.content.main_content.vocabulary import groups_of, marks_of
from webquarry.content.markdown.formulas import is_formula_script
from webquarry.content.markdown.html_tables import is_data, rows_of
from webquarry.content.text.whitespace import flattened
from webquarry.content.text.word_list import words

_WIDE = re.compile(
    "[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_WIDE_CHARS = 3  # one of these says about as much as three Latin letters
_NONE: tuple[Element, ...] = ()
_NO_CUTS = ((),) * 6
_WHOLE = frozenset(("pre", "table"))
_BLANK = " \t\r\n\f\xa0\u200b\u200c\u200d\u2060\ufeff"


# a block before it is one: text, size, linked, node, texts, tails
_Cut = tuple[str, int, int, int, Sequence[Element], Sequence[Element]]


class PageBlock(NamedTuple):
    """A run of text between two line breaks."""

    text: str
    size: int  # characters, wide scripts counted more
    linked: int  # of these, inside links
    node: int
    texts: Sequence[Element]  # elements whose own text is part of the block
    tails: Sequence[Element]  # elements behind which text of the block stands


# as `PageBlock._make` does, without a look at each
_block = cast("Callable[[_Cut], PageBlock]", partial(cast("Any", tuple).__new__, PageBlock))


@dataclass(slots=True)
class BlockImage:
    """An image, the block that follows it and the element it stands in."""

    element: Element
    before: int
    node: int


@dataclass(slots=True)
class PageBlocks:
    """The block elements of a page in document order, and the text blocks inside them."""

    elements: list[Element]
    parent: list[int]
    tag: list[str]
    whole: set[int]  # code blocks and tables of data
    blocks: list[PageBlock]
    images: list[BlockImage]
    # of the blocks, as reading these from each of them costs three times as much
    texts: Sequence[str]
    sizes: Sequence[int]
    nodes: Sequence[int]
    depth: list[int] = field(default_factory=list[int])
    groups: list[int] = field(default_factory=list[int])
    roles: list[int] = field(default_factory=list[int])
    shape: list[int] = field(default_factory=list[int])  # equal for elements of one kind
    twins: list[int] = field(default_factory=list[int])  # siblings of one kind share a number
    names: list[str] = field(default_factory=list[str])  # class, id and property


def outline_of(body: Element) -> PageBlocks:
    """Cut the body of a page, or what stands for it, into blocks."""
    return _Walker(body).walk()


class _Walker:
    """Walks the tree once and collects elements and blocks on the way."""

    def __init__(self, body: Element) -> None:
        self._elements = [body]
        self._parent = [-1]
        self._blocks: list[_Cut] = []
        self._images: list[BlockImage] = []
        self._text: list[str] = []
        self._texts: list[Element] = []
        self._tails: list[Element] = []
        self._linked = 0
        self._node = 0
        self._verbatim: bool = False
        self._breaks = 0

    def walk(self) -> PageBlocks:
        """Return what there is in the body."""
        body = self._elements[0]
        self._inside(body, children_of(body), 0, 0)
        self._flush()
        tags: list[str] = ["body", *[element.tag for element in self._elements[1:]]]
        places = enumerate(tags)
        whole = {at for at, tag in places if tag in _WHOLE and self._is_whole(at, tag)}
        cuts = self._blocks
        said, sizes, _, nodes, _, _ = zip(*cuts, strict=True) if cuts else _NO_CUTS
        blocks = list(map(_block, cuts))
        found = (self._elements, self._parent, tags, whole, blocks, self._images)
        return _described(PageBlocks(*found, said, sizes, nodes))

    def _is_whole(self, place: int, tag: str) -> bool:
        element = self._elements[place]
        return tag == "pre" or is_data(element, rows_of(element))

    # flags are numbers, by place: this is called for every element of every page
    def _inside(self, element: Element, children: list[Element], in_link: int, level: int) -> None:
        said = self._text
        if level > MAX_DEPTH:
            self._take("".join(texts(element)), element, in_link, 0)
            return
        text = element.text
        if text and (said or not text.isspace()):
            self._take(text, element, in_link, 0)
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
            if text and (said or not text.isspace()):
                self._take(text, child, in_link, 1)

    def _visit_inline(self, element: Element, in_link: int, level: int) -> None:
        children = children_of(element)
        if children or level > MAX_DEPTH:
            self._inside(element, children, in_link, level)
            return
        text = element.text
        if text:
            self._take(text, element, in_link, 0)

    def _visit_block(self, element: Element, in_link: int, level: int) -> None:
        if self._text:
            self._flush()
        node, number = self._node, len(self._elements)
        self._elements.append(element)
        self._parent.append(node)
        children, text = children_of(element), element.text or ""
        verbatim = self._verbatim or element.tag == "pre"
        if children or verbatim or level > MAX_DEPTH or not text.isascii():
            self._node = number
            outer, self._verbatim = self._verbatim, verbatim
            self._inside(element, children, in_link, level)
            if self._text:
                self._flush()
            self._node = node
            self._verbatim = outer
        elif text:  # and nothing else, which half of all blocks are
            flat = flattened(text)
            if flat:
                size = len(flat)
                linked = min(len(text.strip()), size) if in_link else 0
                self._blocks.append((flat, size, linked, number, (element,), _NONE))

    def _visit_other(self, element: Element, kind: int, in_link: int) -> None:
        if kind == _SCRIPT:
            if is_formula_script(element):
                self._take(element.text or "", element, 0, 0)
        elif kind == _LINE_BREAK:
            self._break()
        elif kind == _IMAGE:
            self._images.append(BlockImage(element, len(self._blocks), self._node))
        elif kind == _FORMULA:
            self._take("".join(texts(element)), element, in_link, 0)

    def _take(self, text: str, element: Element, in_link: int, tail: int) -> None:
        blank = text.isspace() or (not text.isascii() and not text.strip(_BLANK))
        if blank and not self._text:
            return  # white space before the first word of a block
        self._text.append(text)
        (self._tails if tail else self._texts).append(element)
        if blank:
            return
        self._breaks = 0
        if in_link:
            self._linked += len(text.strip())

    def _break(self) -> None:
        """Take one line break; two in a row are how old pages end a paragraph."""
        self._breaks += 1
        if self._breaks > 1 and not self._verbatim:
            self._flush()
        else:
            self._text.append("\n")

    def _flush(self) -> None:
        said = self._text
        text = said[0] if len(said) == 1 else "".join(said)
        said.clear()
        flat = text.strip(_BLANK) if self._verbatim else flattened(text)
        plain = flat.isascii()
        if not plain:
            flat = flat.strip(_BLANK)
        if flat:
            linked, size = self._linked, len(flat)
            if not plain:
                wide = len(_WIDE.findall(flat)) * (_WIDE_CHARS - 1)
                linked += round(wide * linked / size)
                size += wide
            linked = min(linked, size) if linked else 0
            self._blocks.append((flat, size, linked, self._node, self._texts, self._tails))
            self._texts, self._tails = [], []
        else:
            self._texts.clear()
            self._tails.clear()
        self._linked = self._breaks = 0


def _described(outline: PageBlocks) -> PageBlocks:
    """Add what the attributes of the elements and their places in the tree say."""
    count, parent, tags = len(outline.elements), outline.parent, outline.tag
    groups, roles, classes, names = [0] * count, [0] * count, [""] * count, [""] * count
    # all at once, as a call for each costs more than what it does
    for place, given in enumerate(map(attributes_of, outline.elements)):
        if len(given) == 1 and given[0][0] == "class":  # most elements have this one or none
            name = classes[place] = names[place] = given[0][1]
            groups[place] = groups_of(name) if name else 0
        elif given:
            marks = dict(given)
            classes[place], groups[place], roles[place] = marks_of(marks)
            names[place] = classes[place]
            if "id" in marks or "itemprop" in marks:
                names[place] += f" {marks.get('id', '')} {marks.get('itemprop', '')}"
    depth, shape = [0], [hash((0, tags[0], classes[0]))]
    keys = zip(parent, tags, classes, strict=True)
    outline.twins = list(map(hash, keys))
    for up, tag, name in islice(zip(parent, tags, classes, strict=True), 1, None):
        depth.append(depth[up] + 1)
        shape.append(hash((shape[up], tag, name)))
    outline.groups, outline.roles, outline.names = groups, roles, names
    outline.depth, outline.shape = depth, shape
    return outline


_BLOCK, _INLINE, _LINK, _SILENT, _SCRIPT, _LINE_BREAK, _IMAGE, _FORMULA = range(1, 9)
_KINDS: dict[object, int] = {
    **dict.fromkeys(SILENT, _SILENT),
    **dict.fromkeys(BLOCKS, _BLOCK),
    **dict.fromkeys(words("span b i em strong small sub sup code time font u abbr cite"), _INLINE),
    "a": _LINK,
    "script": _SCRIPT,
    "br": _LINE_BREAK,
    "img": _IMAGE,
    "math": _FORMULA,
}


def _kind_of(element: Element) -> int:
    """Return how the walk treats an element of no common name."""
    tag = name_of(element)
    if not tag:
        return _SILENT
    return _BLOCK if is_block(tag) else _INLINE
