"""Features from the element tree: distances to ancestors, and sums of text per element.

Elements are in document order, so the descendants of an element are a range: from the element to
its end. Sums are differences of running totals, and what holds for everything inside an element is
written to its range. Inner elements come later and overwrite outer ones.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.feature_table import (
    ANCESTOR_LEVELS,
    ANCESTOR_TAGS,
    COLUMN,
    FEATURE_GROUPS,
    PROSE_GROUPS,
    PROSE_TAGS,
    columns,
)

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_DISTANCE = 30
_LEVEL_BYTES = [bytes((depth + 1,)) for depth in range(255)]  # MAX_DEPTH is below 255
_CORE_SHARES = (0.6, 0.35)  # of the page's prose
_ANCESTOR = columns("ancestor")
_ANCESTOR_ROWS = {name: row for row, name in enumerate(FEATURE_GROUPS["ancestor"])}
_TAG_BIT = {tag: 1 << _ANCESTOR_ROWS[f"steps_to_{tag}"] for tag in ANCESTOR_TAGS}
_FIRST_GROUP = len(ANCESTOR_TAGS)
_FIRST_ROLE = _ANCESTOR_ROWS["in_main_role"]
_FIRST_TARGET = _ANCESTOR_ROWS["steps_to_h1_path"]
_ROLES = slice(COLUMN["in_main_role"], COLUMN["steps_to_h1_path"])
_PROSE_HOLDERS = [
    *(COLUMN[f"steps_to_{tag}"] for tag in PROSE_TAGS),
    *(COLUMN[f"steps_to_{name}_names"] for name in PROSE_GROUPS),
]
_CONTENT_NAMES = _PROSE_HOLDERS.index(COLUMN["steps_to_content_names"])
_REPEATED = 3  # siblings of one kind: more are a list of repeated parts


class BlockMeasures(NamedTuple):
    """The element of each block and its tag, the block's size and how much of it is linked."""

    node: Ints
    tags: list[str]
    size: Doubles
    linked: Doubles

    @classmethod
    def of(cls, page: PageBlocks) -> "BlockMeasures":
        """Read them from the blocks."""
        nodes, tags, count = page.nodes, page.tags, len(page.nodes)
        # fromiter is three times as fast as np.array of a list
        return cls(
            np.fromiter(nodes, np.int64, count),
            [tags[node] for node in nodes],
            np.fromiter(page.sizes, np.float64, count),
            np.fromiter([block.linked for block in page.blocks], np.float64, count),
        )


class BlockElements(NamedTuple):
    """The parent and the depth of each block's element."""

    parent: Ints
    depth: Ints


def write_tree_features(matrix: Floats, page: PageBlocks, blocks: BlockMeasures) -> BlockElements:
    """Write the columns that depend on the element tree."""
    tree, node = _Tree(page), blocks.node
    sums = _ElementSums(blocks, tree)
    siblings = _sibling_counts(page)
    depth = tree.depth[node]
    levels = tree.ancestor_levels(page, (*_title_and_longest(blocks), *sums.cores))
    _write_distances(matrix, np.take(levels, node, axis=1, mode="clip"), depth)
    for row, core in zip(matrix[columns("core")], sums.cores, strict=False):
        near = depth - page.depth[core] < MAX_DISTANCE
        row[:] = (node >= core) & (node < tree.ends[core]) & near
    matrix[COLUMN["depth"]] = depth
    shares = sums.shares(siblings)
    _write_ancestor_text(matrix[columns("ancestor_text")], shares, node, tree.parent)
    _write_page_text(matrix, sums, siblings[node])
    return BlockElements(tree.parent[node], depth)


class _Tree:
    """Parent and depth of every element, and the end of its range."""

    def __init__(self, page: PageBlocks) -> None:
        parents, count = page.parent, len(page.parent)
        self.parent = np.fromiter(parents, np.int64, count)
        self.depth = np.fromiter(page.depth, np.int64, count)
        self.ends = ends = [0] * count
        for node in range(count - 1, -1, -1):
            end = ends[node] = ends[node] or node + 1
            # backwards, so the last descendant sets the end
            ends[parents[node]] = ends[parents[node]] or end

    def ancestor_levels(self, page: PageBlocks, targets: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return, for each feature of the group "ancestor", the level of the nearest ancestor.

        Levels count from 1; 0 means that there is none.
        """
        ends, count = self.ends, len(self.ends)
        levels = bytearray(len(_ANCESTOR_ROWS) * count)  # faster to write to than an array
        attributes = zip(page.tags, page.groups, page.roles, page.depth, strict=True)
        for node, (tag, groups, roles, depth) in enumerate(attributes):
            bits = _TAG_BIT.get(tag, 0)
            if groups or roles:
                bits |= groups << _FIRST_GROUP | roles << _FIRST_ROLE
            if bits:
                size = ends[node] - node
                level = _LEVEL_BYTES[depth] * size
                for row in _set_bits(bits):
                    start = row * count + node
                    levels[start : start + size] = level
        for row, target in enumerate(targets, _FIRST_TARGET):
            for node in _path_from_root(target, page.parent):
                start, size = row * count + node, ends[node] - node
                levels[start : start + size] = _LEVEL_BYTES[page.depth[node]] * size
        return np.frombuffer(levels, np.uint8).reshape(len(_ANCESTOR_ROWS), count)


class _ElementSums:
    """Text, links, prose and number of blocks inside every element."""

    def __init__(self, blocks: BlockMeasures, tree: _Tree) -> None:
        count = len(tree.ends)
        node, tags, size, linked = blocks
        is_paragraph = np.fromiter([tag == "p" for tag in tags], np.bool_, len(tags))
        self.block_prose = size * ((is_paragraph | (size > 80)) & (linked <= 0.5 * size))
        totals = np.zeros((4, count + 1))
        for row, weights in zip(totals, (size, linked, self.block_prose, None), strict=True):
            row[1:] = np.bincount(node, weights, count)
        self.max_prose = float(totals[2].max())  # directly inside one element
        # differences are exact because every number is an integer
        np.cumsum(totals, axis=1, out=totals)
        ends = np.fromiter(tree.ends, np.int64, count)
        sums = np.take(totals, ends, axis=1, mode="clip") - totals[:, :-1]
        self.text, self.linked, self.prose, self.blocks = sums
        self.cores = [self._deepest(tree.depth, share) for share in _CORE_SHARES]

    def _deepest(self, depth: Ints, share: float) -> int:
        """Return the deepest element that holds this share of the page's prose."""
        holds = self.prose >= share * max(1.0, float(self.prose[0]))
        return int(np.argmax(np.where(holds, depth, -1)))

    def shares(self, siblings: Doubles) -> Floats:
        """Return the features of one level of the group "ancestor_text" for every element."""
        text = np.maximum(1.0, self.text)
        shares = np.empty((6, len(text)), np.float32)
        shares[0] = self.text / max(1.0, float(self.text[0]))
        shares[1] = self.linked / text
        shares[2] = self.blocks
        shares[3] = self.prose / max(1.0, float(self.prose[0]))
        shares[4] = self.prose / text
        shares[5] = siblings
        return shares


@lru_cache(maxsize=4096)  # pages have few different combinations
def _set_bits(bits: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(bits.bit_length()) if bits >> bit & 1)


def _title_and_longest(blocks: BlockMeasures) -> tuple[int, int]:
    """Return the elements of the first h1 and of the block with the most unlinked text."""
    node, tags, size, linked = blocks
    title = int(node[tags.index("h1")]) if "h1" in tags else 0
    return title, int(node[np.argmax(size - 2 * linked)])


def _path_from_root(node: int, parent: list[int]) -> list[int]:
    """Return the element and its ancestors, the outermost first."""
    path: list[int] = []
    while node >= 0:
        path.append(node)
        node = parent[node]
    return path[::-1]


def _write_distances(matrix: Floats, levels: NDArray[np.uint8], depth: Ints) -> None:
    """Write the steps up to the nearest ancestor of each kind, and the roles around each block."""
    steps = (depth + 1).astype(np.uint8) - levels
    matrix[_ANCESTOR] = np.where(levels == 0, MAX_DISTANCE, np.minimum(steps, MAX_DISTANCE))
    matrix[_ROLES] = levels[_FIRST_ROLE:_FIRST_TARGET] != 0


def _sibling_counts(page: PageBlocks) -> Doubles:
    """Return how many siblings of its tag and classes each element has, itself included."""
    keys = page.sibling_keys
    return np.fromiter(map(Counter(keys).__getitem__, keys), np.float64, len(keys))


def _write_ancestor_text(rows: Floats, shares: Floats, node: Ints, parent: Ints) -> None:
    """Write the shares of each block's element and of those above it."""
    parent, width = np.maximum(parent, 0), len(shares)
    for level in range(ANCESTOR_LEVELS):
        start = width * level
        np.take(shares, node, axis=1, out=rows[start : start + width], mode="clip")
        node = parent[node]


def _write_page_text(matrix: Floats, sums: _ElementSums, siblings: Doubles) -> None:
    """Write the group "page_text": how text and prose are distributed over the page."""
    text, prose = max(1.0, float(sums.text[0])), max(1.0, float(sums.prose[0]))
    inside: list[float] = ((matrix[_PROSE_HOLDERS] < MAX_DISTANCE) @ sums.block_prose).tolist()
    values = [
        float(np.log1p(text)),
        float(sums.linked[0]) / text,
        float(sums.prose[0]) / text,
        *(float(sums.text[core]) / text for core in sums.cores),
        float(sums.prose[sums.cores[0]]) / prose,
        *(part / prose for part in inside),
        float(sums.block_prose[siblings > _REPEATED].sum()) / prose,
        sums.max_prose,
        inside[_CONTENT_NAMES],
        prose - inside[_CONTENT_NAMES],
    ]
    matrix[columns("page_text")] = np.array(values, np.float32)[:, None]
