"""Blocks that the classifier refused although they stand in the middle of kept text."""

import re

from webquarry.content.html.dom import HEADINGS
from webquarry.content.main_content.blocks import PageBlock, PageBlocks
from webquarry.content.main_content.vocabulary import ENDING_HEADING, GROUP_NAMES
from webquarry.content.text.word_list import words

_FOREIGN = frozenset(words("aside nav footer form button dialog menu label noscript"))
_FOREIGN_GROUPS = sum(
    1 << GROUP_NAMES.index(name)
    for name in words(
        "comment nav footer side related promo social signup ad modal filter meta hidden"
    )
)
_BUILT = frozenset(words("pre td th dt dd li blockquote"))
_FORMULAS = frozenset(("math", "script"))
_SUBHEADINGS = HEADINGS - {"h1"}
_LEVELS = 6
_NEAR = 12  # blocks: a byline, a date, a picture's caption
_NO_WORD = re.compile(r"\W+")
_SHARE = 0.15  # of the kept text: a longer gap was refused for a reason


def fill_gaps(outline: PageBlocks, keep: list[bool]) -> list[bool]:
    """Keep what stands between kept siblings, unless its own marks or links speak against it."""
    if True not in keep:
        return keep
    first, last, total = _kept_range(outline, keep)
    gaps: dict[int, list[int]] = {}
    between = range(keep.index(True), max(last.values()))
    for place in [place for place in between if not keep[place]]:
        block = outline.blocks[place]
        if _is_built(outline, block) and _has_own_words(outline, block):
            part = _part_between(outline, block, place, first, last)
            if part >= 0:
                gaps.setdefault(part, []).append(place)
    for part, places in gaps.items():
        size = sum(outline.sizes[place] for place in places)
        if size <= _SHARE * total or _in_data(outline, outline.nodes[places[0]], part):
            for place in places:
                keep[place] = True
    return keep


def _has_own_words(outline: PageBlocks, block: PageBlock) -> bool:
    """Tell whether the block is more than links, which cells of a table may well be."""
    return 2 * block.linked < block.size or _in_data(outline, block.node, 0)


def _in_data(outline: PageBlocks, node: int, top: int) -> bool:
    """Tell whether the node is in a table of data, which may be long, below the node `top`."""
    while node >= top:
        if outline.tag[node] == "table":
            return node in outline.whole
        node = outline.parent[node]
    return False


def keep_headings(outline: PageBlocks, keep: list[bool]) -> list[bool]:
    """Keep the heading right above kept text of the same part of the page."""
    blocks = outline.blocks
    for place in range(len(blocks) - 2, -1, -1):
        block = blocks[place]
        if keep[place] or not keep[place + 1] or outline.tag[block.node] not in _SUBHEADINGS:
            continue
        related = _near_common(outline, block.node, blocks[place + 1].node)
        keep[place] = related and not ENDING_HEADING.match(block.text[:60])
    return keep


def keep_title(outline: PageBlocks, keep: list[bool], title: str) -> list[bool]:
    """Keep the main heading shortly above the content if the page's title does not say it."""
    texts, tags = outline.texts, outline.tag
    places = [place for place, node in enumerate(outline.nodes) if tags[node] == "h1"]
    first = keep.index(True) if True in keep else -1
    if len(places) == 1 and 0 < first - places[0] <= _NEAR and not keep[places[0]]:
        keep[places[0]] = _flat(texts[places[0]]) not in _flat(title)
    return keep


def _flat(text: str) -> str:
    return _NO_WORD.sub("", text).lower()


def _near_common(outline: PageBlocks, one: int, other: int) -> bool:
    """Tell whether an element at most two steps above the one is also close above the other."""
    above = {outline.parent[one], outline.parent[outline.parent[one]]}
    for _ in range(4):
        if other < 0:
            return False
        if other in above:
            return True
        other = outline.parent[other]
    return False


def _is_built(outline: PageBlocks, block: PageBlock) -> bool:
    """Tell whether the block is code, a formula, a heading, or part of a table, list or quote."""
    tag = outline.tag[block.node]
    if tag in HEADINGS:
        return not ENDING_HEADING.match(block.text[:60])
    held = block.texts
    if held and held[0].tag in _FORMULAS and all(part.tag in _FORMULAS for part in held):
        return True
    return tag in _BUILT or (tag == "p" and outline.tag[outline.parent[block.node]] in _BUILT)


def _kept_range(
    outline: PageBlocks, keep: list[bool]
) -> tuple[dict[int, int], dict[int, int], int]:
    """Return the first and last kept block of elements and their children, and the sum."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    total = 0
    parent = outline.parent
    for place, (node, size) in enumerate(zip(outline.nodes, outline.sizes, strict=True)):
        if keep[place]:
            total += size
            around = parent[node]
            last[node] = last[around] = place
            first.setdefault(node, place)
            first.setdefault(around, place)
    return first, last, total


def _part_between(
    outline: PageBlocks, block: PageBlock, place: int, first: dict[int, int], last: dict[int, int]
) -> int:
    """Return the part of an element with kept text on both sides that the block is in, or -1."""
    node = block.node
    if first.get(node, place) < place < last.get(node, place):
        return node
    for _ in range(_LEVELS):
        if outline.tag[node] in _FOREIGN or outline.groups[node] & _FOREIGN_GROUPS:
            return -1
        around = outline.parent[node]
        if around < 0:
            return -1
        if first.get(around, place) < place < last.get(around, place):
            return node
        node = around
    return -1
