"""Blocks of one kind on a page: cards of a list, posts of a thread, cells of a table."""

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.layout_features import kinds_of

Floats = NDArray[np.float32]

_SEVERAL = 3  # blocks of one kind are a pattern, two may be chance
_TOGETHER = 0.7  # how far a block follows the others of its kind
_LEAST = 1e-3  # a chance that speaks no louder, whatever the trees say


def judged_alike(outline: PageBlocks, chance: Floats, size: Floats) -> Floats:
    """Return the chances drawn towards the mean of blocks in elements of the same kind.

    Trees judge block by block, so of thirty cards some fall below any limit. A person takes all of
    them or none.
    """
    kind = kinds_of(outline)
    sure = np.clip(chance.astype(np.float64), _LEAST, 1 - _LEAST)
    score = np.log(sure / (1 - sure))
    weight = size.astype(np.float64) ** 0.6  # as in training: longer ones count more
    mean = (np.bincount(kind, weight * score) / np.bincount(kind, weight))[kind]
    follows = np.where(np.bincount(kind)[kind] >= _SEVERAL, _TOGETHER, 0.0)
    return (1 / (1 + np.exp(-score - follows * (mean - score)))).astype(np.float32)
