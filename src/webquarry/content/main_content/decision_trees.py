"""Boosted symmetric trees: the arrays the training script stored, and their evaluation."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from typing import IO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MODEL = "blocks.npz"
GLANCE = "glance.npz"  # fewer trees, which ask only for what `form.py` knows
_AT_ONCE = 2048  # rows: bounds the memory that a page of very many blocks takes


@dataclass(frozen=True)
class DecisionTrees:
    """Trees that ask one question per level, so that a leaf's number is the answers' bits."""

    features: NDArray[np.int32]  # tree by tree, level by level: the column asked about
    borders: Floats  # and the value it is compared with
    leaves: Floats  # trees x leaves
    bias: float

    def predict(self, rows: Floats) -> Floats:
        """Return the probability of each row."""
        if 0 < len(rows) <= _AT_ONCE:
            return self._predict(rows)
        parts = [self._predict(rows[at : at + _AT_ONCE]) for at in range(0, len(rows), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    @cached_property
    def _questions(self) -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
        """The different questions, and which each level of the trees asks, the last level first."""
        pairs = np.stack([self.features.astype(np.float64), self.borders.astype(np.float64)])
        distinct, asked = np.unique(pairs, axis=1, return_inverse=True)
        levels = asked.reshape(len(self.leaves), -1).T[::-1].astype(np.intp)
        return distinct[0].astype(np.intp), distinct[1].astype(np.float32)[:, None], levels

    @cached_property
    def _first_leaves(self) -> NDArray[np.intp]:
        """Where the leaves of each tree begin."""
        return np.arange(len(self.leaves), dtype=np.intp)[:, None] * self.leaves.shape[1]

    def _predict(self, rows: Floats) -> Floats:
        features, borders, levels = self._questions
        columns = np.ascontiguousarray(rows.T)
        # numbers of our own making are within bounds: not checking them halves the time
        answers = (columns.take(features, axis=0, mode="clip") > borders).view(np.uint8)
        asked = answers.take(levels, axis=0, mode="clip")
        leaf: NDArray[np.uint8] = asked[0]
        for answer in asked[1:]:
            leaf += leaf  # ten times as fast as shifting bytes
            leaf |= answer
        values = np.take(self.leaves.ravel(), leaf + self._first_leaves, mode="clip")
        total = values.sum(axis=0) + np.float32(self.bias)
        return (1 / (1 + np.exp(-total))).astype(np.float32)

    def dump(self, file: IO[bytes]) -> None:
        """Write the trees; half precision is enough for leaves."""
        np.savez_compressed(
            file,
            features=self.features.astype(np.int16),
            borders=self.borders.astype(np.float32),
            leaves=self.leaves.astype(np.float16),
            bias=np.float64(self.bias),
        )

    @classmethod
    def load(cls, source: bytes) -> "DecisionTrees":
        """Read trees that `dump` wrote."""
        with np.load(BytesIO(source), allow_pickle=False) as stored:
            return cls(
                stored["features"].astype(np.int32),
                stored["borders"],
                stored["leaves"].astype(np.float32),
                float(stored["bias"]),
            )


@cache
def block_forest() -> DecisionTrees:
    """Return the trees that judge blocks."""
    return _stored(MODEL)


@cache
def glance_forest() -> DecisionTrees:
    """Return the trees that judge blocks by the form of the page."""
    return _stored(GLANCE)


def _stored(name: str) -> DecisionTrees:
    return DecisionTrees.load(files("webquarry.content.main_content").joinpath(name).read_bytes())
