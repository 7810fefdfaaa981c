"""The form of a page: what place, size, links, elements and neighbours tell about each block."""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.dom import HEADINGS
from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.lexicon import COLUMNS, BlockPositions
from webquarry.content.main_content.text_features import SIGNS, closings_of
from webquarry.content.main_content.tree_statistics import (
    NODE_ROWS,
    PAGE_NUMBERS,
    Measures,
    NodeMath,
)
from webquarry.content.main_content.vocabulary import ENDING_HEADING
from webquarry.content.text.word_list import words

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_TAGS = words(
    "p h1 h2 h3 h4 h5 h6 li td th dt dd pre blockquote figcaption button label summary "
    "div section article header footer caption address body noscript a"
)
_TAG_NUMBER = {tag: number for number, tag in enumerate(_TAGS, 1)}
_KINDS = words(
    "article newsarticle blogposting product itemlist collectionpage qapage "
    "discussionforumposting faqpage techarticle offer review organization service "
    "localbusiness recipe howto event"
)
_URL_KINDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"/(products?|item|dp|p|shop)[/-]",
        r"/(collections?|categor(y|ies)|c|cat|browse|shop)(/|$)",
        r"forum|thread|/t/|/questions?/|viewtopic|showthread|community|discuss|comments",
        r"docs?[./]|documentation|/api|manual|reference|wiki|guide|tutorial|readthedocs|developer",
        r"/(services?|solutions?|pricing|features?|about)",
        r"/(blog|news|article|post|20\d\d)",
        r"list|tag|topics|search|archive|trending|directory",
        r"^https?://[^/]+/?$",
    )
)
_NEAR = (-3, -2, -1, 1, 2, 3)
_NO_HEADING = [[99], [0], [0], [-1]]
# where the lines about a block's own text, about those around it and about the page begin
FORMAL = 4  # size, links, tag and ending, which take no reading
OWN = FORMAL - 1 + SIGNS + 4
_PAGE = OWN + 13 + 5 + NODE_ROWS + 5 * len(_NEAR) + 2
COUNTS = (12, 14, 11)  # dates, money and boilerplate
COUNTED = tuple(_PAGE + 10 + place for place in range(len(COUNTS)))  # on the whole page
LINES = _PAGE + 13 + PAGE_NUMBERS + len(_URL_KINDS) + len(_KINDS) + COLUMNS
FORM = tuple(
    line
    for line in range(LINES - COLUMNS)
    if line not in range(FORMAL, OWN) and line not in COUNTED
)


@dataclass(frozen=True, slots=True)
class LayoutFeatures:
    """What is known of each block before its words are read.

    `lines` has a line for each feature, as the trees ask for numbers of all blocks together; those
    that the words decide are empty.
    """

    lines: Floats
    places: BlockPositions


def form_of(outline: PageBlocks, hints: HeadHints) -> LayoutFeatures:
    """Return what place, size, links, elements and neighbours tell: the columns `FORM`."""
    blocks = Measures.of(outline)
    count, size = len(blocks.size), blocks.size
    lines = np.empty((LINES, count), np.float32)
    lines[0] = size
    lines[1] = blocks.linked / size
    lines[2] = np.fromiter([_TAG_NUMBER.get(tag, 0) for tag in blocks.tag], np.float32, count)
    lines[3] = closings_of(outline.texts)
    own, kind = lines[:FORMAL], kinds_of(outline)
    nodes = NodeMath.of(outline, blocks)
    parts = [
        _position_rows(outline, own, blocks.tag),
        _shape_rows(own, kind),
        nodes.rows,
        _near_rows(own, nodes, blocks.node),
    ]
    np.concatenate(parts, out=lines[OWN:_PAGE])
    page = np.array(_page_row(outline, hints, nodes, size), np.float32)
    lines[_PAGE:-COLUMNS] = page[:, None]
    parent = np.fromiter(outline.parent, np.int64, len(outline.parent))
    return LayoutFeatures(lines, BlockPositions(blocks.node, kind, lines[0], parent))


def _position_rows(outline: PageBlocks, own: Floats, tags: list[str]) -> Floats:
    """Return where each block stands in the page, and what the heading above it announces."""
    size, linked = own[0], own[1]
    count = len(size)
    place = np.arange(count)
    prose = size * np.maximum(0, 1 - 2 * linked)
    long = np.flatnonzero((size > 150) & (linked < 0.3))
    before, after = (long[0], long[-1]) if long.size else (0, count - 1)
    total = max(1.0, float(size.sum()))
    texts = outline.texts
    repeats = Counter(texts)
    rows = np.empty((13, count), np.float32)
    rows[0] = place / count
    rows[1] = (np.cumsum(size) - size) / total
    rows[2] = place - tags.index("h1") if "h1" in tags else -999
    rows[3] = place - int(np.argmax(prose))
    rows[4] = place - before
    rows[5] = place - after
    rows[6] = np.minimum(count - place, 60)
    rows[7] = (np.cumsum(prose) - prose) / max(1.0, float(prose.sum()))
    rows[8] = np.fromiter(map(repeats.__getitem__, texts), np.float32, count)
    _write_headings(rows[9:], outline, tags)
    return rows


def _write_headings(rows: Floats, outline: PageBlocks, tags: list[str]) -> None:
    """Write distance to, level, ending nature and links of the nearest heading above each block."""
    rows[:] = _NO_HEADING
    heads = [place for place, tag in enumerate(tags) if tag in HEADINGS]
    if not heads:
        return
    told: list[tuple[float, float, float, float]] = []
    for place in heads:
        block = outline.blocks[place]
        ends = 2 if ENDING_HEADING.match(block.text[:60]) else 1
        told.append((place, int(tags[place][1]), ends, block.linked / block.size))
    below = rows[:, heads[0] :]
    below[:] = np.repeat(np.array(told, np.float32).T, np.diff([*heads, len(tags)]), axis=1)
    below[0] = np.minimum(np.arange(heads[0], len(tags)) - below[0], 99)


def kinds_of(outline: PageBlocks) -> NDArray[np.int64]:
    """Return a number for each block, equal in elements of the same kind."""
    shapes = [outline.shape[node] for node in outline.nodes]
    numbers = {shape: number for number, shape in enumerate(dict.fromkeys(shapes))}
    return np.fromiter(map(numbers.__getitem__, shapes), np.int64, len(shapes))


def _shape_rows(own: Floats, kind: NDArray[np.int64]) -> Floats:
    """Return what blocks in elements of the same kind have in common."""
    size = own[0]
    count = np.bincount(kind)
    total = np.bincount(kind, size)
    rows = np.empty((5, len(kind)), np.float32)
    rows[0] = count[kind]
    rows[1] = (total / count)[kind]
    rows[2] = (np.bincount(kind, size * own[1]) / np.maximum(1, total))[kind]
    rows[3] = total[kind] / max(1.0, float(size.sum()))
    rows[4] = (np.bincount(kind, own[3]) / count)[kind]
    return rows


def _near_rows(own: Floats, nodes: NodeMath, place: NDArray[np.int64]) -> Floats:
    """Return the size, links, tag and ending of the blocks around each block."""
    count = len(place)
    padded = np.zeros((5, count + 6), np.float32)
    padded[:4, 3 : count + 3] = own[:4]
    padded[4, 3 : count + 3] = nodes.depth
    parents = nodes.parent
    same = np.zeros((2, count), np.float32)
    same[0, 1:] = same[1, :-1] = (parents[1:] == parents[:-1]) + (place[1:] == place[:-1])
    return np.concatenate([*(padded[:, 3 + step : 3 + step + count] for step in _NEAR), same])


def _page_row(outline: PageBlocks, hints: HeadHints, nodes: NodeMath, size: Doubles) -> list[float]:
    tags = Counter(outline.tag)
    kind = hints.og_type.lower()
    url = hints.url.lower()
    return [
        len(size),
        int(np.count_nonzero(size > 200)),
        tags["article"],
        tags["main"],
        tags["p"],
        tags["li"],
        tags["h2"] + tags["h3"],
        tags["table"],
        tags["pre"],
        1 if "article" in kind else 2 if "product" in kind else 3 if kind else 0,
        *[0.0] * len(COUNTS),  # the words are not read yet
        *nodes.page,
        *(pattern.search(url) is not None for pattern in _URL_KINDS),
        *(name in hints.kinds for name in _KINDS),
    ]
