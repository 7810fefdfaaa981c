"""Boosted oblivious decision trees: the arrays that training stored, and their evaluation."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from typing import IO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

FULL_MODEL = "blocks.npz"
LAYOUT_MODEL = "glance.npz"  # fewer trees, which use `LAYOUT_COLUMNS` only
_BATCH = 2048  # rows: bounds the memory for a page of very many blocks


@dataclass(frozen=True)
class DecisionTrees:
    """Trees that test one condition per level, so a leaf's number is the bits of the results."""

    features: NDArray[np.int32]  # tree by tree, level by level: the column that is compared
    borders: Floats  # and the value it is compared with
    leaves: Floats  # trees x leaves
    bias: float

    def predict(self, rows: Floats) -> Floats:
        """Return the probability of each row."""
        if 0 < len(rows) <= _BATCH:
            return self._predict(rows)
        batches = [self._predict(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)]
        return np.concatenate(batches) if batches else np.zeros(0, np.float32)

    @cached_property
    def _conditions(self) -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
        """The distinct conditions, and which of them each tree tests, the last level first."""
        pairs = np.stack([self.features.astype(np.float64), self.borders.astype(np.float64)])
        distinct, numbers = np.unique(pairs, axis=1, return_inverse=True)
        levels = numbers.reshape(len(self.leaves), -1).T[::-1].astype(np.intp)
        return distinct[0].astype(np.intp), distinct[1].astype(np.float32)[:, None], levels

    @cached_property
    def _first_leaves(self) -> NDArray[np.intp]:
        """Where the leaves of each tree begin."""
        return np.arange(len(self.leaves), dtype=np.intp)[:, None] * self.leaves.shape[1]

    def _predict(self, rows: Floats) -> Floats:
        features, borders, levels = self._conditions
        columns = np.ascontiguousarray(rows.T)
        # mode="clip": our own indices need no bounds check, which would double the time
        results = (columns.take(features, axis=0, mode="clip") > borders).view(np.uint8)
        by_level = results.take(levels, axis=0, mode="clip")
        leaf: NDArray[np.uint8] = by_level[0]
        for result in by_level[1:]:
            leaf += leaf  # ten times as fast as shifting bytes
            leaf |= result
        values = np.take(self.leaves.ravel(), leaf + self._first_leaves, mode="clip")
        total = values.sum(axis=0) + np.float32(self.bias)
        return (1 / (1 + np.exp(-total))).astype(np.float32)

    def dump(self, file: IO[bytes]) -> None:
        """Write the trees, the leaves in half precision."""
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
def stored_trees(name: str) -> DecisionTrees:
    """Return one of the stored models."""
    return DecisionTrees.load(files("webquarry.content.main_content").joinpath(name).read_bytes())
