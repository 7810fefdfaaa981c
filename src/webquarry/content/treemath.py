"""Sums and distances over the block elements of a page, done level by level with numpy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.content.outline import Outline
from webquarry.content.vocabulary import GROUPS
from webquarry.content.wordlist import words

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ANCESTORS = words(
    "nav header footer aside form ul ol table article main section figure button dialog "
    "details blockquote pre dl label noscript li"
)
_ANCESTOR_BIT = {tag: 1 << place for place, tag in enumerate(ANCESTORS)}
_FAR = 30.0
_UP = 6
_TELLING = frozenset(("comment", "forum", "product", "review", "related", "content", "list"))


@dataclass(slots=True)
class NodeMath:
    """Features, parent and depth of each block element, and numbers of the whole page."""

    rows: Floats
    parent: Ints
    depth: Ints
    page: list[float]

    @classmethod
    def of(cls, outline: Outline) -> "NodeMath":
        """Compute everything for one page."""
        parent, depth = np.array(outline.parent, np.int64), np.array(outline.depth, np.int64)
        levels = _levels(depth)
        sums = _Sums(outline, parent, levels)
        near = _distances(outline, parent, levels)
        paths = _paths(outline, sums, parent, levels)
        twins = _twins(outline)
        upward = _upward(sums, twins, parent)
        rows = np.concatenate([near, paths, depth[:, None], upward], axis=1)
        total = max(1.0, float(sums.text[0]))
        page = [
            float(np.log1p(total)),
            float(sums.linked[0]) / total,
            float(sums.prose[0]) / total,
            *(float(sums.text[best]) / total for best in sums.best),
            float(sums.prose[sums.best[0]]) / max(1.0, float(sums.prose[0])),
            *_shares(sums, near, twins),
        ]
        return cls(rows.astype(np.float32), parent, depth, page)


class _Sums:
    """Text, links, prose and block counts inside every element."""

    def __init__(self, outline: Outline, parent: Ints, levels: list[Ints]) -> None:
        count = len(parent)
        blocks = outline.blocks
        node = np.array([block.node for block in blocks], np.int64)
        size = np.array([block.size for block in blocks], np.float64)
        linked = np.array([block.linked for block in blocks], np.float64)
        is_p = np.array([outline.tag[block.node] == "p" for block in blocks], np.bool_)
        prose = size * ((is_p | (size > 80)) & (linked <= 0.5 * size))
        each = np.stack(
            [np.bincount(node, weights, count) for weights in (size, linked, prose)]
            + [np.bincount(node, minlength=count).astype(np.float64)],
            axis=1,
        )
        self.own_prose = each[:, 2].copy()
        for level in reversed(levels[1:]):
            np.add.at(each, parent[level], each[level])
        self.text, self.linked, self.prose, self.count = each.T
        depth = np.array(outline.depth)
        self.best = [self._deepest(depth, share) for share in (0.6, 0.35)]

    def _deepest(self, depth: Ints, share: float) -> int:
        """Return the deepest element that holds this share of the page's prose."""
        holds = self.prose >= share * max(1.0, float(self.prose[0]))
        return int(np.argmax(np.where(holds, depth, -1)))


def _levels(depth: Ints) -> list[Ints]:
    """Return the elements of each depth, shallowest first."""
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)


def _distances(outline: Outline, parent: Ints, levels: list[Ints]) -> Floats:
    """Return, per element, how many steps up the nearest element of each kind is."""
    tags = np.array([_ANCESTOR_BIT.get(tag, 0) for tag in outline.tag], np.int64)
    groups = np.array(outline.groups, np.int64)
    roles = np.array(outline.roles, np.int64)
    near = np.concatenate([_bits(tags, len(ANCESTORS)), _bits(groups, len(GROUPS))], axis=1)
    far = np.where(near, 0.0, _FAR).astype(np.float32)
    for level in levels[1:]:
        up = parent[level]
        far[level] = np.minimum(far[level], far[up] + 1)
        roles[level] |= roles[up]
    return np.concatenate([np.minimum(far, _FAR), _bits(roles, 6).astype(np.float32)], axis=1)


def _bits(values: Ints, count: int) -> NDArray[np.bool_]:
    return (values[:, None] >> np.arange(count)) & 1 == 1


def _paths(outline: Outline, sums: _Sums, parent: Ints, levels: list[Ints]) -> Floats:
    """Return, per element, how far the way to the title, the longest text and the core is."""
    blocks = outline.blocks
    title = next((b.node for b in blocks if outline.tag[b.node] == "h1"), 0)
    longest = max(blocks, key=lambda block: block.size - 2 * block.linked).node
    goals = (title, longest, *sums.best)
    away = np.full((len(parent), len(goals)), _FAR, np.float32)
    for place, goal in enumerate(goals):
        node = goal
        while node >= 0:
            away[node, place] = 0
            node = int(parent[node])
    inside = np.full((len(parent), len(sums.best)), _FAR, np.float32)
    for place, best in enumerate(sums.best):
        inside[best, place] = 0
    both = np.concatenate([away, inside], axis=1)
    for level in levels[1:]:
        both[level] = np.minimum(both[level], both[parent[level]] + 1)
    both[:, len(goals) :] = both[:, len(goals) :] < _FAR  # inside the core or not
    return both


def _twins(outline: Outline) -> NDArray[np.float64]:
    """Return how many siblings of its own kind each element has, itself included."""
    _, kind, count = np.unique(
        np.array(outline.twins, np.int64), return_inverse=True, return_counts=True
    )
    return count[kind].astype(np.float64)


def _shares(sums: _Sums, near: Floats, twins: NDArray[np.float64]) -> list[float]:
    """Return which shares of the page's prose stand in comments, articles and repeated parts."""
    total = max(1.0, float(sums.own_prose.sum()))
    kinds = [len(ANCESTORS) + place for place, (name, _) in enumerate(GROUPS) if name in _TELLING]
    places = [ANCESTORS.index("article"), ANCESTORS.index("main"), ANCESTORS.index("li"), *kinds]
    inside = (near[:, places] < _FAR) * sums.own_prose[:, None]
    alone = float(sums.own_prose[twins > 3].sum())
    answers = inside[:, len(places) - len(kinds)].sum()  # comments are the first telling group
    return [
        *(inside.sum(axis=0) / total).tolist(),
        alone / total,
        float(sums.own_prose.max()),
        float(answers),
        float(total - answers),
    ]


def _upward(sums: _Sums, twins: NDArray[np.float64], parent: Ints) -> Floats:
    """Return shares of text, links and prose of each element and of those above it."""
    total = max(1.0, float(sums.text[0]))
    each = np.stack(
        [
            sums.text / total,
            sums.linked / np.maximum(1.0, sums.text),
            sums.count,
            sums.prose / max(1.0, float(sums.prose[0])),
            sums.prose / np.maximum(1.0, sums.text),
            twins,
        ],
        axis=1,
    )
    up = np.arange(len(parent))
    columns: list[NDArray[np.float64]] = []
    for _ in range(_UP):
        columns.append(each[up])
        up = np.maximum(parent[up], 0)
    return np.concatenate(columns, axis=1).astype(np.float32)
