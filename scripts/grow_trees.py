"""Grows the trees with catboost and writes them down as plain arrays."""

import json
import tempfile
from pathlib import Path
from typing import Any

import catboost
import numpy as np

from webquarry.content.main_content import decision_trees
from webquarry.content.main_content.layout_features import FORM, LINES

TREES = {"iterations": 300, "depth": 6, "learning_rate": 0.1}
GLANCE = {"iterations": 150, "depth": 5, "learning_rate": 0.15}
SEEDS = (0, 1)  # forests whose average is stored: each alone errs in its own way


def judges(pool: Any) -> decision_trees.DecisionTrees:
    """Return the forest that judges blocks."""
    return average([_grown(pool, seed, **TREES) for seed in SEEDS])


def glancers(pool: Any) -> decision_trees.DecisionTrees:
    """Return the small forest that looks at the form of a page only."""
    words = [column for column in range(LINES) if column not in FORM]
    return _grown(pool, SEEDS[0], **GLANCE, ignored_features=words)


def _grown(pool: Any, seed: int, **options: Any) -> decision_trees.DecisionTrees:
    """Return the forest that grows from these rows with this seed."""
    trees: Any = catboost.CatBoostClassifier(
        **options,
        l2_leaf_reg=5,
        random_seed=seed,
        thread_count=1,  # so that sums are made in one order, and the trees come out the same
        border_count=64,
        rsm=0.3,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        boosting_type="Plain",
        allow_writing_files=False,
        verbose=0,
    )
    trees.fit(pool)
    return _exported(trees)


def average(forests: list[decision_trees.DecisionTrees]) -> decision_trees.DecisionTrees:
    """Return one forest with the mean of their judgements."""
    return decision_trees.DecisionTrees(
        np.concatenate([each.features for each in forests]),
        np.concatenate([each.borders for each in forests]),
        np.concatenate([each.leaves for each in forests]) / np.float32(len(forests)),
        sum(each.bias for each in forests) / len(forests),
    )


def _exported(trees: Any) -> decision_trees.DecisionTrees:
    """Return the trees as arrays; shallower ones are filled up with questions nobody passes."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        trees.save_model(file.name, format="json")
        model = json.loads(Path(file.name).read_text("utf-8"))
    depth = max(len(tree["splits"]) for tree in model["oblivious_trees"])
    features: list[int] = []
    borders: list[float] = []
    leaves: list[list[float]] = []
    for tree in model["oblivious_trees"]:
        missing = depth - len(tree["splits"])
        features += [split["float_feature_index"] for split in tree["splits"]] + [0] * missing
        borders += [split["border"] for split in tree["splits"]] + [3e38] * missing
        leaves.append(tree["leaf_values"] + [0.0] * (2**depth - len(tree["leaf_values"])))
    scale, bias = model["scale_and_bias"]
    return decision_trees.DecisionTrees(
        np.array(features, np.int32),
        np.array(borders, np.float32),
        np.array(leaves, np.float32) * scale,
        float(np.ravel(bias)[0]),
    )
