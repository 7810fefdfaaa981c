"""Repeated blocks of a page: cards of a list, posts of a thread, cells of a table."""

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.layout_features import path_ids

Floats = NDArray[np.float32]

_MIN_REPEATS = 3  # two blocks of one path may be chance
_SMOOTHING = 0.7  # how far a block is moved towards the mean of its path
_MIN_PROBABILITY = 1e-3  # keeps the log-odds finite


def smooth_by_path(page: PageBlocks, probability: Floats, size: Floats) -> Floats:
    """Return the probabilities moved towards the mean of the blocks of the same path.

    The trees judge block by block, so some of thirty cards fall below any threshold. A person
    takes all of them or none.
    """
    path_id = path_ids(page)
    bounded = np.clip(probability.astype(np.float64), _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)
    log_odds = np.log(bounded / (1 - bounded))
    weight = size.astype(np.float64) ** 0.6  # as in training: longer ones count more
    mean = (np.bincount(path_id, weight * log_odds) / np.bincount(path_id, weight))[path_id]
    smoothing = np.where(np.bincount(path_id)[path_id] >= _MIN_REPEATS, _SMOOTHING, 0.0)
    return (1 / (1 + np.exp(-log_odds - smoothing * (mean - log_odds)))).astype(np.float32)
