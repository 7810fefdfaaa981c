"""Trains the decision trees with catboost and converts them to plain arrays."""

import json
import tempfile
from pathlib import Path
from typing import Any

import catboost
import numpy as np

from webquarry.content.main_content.decision_trees import DecisionTrees
from webquarry.content.main_content.feature_table import FEATURES, LAYOUT_COLUMNS

FULL_OPTIONS = {"iterations": 300, "depth": 6, "learning_rate": 0.1}
LAYOUT_OPTIONS = {"iterations": 150, "depth": 5, "learning_rate": 0.15}
SEEDS = (0, 1)  # the stored model is the mean of these, because their errors differ
_NEVER = 3e38  # border that no value exceeds


def train_full_model(pool: Any) -> DecisionTrees:
    """Return the trees that use all features."""
    return average([_train(pool, seed, **FULL_OPTIONS) for seed in SEEDS])


def train_layout_model(pool: Any) -> DecisionTrees:
    """Return the small set of trees that use layout features only."""
    ignored = [column for column in range(len(FEATURES)) if column not in LAYOUT_COLUMNS]
    return _train(pool, SEEDS[0], **LAYOUT_OPTIONS, ignored_features=ignored)


def _train(pool: Any, seed: int, **options: Any) -> DecisionTrees:
    classifier: Any = catboost.CatBoostClassifier(
        **options,
        l2_leaf_reg=5,
        random_seed=seed,
        thread_count=1,  # a fixed order of summation makes training reproducible
        border_count=64,
        rsm=0.3,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        boosting_type="Plain",
        allow_writing_files=False,
        verbose=0,
    )
    classifier.fit(pool)
    return _exported(classifier)


def average(models: list[DecisionTrees]) -> DecisionTrees:
    """Return one model with the mean of the predicted log-odds."""
    return DecisionTrees(
        np.concatenate([model.features for model in models]),
        np.concatenate([model.borders for model in models]),
        np.concatenate([model.leaves for model in models]) / np.float32(len(models)),
        sum(model.bias for model in models) / len(models),
    )


def _exported(classifier: Any) -> DecisionTrees:
    """Return the trees as arrays; shallower ones are padded with conditions that never hold."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        classifier.save_model(file.name, format="json")
        model = json.loads(Path(file.name).read_text("utf-8"))
    depth = max(len(tree["splits"]) for tree in model["oblivious_trees"])
    features: list[int] = []
    borders: list[float] = []
    leaves: list[list[float]] = []
    for tree in model["oblivious_trees"]:
        splits, values = tree["splits"], tree["leaf_values"]
        missing = depth - len(splits)
        features += [split["float_feature_index"] for split in splits] + [0] * missing
        borders += [split["border"] for split in splits] + [_NEVER] * missing
        leaves.append(values + [0.0] * (2**depth - len(values)))
    scale, bias = model["scale_and_bias"]
    return DecisionTrees(
        np.array(features, np.int32),
        np.array(borders, np.float32),
        np.array(leaves, np.float32) * scale,
        float(np.ravel(bias)[0]),
    )
