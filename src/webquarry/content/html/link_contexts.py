"""The links of a page with their text and the text around them."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webquarry.content.html.quick_parse import MAX_LINKS, lexbor_tree

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_MAX_TEXT = 200  # characters of a link
_MAX_AROUND = 300  # characters around it
_MAX_LEAD = 100  # characters of an outer list item
_MAX_OUTER = 3  # outer list items
_MAX_STEPS = 8  # elements from a link to its block
_MAX_NODES = 100  # elements and texts that are read of one block
_LISTS = frozenset({"ul", "ol", "dl"})
_BLOCKS = frozenset({"p", "li", "dt", "dd", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "div"})


@dataclass(frozen=True, slots=True)
class LinkContext:
    """A link as written, its text, and the text around it."""

    href: str
    text: str
    around: str


def link_contexts(html: bytes | str, content_type: str | None = None) -> list[LinkContext]:
    """Return the links of a page in their order; one with several texts is there several times."""
    tree = lexbor_tree(html, content_type)
    nodes = (tree.tags("a") + tree.tags("area"))[:MAX_LINKS]
    blocks: dict[int, str] = {}  # texts by the memory address of the element
    leads: dict[int, str] = {}
    contexts = [_context(node, blocks, leads) for node in nodes]
    return list(dict.fromkeys(context for context in contexts if context.href))


def _context(node: "LexborNode", blocks: dict[int, str], leads: dict[int, str]) -> LinkContext:
    text = _text(node, _MAX_TEXT) or (node.attributes.get("title") or "")[:_MAX_TEXT]
    href = node.attrs.sget("href", "").strip()
    block = _block(node)
    if block is None or not href:
        return LinkContext(href, text, "")
    if block.mem_id not in blocks:
        blocks[block.mem_id] = _around(block, leads)
    return LinkContext(href, text, blocks[block.mem_id])


def _block(node: "LexborNode") -> "LexborNode | None":
    """Return the paragraph, list item, row or heading of a link."""
    parent = node.parent
    for _ in range(_MAX_STEPS):
        if parent is None or parent.tag in _BLOCKS:
            return parent
        parent = parent.parent
    return None


def _around(block: "LexborNode", leads: dict[int, str]) -> str:
    parts = [_text(block, _MAX_AROUND)]
    if block.tag == "dt" and (described := _next_element(block)) and described.tag == "dd":
        parts.append(_text(described, _MAX_AROUND))
    return " ".join((*parts, *_outer_items(block, leads)))


def _outer_items(block: "LexborNode", leads: dict[int, str]) -> list[str]:
    """Return the beginnings of the list items around a block: the chapters of a section."""
    found: list[str] = []
    parent = block.parent
    for _ in range(_MAX_OUTER * _MAX_STEPS):
        if parent is None or len(found) == _MAX_OUTER:
            break
        if parent.tag == "li":
            if parent.mem_id not in leads:
                leads[parent.mem_id] = _text(parent, _MAX_LEAD, until=_LISTS)
            found.append(leads[parent.mem_id])
        parent = parent.parent
    return found


def _next_element(node: "LexborNode") -> "LexborNode | None":
    following = node.next
    while following is not None and (following.tag or "-").startswith("-"):
        following = following.next
    return following


def _text(node: "LexborNode", limit: int, until: frozenset[str] = frozenset()) -> str:
    """Return the beginning of an element's text, without reading all of it."""
    parts: list[str] = []
    length = 0
    for each in islice(node.traverse(include_text=True), _MAX_NODES):
        if each.tag in until:
            break
        if each.tag == "-text" and (text := " ".join((each.text_content or "").split())):
            parts.append(text)
            length += len(text) + 1
            if length > limit:
                break
    return " ".join(parts)[:limit]
