"""Which blocks of a page are its main content."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.content.features import Hints, features_of
from webquarry.content.forest import block_forest
from webquarry.content.outline import Outline

Floats = NDArray[np.float32]

_LOWEST, _HIGHEST = 0.2, 0.6  # bounds of the probability from which a block is kept
_WHOLE = frozenset(("pre", "table"))  # kept or dropped as one piece
_REPEATED = 80  # longer texts are shown once
_LITTLE, _ENOUGH = 250, 500


class Choice(NamedTuple):
    """Whether each block is kept, and the F1 that this choice is expected to have."""

    keep: list[bool]
    confidence: float


def choose(outline: Outline, hints: Hints) -> Choice:
    """Decide for every block of the page."""
    if not outline.blocks:
        return Choice([], 0.0)
    chance = block_forest().predict(features_of(outline, hints))
    return choice_from(outline, chance)


def choice_from(outline: Outline, chance: Floats) -> Choice:
    """Keep the blocks that together are expected to give the best F1."""
    size = np.array([block.size for block in outline.blocks], np.float32)
    limit, expected = best_limit(chance, size)
    keep = chance >= min(_HIGHEST, max(_LOWEST, limit))
    if size[keep].sum() < _LITTLE and size.sum() > _ENOUGH:
        keep |= chance >= 0.5 * float(chance.max())
    decided = _as_pieces(outline, chance, size, keep)
    return Choice(_once(outline, decided), expected)


def best_limit(chance: Floats, size: Floats) -> tuple[float, float]:
    """Return the probability to cut at for the highest expected F1, and that F1."""
    order = np.argsort(-chance, kind="stable")
    right = np.cumsum((chance * size)[order])
    taken = np.cumsum(size[order])
    scores = 2 * right / np.maximum(1e-9, taken + right[-1])
    best = int(np.argmax(scores))
    return float(chance[order[best]]), float(scores[best])


def _as_pieces(
    outline: Outline, chance: Floats, size: Floats, keep: NDArray[np.bool_]
) -> list[bool]:
    """Decide for code blocks and inner tables as a whole, so that none gets holes."""
    decided: list[bool] = keep.tolist()
    pieces: dict[int, list[int]] = defaultdict(list)
    for place, block in enumerate(outline.blocks):
        piece = _piece_of(outline, block.node)
        if piece >= 0:
            pieces[piece].append(place)
    for places in pieces.values():
        weight = size[places] + 5
        kept = bool((weight * keep[places]).sum() * 2 >= weight.sum())
        for place in places:
            decided[place] = kept
    return decided


def _piece_of(outline: Outline, node: int) -> int:
    """Return the innermost table or code block around the node, if it is no layout table."""
    while node >= 0:
        if outline.tag[node] in _WHOLE:
            return node if node in outline.whole else -1
        node = outline.parent[node]
    return -1


def _once(outline: Outline, keep: list[bool]) -> list[bool]:
    """Keep a long text only the first time it appears."""
    seen: set[str] = set()
    for place, block in enumerate(outline.blocks):
        if not keep[place] or block.size < _REPEATED:
            continue
        keep[place] = block.text not in seen
        seen.add(block.text)
    return keep
