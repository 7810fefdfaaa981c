"""What single words say: those of a block's text, and those in the names of elements around it.

The weights are learned beside the trees, which get the sums as columns.
"""

import re
from bisect import bisect
from collections.abc import Iterable
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

Floats = NDArray[np.float32]

MODEL = "lexicon.npz"
COLUMNS = 18  # that `opinion_rows` makes
CLOSE, FAR = 3, 12  # steps up to which names count as close, and at all
SIZES = 3  # short, middling and long blocks use a word differently
PLACES = 3  # names of the element itself, of one close above it, of one further up
_CLASSES = (60, 250)  # where middling and long blocks begin
_MOST_NAMES = 300  # characters
_LIMIT = 60_000
_NAME = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_ZEROS = repeat(0.0)
_pack = Struct(f"{PLACES}f").pack
_UP = (1, 3, 5)


def size_class(size: float) -> int:
    """Return which weights the words of a block of this size have."""
    return bisect(_CLASSES, size)


def words_in(names: str) -> set[str]:
    """Return the words that class, id and property of an element consist of."""
    return set(map(str.lower, _NAME.findall(names, 0, _MOST_NAMES))) if names else set()


@dataclass(frozen=True, slots=True)
class BlockPositions:
    """Where the blocks of a page are: their element and its kind, and what stands around it."""

    node: NDArray[np.int64]  # of each block
    kind: NDArray[np.int64]  # of each block: equal in elements of the same kind
    size: Floats  # of each block
    parent: NDArray[np.int64]  # of each element


@dataclass(frozen=True)
class Lexicon:
    """Weights of words; positive ones speak for main content.

    They have half precision, so that sums of them are exact: the order of the words in a set, which
    differs from run to run, does not matter.
    """

    texts: tuple[dict[str, float], ...]  # by size of the block
    names: dict[str, tuple[float, ...]]  # by place of the element
    _packed: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def opinions(
        self, told: list[frozenset[str]], names: list[str], places: BlockPositions
    ) -> Floats:
        """Return what the words of each block and the names of each element say of the blocks."""
        weight, packed = [known.get for known in self.texts], self._packed.get
        kinds: list[int] = np.searchsorted(_CLASSES, places.size, "right").tolist()
        # the words of a text are looked up without a call of our own
        weighed = [
            fsum(map(weight[kind], each, _ZEROS)) for kind, each in zip(kinds, told, strict=True)
        ]
        words = np.fromiter(weighed, np.float32, len(weighed))
        rows = b"".join([packed(each) or self._names(each) for each in names])
        named = np.frombuffer(rows, np.float32).reshape(-1, PLACES)
        return opinion_rows(words, names_around(named, places), places)

    def of_text(self, told: Iterable[str], size: float) -> float:
        """Return what the different words of a block's beginning say together."""
        weight = self.texts[size_class(size)].get
        return fsum(map(weight, told, _ZEROS))  # faster than an ordinary sum, and not less exact

    def of_names(self, names: str) -> tuple[float, ...]:
        """Return what the names of an element say about itself and about what is inside it."""
        own = close = far = 0.0
        weights = self.names.get
        for word in words_in(names):
            known = weights(word)
            if known:
                own, close, far = own + known[0], close + known[1], far + known[2]
        return own, close, far

    def _names(self, names: str) -> bytes:
        """Return the same packed, and remember it, as names repeat from page to page."""
        packed = _pack(*self.of_names(names))
        if len(self._packed) < _LIMIT:
            self._packed[names] = packed
        return packed

    def dump(self, file: IO[bytes]) -> None:
        """Write the weights; half precision is enough."""
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
        *texts, names = parts
        ends = np.cumsum([len(known) for known in texts])
        *told, named = np.split(weights, ends)
        return cls(
            tuple(
                dict(zip(known, w.tolist(), strict=True))
                for known, w in zip(texts, told, strict=True)
            ),
            dict(zip(names, map(tuple, named.reshape(-1, PLACES).tolist()), strict=True)),
        )


def names_around(named: Floats, places: BlockPositions) -> Floats:
    """Return for each block what the names of its element and of those around it say.

    `named` has a row for each element, and its columns are those of `Lexicon.of_names`.
    """
    # one more element, which is around the outermost one and itself, and says nothing
    count = len(named)
    table = np.zeros((PLACES, count + 1), np.float32)
    table[:, :count] = named.T
    parent = np.append(places.parent, count)
    parent[parent < 0] = count
    up = places.node
    total = table[0].take(up, mode="clip")
    for step in range(1, FAR + 1):
        up = parent.take(up, mode="clip")
        total += table[1 if step <= CLOSE else 2].take(up, mode="clip")
    return total


def opinion_rows(words: Floats, names: Floats, places: BlockPositions) -> Floats:
    """Return what words and names say of each block, of those beside it and of those around it."""
    weight = places.size.astype(np.float64) ** 0.6
    groups = _groups_of(places)
    sums = [np.maximum(np.bincount(group, weight), 1e-9) for group in groups]
    rows = np.zeros((COLUMNS, len(words)), np.float32)
    asked = [
        *((words, step) for step in (0, 1, 2, -1, -2)),
        *((names, step) for step in (0, 1, -1)),
    ]
    for row, (values, step) in zip(rows, asked, strict=False):
        _write_beside(row, values, step)
    means = iter(rows[len(asked) :])
    whole = weight.sum()
    for each in (words, names):
        weighted = weight * each
        for group, total, row in zip(groups, sums, means, strict=False):
            row[:] = (np.bincount(group, weighted) / total)[group]
        next(means)[:] = weighted.sum() / whole
    return rows.T


def _groups_of(places: BlockPositions) -> list[NDArray[np.int64]]:
    """Return numbers that are equal for blocks of one kind, and for those in one element."""
    parent, up = np.maximum(places.parent, 0), places.node
    groups = [places.kind]
    for step in range(1, _UP[-1] + 1):
        up = parent.take(up, mode="clip")
        if step in _UP:
            groups.append(up)
    return groups


def _write_beside(row: Floats, values: Floats, step: int) -> None:
    """Write the value of the block so many before each, 0 where there is none."""
    if step > 0:
        row[step:] = values[:-step]
    elif step < 0:
        row[:step] = values[-step:]
    else:
        row[:] = values


@cache
def lexicon() -> Lexicon:
    """Return the weights that go with the stored trees."""
    return Lexicon.load(files("webquarry.content.main_content").joinpath(MODEL).read_bytes())
