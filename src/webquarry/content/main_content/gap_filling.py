"""Keeps blocks that the classifier rejected although they are in the middle of kept text."""

import re

from webquarry.content.html.dom import HEADINGS
from webquarry.content.main_content.blocks import PageBlock, PageBlocks
from webquarry.content.main_content.vocabulary import ENDING_HEADING, GROUP_NAMES
from webquarry.content.markdown.formulas import tex_formula
from webquarry.content.text.word_list import words

_FOREIGN_TAGS = frozenset(words("aside nav footer form button dialog menu label noscript"))
_FOREIGN_GROUPS = sum(
    1 << GROUP_NAMES.index(name)
    for name in words(
        "comment nav footer side related promo social signup ad modal filter meta hidden"
    )
)
_STRUCTURE_TAGS = frozenset(words("pre td th dt dd li blockquote"))
_FORMULA_TAGS = frozenset(("math", "script"))
_SUBHEADINGS = HEADINGS - {"h1"}
_MAX_LEVELS = 6
_MAX_TITLE_DISTANCE = 12  # blocks: a byline, a date, a picture's caption
_REFERENCE_TAGS = ("pre", "dt")
_MIN_REFERENCE = 3
_NON_WORD = re.compile(r"\W+")
_MAX_GAP = 0.15  # of the kept text: the classifier rejects a longer gap for a reason


def fill_gaps(page: PageBlocks, keep: list[bool]) -> None:
    """Keep structured blocks between kept siblings, unless their names or links say otherwise."""
    if True not in keep:
        return
    first, last, total = _kept_ranges(page, keep)
    gaps: dict[int, list[int]] = {}
    between = range(keep.index(True), max(last.values()))
    for index in [index for index in between if not keep[index]]:
        block = page.blocks[index]
        if _is_structured(page, block) and _has_own_text(page, block):
            part = _part_between(page, block, index, first, last)
            if part >= 0:
                gaps.setdefault(part, []).append(index)
    for part, indices in gaps.items():
        size = sum(page.sizes[index] for index in indices)
        if size <= _MAX_GAP * total or _is_in_data_table(page, page.nodes[indices[0]], part):
            for index in indices:
                keep[index] = True


def _has_own_text(page: PageBlocks, block: PageBlock) -> bool:
    """Tell whether the block is more than links; cells of a data table may be links only."""
    return 2 * block.linked < block.size or _is_in_data_table(page, block.node, 0)


def _is_in_data_table(page: PageBlocks, node: int, top: int) -> bool:
    """Tell whether the node is in a data table below the node `top`."""
    while node >= top:
        if page.tags[node] == "table":
            return node in page.indivisible
        node = page.parent[node]
    return False


def keep_headings(page: PageBlocks, keep: list[bool]) -> None:
    """Keep the heading directly above kept text of the same part of the page."""
    blocks = page.blocks
    for index in range(len(blocks) - 2, -1, -1):
        block = blocks[index]
        if keep[index] or not keep[index + 1] or page.tags[block.node] not in _SUBHEADINGS:
            continue
        related = _have_near_ancestor(page, block.node, blocks[index + 1].node)
        keep[index] = related and not ENDING_HEADING.match(block.text[:60])


def keep_title(page: PageBlocks, keep: list[bool], title: str) -> None:
    """Keep the only h1 shortly above the content.

    Articles do without one that repeats the title of the page; in a manual it names what the rest
    describes.
    """
    tags = page.tags
    indices = [index for index, node in enumerate(page.nodes) if tags[node] == "h1"]
    first = keep.index(True) if True in keep else -1
    if len(indices) != 1 or keep[indices[0]]:
        return
    if 0 < first - indices[0] <= _MAX_TITLE_DISTANCE:
        keep[indices[0]] = _is_reference(page) or (
            _letters(page.texts[indices[0]]) not in _letters(title)
        )


def _is_reference(page: PageBlocks) -> bool:
    """Tell whether the page describes terms or code, as manuals do."""
    return sum(page.tags.count(tag) for tag in _REFERENCE_TAGS) >= _MIN_REFERENCE


def _letters(text: str) -> str:
    return _NON_WORD.sub("", text).lower()


def _have_near_ancestor(page: PageBlocks, heading: int, node: int) -> bool:
    """Tell whether an element at most two steps above the heading is close above the node."""
    parent = page.parent
    ancestors = {parent[heading], parent[parent[heading]]}
    for _ in range(4):
        if node < 0:
            return False
        if node in ancestors:
            return True
        node = parent[node]
    return False


def _is_structured(page: PageBlocks, block: PageBlock) -> bool:
    """Tell whether the block is code, a formula, a heading, or part of a table, list or quote."""
    tag = page.tags[block.node]
    if tag in HEADINGS:
        return not ENDING_HEADING.match(block.text[:60])
    elements = block.text_elements
    if elements and all(element.tag in _FORMULA_TAGS for element in elements):
        return True
    if tex_formula(page.elements[block.node]):
        return True
    if tag == "p":
        tag = page.tags[page.parent[block.node]]
    return tag in _STRUCTURE_TAGS


def _kept_ranges(page: PageBlocks, keep: list[bool]) -> tuple[dict[int, int], dict[int, int], int]:
    """Return the first and last kept block per element and parent, and the size of all kept."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    total = 0
    parents = page.parent
    for index, (node, size) in enumerate(zip(page.nodes, page.sizes, strict=True)):
        if keep[index]:
            total += size
            parent = parents[node]
            last[node] = last[parent] = index
            first.setdefault(node, index)
            first.setdefault(parent, index)
    return first, last, total


def _part_between(
    page: PageBlocks, block: PageBlock, index: int, first: dict[int, int], last: dict[int, int]
) -> int:
    """Return the ancestor whose parent has kept text on both sides of the block, or -1."""
    node = block.node
    if first.get(node, index) < index < last.get(node, index):
        return node
    for _ in range(_MAX_LEVELS):
        if page.tags[node] in _FOREIGN_TAGS or page.groups[node] & _FOREIGN_GROUPS:
            return -1
        parent = page.parent[node]
        if parent < 0:
            return -1
        if first.get(parent, index) < index < last.get(parent, index):
            return node
        node = parent
    return -1
