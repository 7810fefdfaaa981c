"""What single words say: those of a block's text, and those in the names of elements around it.

The weights are learned beside the trees, which get the sums as columns.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import repeat
from typing import IO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MODEL = "lexicon.npz"
COLUMNS = 18  # that `opinion_rows` makes
CLOSE, FAR = 3, 12  # steps up to which names count as close, and at all
SIZES = 3  # short, middling and long blocks use a word differently
PLACES = 3  # names of the element itself, of one close above it, of one further up
_SHORT, _LONG = 60, 250
_MOST_NAMES = 300  # characters
_LIMIT = 60_000
_NAME = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_NOTHING = (0.0, 0.0, 0.0)
_ZEROS = repeat(0.0)
_UP = (1, 3, 5)


def size_class(size: float) -> int:
    """Return which weights the words of a block of this size have."""
    return 0 if size < _SHORT else 1 if size < _LONG else 2


def words_in(names: str) -> set[str]:
    """Return the words that class, id and property of an element consist of."""
    return set(map(str.lower, _NAME.findall(names, 0, _MOST_NAMES))) if names else set()


@dataclass(frozen=True, slots=True)
class Places:
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
    _known: dict[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])

    def opinions(self, told: list[frozenset[str]], names: list[str], places: Places) -> Floats:
        """Return what the words of each block and the names of each element say of the blocks."""
        pairs = zip(told, places.size.tolist(), strict=True)
        words = np.array([self.of_text(each, size) for each, size in pairs], np.float32)
        known = self._known.get
        named = np.array([known(each) or self.of_names(each) for each in names], np.float32)
        return opinion_rows(words, names_around(named, places), places)

    def of_text(self, told: Iterable[str], size: float) -> float:
        """Return what the different words of a block's beginning say together."""
        weight = self.texts[size_class(size)].get
        return sum(map(weight, told, _ZEROS))

    def of_names(self, names: str) -> tuple[float, ...]:
        """Return what the names of an element say about itself and about what is inside it."""
        found = self._known.get(names)
        if found is None:
            own = close = far = 0.0
            weights = self.names.get
            for word in words_in(names):
                known = weights(word)
                if known:
                    own, close, far = own + known[0], close + known[1], far + known[2]
            found = (own, close, far)
            if len(self._known) < _LIMIT:  # names repeat from page to page
                self._known[names] = found
        return found

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


def names_around(named: Floats, places: Places) -> Floats:
    """Return for each block what the names of its element and of those around it say.

    `named` has a row for each element, and its columns are those of `Lexicon.of_names`.
    """
    # one more element, which is around the outermost one and itself, and says nothing
    named = np.concatenate([named, np.zeros((1, PLACES), np.float32)])
    parent = np.append(places.parent, -1)
    up = places.node
    total = named[up, 0]
    for step in range(1, FAR + 1):
        up = parent[up]
        total = total + named[up, 1 if step <= CLOSE else 2]
    return total


def opinion_rows(words: Floats, names: Floats, places: Places) -> Floats:
    """Return what words and names say of each block, of those beside it and of those around it."""
    weight = places.size.astype(np.float64) ** 0.6
    parent, up = np.maximum(places.parent, 0), places.node
    groups = [places.kind]
    for step in range(1, _UP[-1] + 1):
        up = parent[up]
        if step in _UP:
            groups.append(up)
    sums = [np.bincount(group, weight) for group in groups]
    columns: list[NDArray[np.float64] | Floats] = [
        *(_beside(words, step) for step in (0, 1, 2, -1, -2)),
        *(_beside(names, step) for step in (0, 1, -1)),
    ]
    for each in (words, names):
        weighted = weight * each
        for group, total in zip(groups, sums, strict=True):
            columns.append((np.bincount(group, weighted) / np.maximum(total, 1e-9))[group])
        columns.append(np.full(len(each), weighted.sum() / weight.sum()))
    return np.stack(columns, axis=1).astype(np.float32)


def _beside(values: Floats, step: int) -> Floats:
    """Return the value of the block so many before each, 0 where there is none."""
    moved = np.zeros_like(values)
    if step > 0:
        moved[step:] = values[:-step]
    elif step < 0:
        moved[:step] = values[-step:]
    else:
        moved[:] = values
    return moved


@cache
def lexicon() -> Lexicon:
    """Return the weights that go with the stored trees."""
    return Lexicon.load(files(__package__ or "webquarry.content").joinpath(MODEL).read_bytes())
