"""Trains the trees that tell main content from the rest of a page.

python scripts/train_extractor.py ../shared/bench/extract            report, then write the model
python scripts/train_extractor.py ../shared/bench/extract --report   only cross-validate
python scripts/train_extractor.py ../shared/bench/extract --write    only write the model

Corpora and their licences: scrapinghub/article-extraction-benchmark (MIT), adbar/trafilatura's
evaluation pages (Apache-2.0), Murrough-Foley/web-content-extraction-benchmark (CC-BY-4.0); see
corpus.json beside each. Only numbers derived from them are stored. Pages of one site are never
on both sides of a cross-validation fold.
"""

import argparse
import importlib
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import catboost
import numpy as np
from labels import labels_from_segments, labels_from_text
from numpy.typing import NDArray
from synthetic_pages import pages as synthetic_pages

from webquarry.content import forest
from webquarry.content.choose import choice_from, choose, is_tiny
from webquarry.content.dom import body_of, parse_html
from webquarry.content.features import Hints, features_of
from webquarry.content.hints import hints_of
from webquarry.content.hosts import host_of, registrable_domain
from webquarry.content.outline import Outline, outline_of
from webquarry.content.sanitize import remove_hidden

Floats = NDArray[np.float32]

CORPORA = ("scrapinghub", "wcxb", "trafilatura")
FOLDS = 5
TREES = {"iterations": 500, "depth": 6, "learning_rate": 0.07}
SYNTHETIC = 200
POSITIVE = 0.6  # share of a block's words that must be in the annotated text
MOST_BLOCKS = 350  # of one page: longer pages would teach nothing but themselves
TWICE = "scrapinghub"  # few pages, carefully annotated


@dataclass
class Sample:
    """One page: features and labels of its blocks, and what is needed to score it."""

    corpus: str
    site: str
    page: dict[str, Any]
    outline: Outline
    hints: Hints
    rows: Floats
    labels: Floats


def main() -> None:
    """Cross-validate, and write the model unless only a report is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where score.py and corpora/ are")
    parser.add_argument("--report", action="store_true", help="do not write the model")
    parser.add_argument("--write", action="store_true", help="do not cross-validate")
    options = parser.parse_args()
    sys.path.insert(0, str(options.directory.resolve()))
    scorer = importlib.import_module("score")
    samples = [*_real(scorer, options.directory / "corpora"), *_synthetic()]
    _say(f"{len(samples)} pages, {sum(len(s.rows) for s in samples)} blocks")
    if not options.write:
        _report(scorer, samples, _unseen(samples), "on sites not trained on")
    if not options.report:
        trees = _fit(samples)
        _report(scorer, samples, [trees.predict(s.rows) for s in samples], "on trained pages")
        target = Path(forest.__file__).with_name(forest.MODEL)
        with target.open("wb") as file:
            trees.dump(file)
        _say(f"{target.name}: {target.stat().st_size} bytes")


def _real(scorer: Any, corpora: Path) -> Iterator[Sample]:
    for name in CORPORA:
        for page in scorer.load_pages(corpora / name, "all", None):
            html = scorer.decode(scorer.read_html(corpora / name, page))
            site = registrable_domain(host_of(page.get("url") or "")) or page["id"]
            sample = _sample(name, site, page, html)
            if sample:
                yield sample


def _synthetic() -> Iterator[Sample]:
    for number, (html, gold) in enumerate(synthetic_pages(SYNTHETIC, seed=1)):
        page = {"id": f"made-{number}", "gold": gold, "type": "made"}
        sample = _sample("made", page["id"], page, html)
        if sample:
            yield sample


def _sample(corpus: str, site: str, page: dict[str, Any], html: str) -> Sample | None:
    root = parse_html(html)
    if root is None:
        return None
    hints = hints_of(root)
    remove_hidden(root)
    outline = outline_of(body_of(root))
    if not outline.blocks:
        return None
    texts = [block.text for block in outline.blocks]
    if "gold" in page:
        labels = labels_from_text(page["gold"], texts)
    else:
        labels = labels_from_segments(page["with"], page["without"], texts)
    return Sample(corpus, site, page, outline, hints, features_of(outline, hints), labels)


def _unseen(samples: list[Sample]) -> list[Floats | None]:
    """Return the chances of each page's blocks by trees that saw no page of its site."""
    sites = sorted({sample.site for sample in samples if sample.corpus != "made"})
    order = np.random.default_rng(0).integers(0, FOLDS, len(sites))
    fold_of = dict(zip(sites, order.tolist(), strict=True))
    chances: list[Floats | None] = [None] * len(samples)
    for fold in range(FOLDS):
        trees = _fit(sample for sample in samples if fold_of.get(sample.site) != fold)
        for place, sample in enumerate(samples):
            if fold_of.get(sample.site) == fold:
                chances[place] = trees.predict(sample.rows)
        _say(f"fold {fold + 1} of {FOLDS}")
    return chances


def _fit(samples: Iterable[Sample]) -> forest.Forest:
    dice = np.random.default_rng(0)
    parts = [_weighted(sample, dice) for sample in samples]
    rows, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    trees = catboost.CatBoostClassifier(
        **TREES,
        l2_leaf_reg=5,
        random_seed=0,
        thread_count=2,  # one thread gives the same trees
        border_count=64,
        rsm=0.3,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        boosting_type="Plain",
        allow_writing_files=False,
        verbose=0,
    )
    trees.fit(catboost.Pool(rows, labels, weight=weights))
    return _exported(trees)


def _weighted(sample: Sample, dice: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return rows, labels and weights of the labelled blocks; every page weighs the same."""
    known = np.flatnonzero(sample.labels >= 0)
    if len(known) > MOST_BLOCKS:
        known = dice.choice(known, MOST_BLOCKS, replace=False)
    weight = np.maximum(sample.rows[known, 0], 4) ** 0.6
    # a page with a few labelled blocks says less than one that is labelled throughout
    scale = min(1.0, len(known) / 8) if "gold" not in sample.page else 1.0
    scale *= 2 if sample.corpus == TWICE else 1
    weight = 100 * scale * weight / max(1e-9, float(weight.sum()))
    return sample.rows[known], (sample.labels[known] >= POSITIVE).astype(np.float32), weight


def _exported(trees: Any) -> forest.Forest:
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
    return forest.Forest(
        np.array(features, np.int32),
        np.array(borders, np.float32),
        np.array(leaves, np.float32) * scale,
        float(np.ravel(bias)[0]),
    )


def _report(scorer: Any, samples: list[Sample], chances: list[Floats | None], title: str) -> None:
    """Print the F1 of the text that our choice of blocks gives."""
    metrics = {"scrapinghub": "shingle4", "wcxb": "words", "trafilatura": "segments"}
    for corpus, metric in metrics.items():
        rows: list[dict[str, Any]] = []
        for sample, chance in zip(samples, chances, strict=True):
            if sample.corpus == corpus and chance is not None:
                text = _text(sample, chance)
                rows.append(
                    scorer.METRICS[metric](sample.page, text) | {"type": sample.page["type"]}
                )
        kinds = sorted({row["type"] for row in rows})
        _say(f"{corpus} {title}: {_scores(scorer.summarise(metric, rows))}, {len(rows)} pages")
        for kind in kinds if len(kinds) > 1 else ():
            part = [row for row in rows if row["type"] == kind]
            _say(f"    {kind:<14} {_scores(scorer.summarise(metric, part))} ({len(part)})")


def _scores(total: dict[str, float]) -> str:
    return f"F1 {total['f1']:.4f}  P {total['precision']:.3f}  R {total['recall']:.3f}"


def _text(sample: Sample, chance: Floats) -> str:
    if is_tiny(sample.outline):
        keep = choose(sample.outline, sample.hints).keep
    else:
        keep = choice_from(sample.outline, chance, sample.hints).keep
    pairs = zip(sample.outline.blocks, keep, strict=True)
    return "\n".join(block.text for block, kept in pairs if kept)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
