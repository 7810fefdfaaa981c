"""Word weights: how the words of a text and the names of elements score a block.

The weights are learned together with the trees, which get the sums as features.
"""

import re
from bisect import bisect
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import repeat
from math import fsum
from struct import Struct
from typing import IO

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.feature_table import FEATURE_GROUPS

Floats = NDArray[np.float32]

MODEL = "lexicon.npz"
NEAR_STEPS, MAX_STEPS = 3, 12  # steps up to which ancestors are near, and count at all
SIZE_CLASSES = 3  # short, medium and long blocks have weights of their own
DISTANCES = 3  # so have names of the element itself, of near ancestors and of distant ones
_CLASS_BORDERS = (60, 250)  # characters: where medium and long blocks begin
_MAX_NAMES = 300  # characters
_MAX_CACHED = 60_000
_NAME = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_ZEROS = repeat(0.0)
_pack = Struct(f"{DISTANCES}f").pack
# the scores of this block, of those before (positive) and of those after, in the table's order
_WORD_SHIFTS = (0, 1, 2, -1, -2)
_NAME_SHIFTS = (0, 1, -1)
_MEAN_STEPS = (1, 3, 5)  # steps up to the ancestors whose blocks are averaged


def size_class(size: float) -> int:
    """Return which weights the words of a block of this size have."""
    return bisect(_CLASS_BORDERS, size)


def name_words(names: str) -> set[str]:
    """Return the words that class, id and itemprop of an element consist of."""
    return set(map(str.lower, _NAME.findall(names, 0, _MAX_NAMES))) if names else set()


@dataclass(frozen=True, slots=True)
class BlockPositions:
    """Where the blocks of a page are in the element tree."""

    node: NDArray[np.int64]  # element of each block
    path_id: NDArray[np.int64]  # of each block: equal in elements of the same path
    size: Floats  # of each block
    parent: NDArray[np.int64]  # of each element


@dataclass(frozen=True)
class Lexicon:
    """Weights of words; positive ones indicate main content.

    They have half precision, so that their sums are exact and do not depend on the order of the
    words in a set, which differs from run to run.
    """

    texts: tuple[dict[str, float], ...]  # by size class of the block
    names: dict[str, tuple[float, ...]]  # by distance of the element
    _packed: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def scores(
        self, texts: list[frozenset[str]], names: list[str], positions: BlockPositions
    ) -> Floats:
        """Return the group "lexicon" for blocks with these words in elements with these names."""
        weight, packed = [weights.get for weights in self.texts], self._packed.get
        classes: list[int] = np.searchsorted(_CLASS_BORDERS, positions.size, "right").tolist()
        # without a Python function per word; fsum is faster than sum
        sums = [
            fsum(map(weight[kind], words, _ZEROS))
            for kind, words in zip(classes, texts, strict=True)
        ]
        word_scores = np.fromiter(sums, np.float32, len(sums))
        rows = b"".join([packed(each) or self._pack_names(each) for each in names])
        by_element = np.frombuffer(rows, np.float32).reshape(-1, DISTANCES)
        name_scores = ancestor_name_scores(by_element, positions)
        return lexicon_features(word_scores, name_scores, positions)

    def name_scores(self, names: str) -> tuple[float, ...]:
        """Return the scores of an element's names for its own, near and distant blocks."""
        own = near = distant = 0.0
        weights = self.names.get
        for word in name_words(names):
            known = weights(word)
            if known:
                own, near, distant = own + known[0], near + known[1], distant + known[2]
        return own, near, distant

    def _pack_names(self, names: str) -> bytes:
        """Return the same as bytes, cached because names recur from page to page."""
        packed = _pack(*self.name_scores(names))
        if len(self._packed) < _MAX_CACHED:
            self._packed[names] = packed
        return packed

    def dump(self, file: IO[bytes]) -> None:
        """Write the weights in half precision."""
        parts = (*self.texts, self.names)
        words = "\n\n".join("\n".join(sorted(part)) for part in parts)
        weights = [np.ravel([part[word] for word in sorted(part)]) for part in parts]
        np.savez_compressed(
            file,
            words=np.frombuffer(words.encode(), np.uint8),
            weights=np.concatenate(weights).astype(np.float16),
        )

    @classmethod
    def load(cls, source: bytes) -> "Lexicon":
        """Read weights that `dump` wrote."""
        with np.load(BytesIO(source), allow_pickle=False) as stored:
            parts = [part.split() for part in stored["words"].tobytes().decode().split("\n\n")]
            weights = stored["weights"].astype(np.float64)
        *text_words, names = parts
        ends = np.cumsum([len(words) for words in text_words])
        *text_weights, name_weights = np.split(weights, ends)
        texts = zip(text_words, text_weights, strict=True)
        by_distance = map(tuple, name_weights.reshape(-1, DISTANCES).tolist())
        return cls(
            tuple(dict(zip(words, each.tolist(), strict=True)) for words, each in texts),
            dict(zip(names, by_distance, strict=True)),
        )


def ancestor_name_scores(by_element: Floats, positions: BlockPositions) -> Floats:
    """Return for each block the summed scores of the names of its element and its ancestors.

    `by_element` has a row for each element, with the columns of `Lexicon.name_scores`.
    """
    # one more element with score 0, the parent of the root and of itself
    count = len(by_element)
    table = np.zeros((DISTANCES, count + 1), np.float32)
    table[:, :count] = by_element.T
    parent = np.append(positions.parent, count)
    parent[parent < 0] = count
    node = positions.node
    total = table[0].take(node, mode="clip")
    for step in range(1, MAX_STEPS + 1):
        node = parent.take(node, mode="clip")
        total += table[1 if step <= NEAR_STEPS else 2].take(node, mode="clip")
    return total


def lexicon_features(words: Floats, names: Floats, positions: BlockPositions) -> Floats:
    """Return the scores of each block, of its neighbours, and their means over larger parts."""
    weight = positions.size.astype(np.float64) ** 0.6
    groups = _averaged_groups(positions)
    sums = [np.maximum(np.bincount(group, weight), 1e-9) for group in groups]
    rows = np.zeros((len(FEATURE_GROUPS["lexicon"]), len(words)), np.float32)
    unwritten = iter(rows)
    for scores, shifts in ((words, _WORD_SHIFTS), (names, _NAME_SHIFTS)):
        for shift in shifts:
            _write_shifted(next(unwritten), scores, shift)
    page_weight = weight.sum()
    for scores in (words, names):
        weighted = weight * scores
        for group, total in zip(groups, sums, strict=True):
            next(unwritten)[:] = (np.bincount(group, weighted) / total)[group]
        next(unwritten)[:] = weighted.sum() / page_weight
    return rows.T


def _averaged_groups(positions: BlockPositions) -> list[NDArray[np.int64]]:
    """Return numbers that are equal for blocks of one path, and for those in one ancestor."""
    parent, node = np.maximum(positions.parent, 0), positions.node
    groups = [positions.path_id]
    for step in range(1, _MEAN_STEPS[-1] + 1):
        node = parent.take(node, mode="clip")
        if step in _MEAN_STEPS:
            groups.append(node)
    return groups


def _write_shifted(row: Floats, values: Floats, shift: int) -> None:
    """Write the value of the block `shift` before each one; where there is none, 0 stays."""
    if shift > 0:
        row[shift:] = values[:-shift]
    elif shift < 0:
        row[:shift] = values[-shift:]
    else:
        row[:] = values


@cache
def stored_lexicon() -> Lexicon:
    """Return the weights that belong to the stored trees."""
    return Lexicon.load(files("webquarry.content.main_content").joinpath(MODEL).read_bytes())
