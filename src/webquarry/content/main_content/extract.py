"""The main content of a parsed page: hidden text removed, blocks chosen, the rest pruned."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from webquarry.content.html.dom import Element, body_of, drop_tree
from webquarry.content.html.embedded_data import embedded_markdown
from webquarry.content.html.head_hints import read_head_hints
from webquarry.content.main_content.blocks import PageBlock, PageBlocks, split_into_blocks
from webquarry.content.main_content.choose import choose_blocks
from webquarry.content.main_content.documentation import documentation_content
from webquarry.content.main_content.simple_pages import single_article
from webquarry.content.markdown.writer import write_markdown
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.hidden_text import HiddenTextReport, find_hidden, remove_elements
from webquarry.content.visibility.invisible_characters import without_invisible

_MIN_CONTENT = 300  # characters: with less, text is looked for in the page's embedded data
_MIN_RATIO = 2  # of embedded to visible text


@dataclass(slots=True)
class ChosenContent:
    """A page whose main content has been chosen but not yet written."""

    root: Element
    container: Element  # holds the content
    hidden: HiddenTextReport
    page: PageBlocks | None = None  # None: everything in the container is content
    keep: Sequence[bool] = ()  # for each block of the page


def choose_content(root: Element, url: str, index: ElementIndex) -> ChosenContent:
    """Remove hidden elements from the page, and choose its main content."""
    hidden = find_hidden(root, index)
    # hints may be inside elements that are about to be removed; otherwise they are read when needed
    hints = read_head_hints(root, url) if hidden.removed else None
    report = remove_elements(root, hidden)
    article = documentation_content(root, index)
    if article is None:
        article = single_article(root)
    if article is not None:
        return ChosenContent(root, article, report)
    body = body_of(root)
    page = split_into_blocks(body)
    keep = choose_blocks(page, hints or read_head_hints(root, url))
    return ChosenContent(root, body, report, page, keep)


def write_content(content: ChosenContent, base: str) -> tuple[str, bool]:
    """Prune the tree to the main content; return its Markdown and whether it is embedded data."""
    if content.page is not None:
        _prune(content.page, content.keep)
    text = write_markdown(content.container, base=base)
    embedded = embedded_markdown(content.root, base) if len(text) < _MIN_CONTENT else ""
    is_embedded = len(embedded) > max(_MIN_CONTENT, _MIN_RATIO * len(text))
    return without_invisible(embedded if is_embedded else text, content.hidden.counts), is_embedded


def _prune(page: PageBlocks, keep: Sequence[bool]) -> None:
    """Drop elements without kept text or images, and rejected text beside kept text."""
    needed = bytearray(len(page.parent))
    for block in compress(page.blocks, keep):
        if not needed[block.node]:
            _mark_needed(page, block.node, needed)
    _prune_images(page, keep, needed)
    for node, parent in enumerate(page.parent):
        if parent >= 0 and needed[parent] and not needed[node]:
            _remove(page.elements[node])
    for block, kept in zip(page.blocks, keep, strict=True):
        if not kept and needed[block.node]:
            _remove_text(block)


def _remove(element: Element) -> None:
    """Drop the element; a table cell is emptied instead, so that its row keeps its columns."""
    if element.tag not in ("td", "th"):
        drop_tree(element)
        return
    element.text = None
    for child in list(element):
        element.remove(child)


def _prune_images(page: PageBlocks, keep: Sequence[bool], needed: bytearray) -> None:
    for image in page.images:
        if _is_among_kept(keep, image.next_block):
            _mark_needed(page, image.node, needed)
        elif needed[image.node]:
            drop_tree(image.element)


def _mark_needed(page: PageBlocks, node: int, needed: bytearray) -> None:
    """Mark the node and its ancestors."""
    while node >= 0 and not needed[node]:
        needed[node] = 1
        node = page.parent[node]


def _remove_text(block: PageBlock) -> None:
    for element in block.tail_elements:
        element.tail = None
    for element in block.text_elements:
        if element.tag in ("math", "script"):
            drop_tree(element)
        else:
            element.text = None


def _is_among_kept(keep: Sequence[bool], next_block: int) -> bool:
    """Tell whether the blocks around an image are kept, as far as there are any."""
    neighbours = keep[max(0, next_block - 1) : next_block + 1]
    return bool(neighbours) and all(neighbours)
