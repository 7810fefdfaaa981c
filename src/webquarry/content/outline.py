"""A page cut into text blocks, each with its place among the page's block elements."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from webquarry.content.dom import (
    BLOCKS,
    MAX_DEPTH,
    SILENT,
    Element,
    attributes_of,
    is_block,
    name_of,
    texts,
)
from webquarry.content.formulas import is_formula_script
from webquarry.content.spaces import flattened
from webquarry.content.tables import is_data, rows_of
from webquarry.content.vocabulary import marks_of
from webquarry.content.wordlist import words

_WIDE = re.compile(
    "[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_WIDE_CHARS = 3  # one of these says about as much as three Latin letters
_NONE: tuple[Element, ...] = ()
_BLANK = " \t\r\n\f\xa0\u200b\u200c\u200d\u2060\ufeff"


@dataclass(slots=True)
class Block:
    """A run of text between two line breaks."""

    text: str
    size: int  # characters, wide scripts counted more
    linked: int  # of these, inside links
    node: int
    texts: Sequence[Element]  # elements whose own text is part of the block
    tails: Sequence[Element]  # elements behind which text of the block stands


@dataclass(slots=True)
class Image:
    """An image, the block that follows it and the element it stands in."""

    element: Element
    before: int
    node: int


@dataclass(slots=True)
class Outline:
    """The block elements of a page in document order, and the text blocks inside them."""

    elements: list[Element] = field(default_factory=list[Element])
    parent: list[int] = field(default_factory=list[int])
    depth: list[int] = field(default_factory=list[int])
    tag: list[str] = field(default_factory=list[str])
    groups: list[int] = field(default_factory=list[int])
    roles: list[int] = field(default_factory=list[int])
    shape: list[int] = field(default_factory=list[int])  # equal for elements of one kind
    twins: list[int] = field(default_factory=list[int])  # siblings of one kind share a number
    names: list[str] = field(default_factory=list[str])  # class, id and property
    whole: set[int] = field(default_factory=set[int])  # code blocks and tables of data
    blocks: list[Block] = field(default_factory=list[Block])
    images: list[Image] = field(default_factory=list[Image])


def outline_of(body: Element) -> Outline:
    """Cut the body of a page, or what stands for it, into blocks."""
    walker = _Walker()
    walker.enter(body)
    return walker.outline()


# of one element: itself, parent, depth, tag, groups, roles, shape, twins, names
_Node = tuple[Element, int, int, str, int, int, int, int, str]


class _Walker:
    """Walks the tree once and collects nodes and blocks on the way."""

    def __init__(self) -> None:
        self._nodes: list[_Node] = []  # one list while walking, columns afterwards
        self._blocks: list[Block] = []
        self._images: list[Image] = []
        self._whole: set[int] = set()
        self._text: list[str] = []
        self._texts: list[Element] = []
        self._tails: list[Element] = []
        self._linked = 0
        self._node = -1
        self._verbatim = False
        self._breaks = 0

    def enter(self, body: Element) -> None:
        """Walk the body."""
        self._add_node(body, "body", -1)
        self._node = 0
        self._inside(body, 0, 0)
        self._flush()

    def outline(self) -> Outline:
        """Return what was found."""
        elements, parent, depth, tag, groups, roles, shape, twins, names = zip(
            *self._nodes, strict=True
        )
        return Outline(
            list(elements),
            list(parent),
            list(depth),
            list(tag),
            list(groups),
            list(roles),
            list(shape),
            list(twins),
            list(names),
            self._whole,
            self._blocks,
            self._images,
        )

    # flags are numbers, by place: this is called for every element of every page
    def _inside(self, element: Element, in_link: int, level: int) -> None:
        if level > MAX_DEPTH:
            self._take("".join(texts(element)), element, in_link, 0)
            return
        text = element.text
        if text:
            self._take(text, element, in_link, 0)
        level += 1
        said = self._text
        for child in element:
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
        if len(element) or level > MAX_DEPTH:
            self._inside(element, in_link, level)
            return
        text = element.text
        if text:
            self._take(text, element, in_link, 0)

    def _visit_block(self, element: Element, in_link: int, level: int) -> None:
        if self._text:
            self._flush()
        node, verbatim, tag = self._node, self._verbatim, element.tag
        self._node = self._add_node(element, tag, node)
        if verbatim or tag == "pre" or len(element) or level > MAX_DEPTH:
            self._verbatim = verbatim or tag == "pre"
            self._inside(element, in_link, level)
            if self._text:
                self._flush()
            self._verbatim = verbatim
        else:
            text = element.text
            if text:
                self._visit_leaf(element, text, in_link)
        self._node = node

    def _visit_leaf(self, element: Element, text: str, in_link: int) -> None:
        """Take a block element with nothing but text in it, which half of all blocks are."""
        if not text.isascii():
            self._take(text, element, in_link, 0)
            if self._text:
                self._flush()
            return
        flat = flattened(text)
        if flat:
            size = len(flat)
            linked = min(len(text.strip()), size) if in_link else 0
            self._blocks.append(Block(flat, size, linked, self._node, (element,), _NONE))

    def _visit_other(self, element: Element, kind: int, in_link: int) -> None:
        if kind == _SCRIPT:
            if is_formula_script(element):
                self._take(element.text or "", element, 0, 0)
        elif kind == _LINE_BREAK:
            self._break()
        elif kind == _IMAGE:
            self._images.append(Image(element, len(self._blocks), self._node))
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
            self._blocks.append(Block(flat, size, linked, self._node, self._texts, self._tails))
            self._texts, self._tails = [], []
        else:
            self._texts.clear()
            self._tails.clear()
        self._linked = self._breaks = 0

    def _add_node(self, element: Element, tag: str, parent: int) -> int:
        nodes = self._nodes
        groups, roles, names, named = 0, 0, "", ""
        given = attributes_of(element)  # most elements have none
        if given:
            marks = dict(given)
            names, groups, roles = marks_of(marks)
            named = names
            if "id" in marks or "itemprop" in marks:
                named = f"{names} {marks.get('id', '')} {marks.get('itemprop', '')}"
        number = len(nodes)
        depth, shape = 0, 0
        if number:
            _, _, above, _, _, _, shape, _, _ = nodes[parent]
            depth = above + 1
        nodes.append(
            (
                element,
                parent,
                depth,
                tag,
                groups,
                roles,
                hash((shape, tag, names)),
                hash((parent, tag, names)),
                named,
            )
        )
        if tag == "pre" or (tag == "table" and is_data(element, rows_of(element))):
            self._whole.add(number)
        return number


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
