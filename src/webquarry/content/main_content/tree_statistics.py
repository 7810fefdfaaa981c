"""Sums and distances over the block elements of a page.

Elements are in document order, so what is inside one is a range: from itself up to its end. Sums
are differences of running totals, and what an element tells about everything in it is written to
its range; inner elements come later and have the last word.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.vocabulary import GROUPS
from webquarry.content.text.word_list import words

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

ANCESTORS = words(
    "nav header footer aside form ul ol table article main section figure button dialog "
    "details blockquote pre dl label noscript li"
)
_ANCESTOR_BIT = {tag: 1 << place for place, tag in enumerate(ANCESTORS)}
_FAR = 30
_LEVELS = [bytes((depth + 1,)) for depth in range(255)]  # no page is cut so deep
_UP = 6
_TELLING = frozenset(("comment", "forum", "product", "review", "related", "content", "list"))
_KINDS = [len(ANCESTORS) + place for place, (name, _) in enumerate(GROUPS) if name in _TELLING]
_SHARED = [*map(ANCESTORS.index, ("article", "main", "li")), *_KINDS]
_ROLES = len(ANCESTORS) + len(GROUPS)  # lines about roles start here
_GOALS = _ROLES + 6  # and those about the way to the title, the longest text and the core
_LINES = _GOALS + 4
_INSIDE = _LINES  # in the core or not
_DEPTH = _INSIDE + 2
_UPWARD = _DEPTH + 1
NODE_ROWS = _UPWARD + 6 * _UP
PAGE_NUMBERS = 6 + len(_SHARED) + 4


class Measures(NamedTuple):
    """The element each block is in and its tag, the block's size and how much of it is linked."""

    node: Ints
    tag: list[str]
    size: Doubles
    linked: Doubles

    @classmethod
    def of(cls, outline: PageBlocks) -> "Measures":
        """Read them from the blocks."""
        nodes, tags, count = outline.nodes, outline.tag, len(outline.nodes)
        # three times as fast as making an array of a list
        return cls(
            np.fromiter(nodes, np.int64, count),
            [tags[node] for node in nodes],
            np.fromiter(outline.sizes, np.float64, count),
            np.fromiter([block.linked for block in outline.blocks], np.float64, count),
        )


@dataclass(slots=True)
class NodeMath:
    """What the element of each block tells about the block, and numbers of the whole page."""

    rows: Floats  # one for each feature
    parent: Ints
    depth: Ints
    page: list[float]

    @classmethod
    def of(cls, outline: PageBlocks, blocks: Measures) -> "NodeMath":
        """Compute everything for one page."""
        tree, node = _Tree(outline), blocks.node
        sums = _Sums(blocks, tree)
        twins = _twins(outline)
        depth = tree.depth[node]
        rows = np.empty((NODE_ROWS, len(node)), np.float32)
        lines = tree.lines(outline, (*_titles(blocks), *sums.best))
        _write_distances(rows, np.take(lines, node, axis=1, mode="clip"), depth)
        for place, best in enumerate(sums.best):
            near = depth - outline.depth[best] < _FAR
            rows[_INSIDE + place] = (node >= best) & (node < tree.ends[best]) & near
        rows[_DEPTH] = depth
        _write_upward(rows[_UPWARD:], sums.shares(twins), node, np.maximum(tree.parent, 0))
        total = max(1.0, float(sums.text[0]))
        page = [
            float(np.log1p(total)),
            float(sums.linked[0]) / total,
            float(sums.prose[0]) / total,
            *(float(sums.text[best]) / total for best in sums.best),
            float(sums.prose[sums.best[0]]) / max(1.0, float(sums.prose[0])),
            *_shares(sums, rows, twins[node]),
        ]
        return cls(rows, tree.parent[node], depth, page)


class _Tree:
    """Where the range of every element ends, and what its place in the tree is."""

    def __init__(self, outline: PageBlocks) -> None:
        above, count = outline.parent, len(outline.parent)
        self.parent = np.fromiter(above, np.int64, count)
        self.depth = np.fromiter(outline.depth, np.int64, count)
        self.ends = ends = [0] * count
        for node in range(count - 1, -1, -1):
            end = ends[node] = ends[node] or node + 1
            ends[above[node]] = ends[above[node]] or end  # the last one inside comes first

    def lines(self, outline: PageBlocks, goals: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return, line by line, the level of the nearest element of a kind around each one.

        Levels count from one, as 0 says that there is none.
        """
        ends, count = self.ends, len(self.ends)
        found = bytearray(_LINES * count)  # writing to it is faster than to an array
        marks = zip(outline.tag, outline.groups, outline.roles, outline.depth, strict=True)
        for node, (tag, groups, roles, depth) in enumerate(marks):
            bits = _ANCESTOR_BIT.get(tag, 0)
            if groups or roles:
                bits |= groups << len(ANCESTORS) | roles << _ROLES
            if bits:
                size = ends[node] - node
                level = _LEVELS[depth] * size
                for line in _places_of(bits):
                    at = line * count + node
                    found[at : at + size] = level
        for line, goal in enumerate(goals, _GOALS):
            for node in _way_to(goal, outline.parent):
                at, size = line * count + node, ends[node] - node
                found[at : at + size] = _LEVELS[outline.depth[node]] * size
        return np.frombuffer(found, np.uint8).reshape(_LINES, count)


class _Sums:
    """Text, links, prose and block counts inside every element."""

    def __init__(self, blocks: Measures, tree: _Tree) -> None:
        count = len(tree.ends)
        node, tags, size, linked = blocks
        is_p = np.fromiter([tag == "p" for tag in tags], np.bool_, len(tags))
        self.of_blocks = size * ((is_p | (size > 80)) & (linked <= 0.5 * size))
        each = np.zeros((4, count + 1))
        for row, weights in zip(each, (size, linked, self.of_blocks, None), strict=True):
            row[1:] = np.bincount(node, weights, count)
        self.most_prose = float(each[2].max())  # right inside one element
        # exact, as every number is whole
        np.cumsum(each, axis=1, out=each)
        ends = np.fromiter(tree.ends, np.int64, count)
        each = np.take(each, ends, axis=1, mode="clip") - each[:, :-1]
        self.text, self.linked, self.prose, self.count = each
        self.best = [self._deepest(tree.depth, share) for share in (0.6, 0.35)]

    def _deepest(self, depth: Ints, share: float) -> int:
        """Return the deepest element that holds this share of the page's prose."""
        holds = self.prose >= share * max(1.0, float(self.prose[0]))
        return int(np.argmax(np.where(holds, depth, -1)))

    def shares(self, twins: Doubles) -> Floats:
        """Return shares of text, links and prose of each element."""
        some = np.maximum(1.0, self.text)
        each = np.empty((6, len(some)), np.float32)
        each[0] = self.text / max(1.0, float(self.text[0]))
        each[1] = self.linked / some
        each[2] = self.count
        each[3] = self.prose / max(1.0, float(self.prose[0]))
        each[4] = self.prose / some
        each[5] = twins
        return each


@lru_cache(maxsize=4096)  # few tags, and few mixtures of groups
def _places_of(bits: int) -> tuple[int, ...]:
    return tuple(place for place in range(bits.bit_length()) if bits >> place & 1)


def _titles(blocks: Measures) -> tuple[int, int]:
    """Return the elements of the title and of the longest text."""
    node, tags, size, linked = blocks
    title = int(node[tags.index("h1")]) if "h1" in tags else 0
    return title, int(node[np.argmax(size - 2 * linked)])


def _way_to(node: int, parent: list[int]) -> list[int]:
    """Return the element and everything around it, the outermost first."""
    way: list[int] = []
    while node >= 0:
        way.append(node)
        node = parent[node]
    return way[::-1]


def _write_distances(rows: Floats, lines: NDArray[np.uint8], depth: Ints) -> None:
    """Write how many steps up the nearest element of each kind is, and which roles are above."""
    steps = (depth + 1).astype(np.uint8) - lines
    rows[:_LINES] = np.where(lines == 0, _FAR, np.minimum(steps, _FAR))
    rows[_ROLES:_GOALS] = lines[_ROLES:_GOALS] != 0


def _twins(outline: PageBlocks) -> Doubles:
    """Return how many siblings of its own kind each element has, itself included."""
    count = Counter(outline.twins)
    return np.fromiter(map(count.__getitem__, outline.twins), np.float64, len(outline.twins))


def _shares(sums: _Sums, rows: Floats, twins: Doubles) -> list[float]:
    """Return which shares of the page's prose stand in comments, articles and repeated parts."""
    prose = sums.of_blocks
    total = max(1.0, float(sums.prose[0]))
    inside: list[float] = ((rows[_SHARED] < _FAR) @ prose).tolist()
    answers = inside[len(_SHARED) - len(_KINDS)]  # what is in the first telling group
    return [
        *(part / total for part in inside),
        float(prose[twins > 3].sum()) / total,
        sums.most_prose,
        answers,
        total - answers,
    ]


def _write_upward(rows: Floats, shares: Floats, node: Ints, parent: Ints) -> None:
    """Write the shares of each element and of those above it."""
    for step in range(_UP):
        np.take(shares, node, axis=1, out=rows[6 * step : 6 * step + 6], mode="clip")
        node = parent[node]
