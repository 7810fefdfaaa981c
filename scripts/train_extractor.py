"""Trains the block classifier: the lexicon and the trees that find the main content of a page.

python scripts/train_extractor.py ../shared/bench/extract            report, then write the models
python scripts/train_extractor.py ../shared/bench/extract --report   only cross-validate
python scripts/train_extractor.py ../shared/bench/extract --write    only write the models

Corpora and their licences: scrapinghub/article-extraction-benchmark (MIT), adbar/trafilatura's
evaluation pages (Apache-2.0), Murrough-Foley/web-content-extraction-benchmark (CC-BY-4.0); see
corpus.json beside each. Only numbers and single common words derived from them are stored. Pages
of one site are never on both sides of a cross-validation fold. The lexicon features of a page come
from a lexicon that was trained on other sites.
"""

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import catboost
import numpy as np
from labels import UNKNOWN, labels_from_segments, labels_from_text
from numpy.typing import NDArray
from synthetic_pages import pages as synthetic_pages
from train_lexicon import LexiconPage, WordTable, WordWeights
from train_trees import train_full_model, train_layout_model

from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import HeadHints, read_head_hints
from webquarry.content.main_content import decision_trees, lexicon
from webquarry.content.main_content.blocks import PageBlocks, split_into_blocks
from webquarry.content.main_content.choose import (
    choose_blocks,
    choose_by_probability,
    is_clear,
    is_tiny,
)
from webquarry.content.main_content.feature_table import FEATURES
from webquarry.content.main_content.features import BaseFeatures, features_before_lexicon
from webquarry.content.ranking.known_sites import ascii_host, registrable_domain
from webquarry.content.visibility.hidden_text import remove_hidden

Floats = NDArray[np.float32]

CORPORA = ("scrapinghub", "wcxb", "trafilatura")
FOLDS = 5
SYNTHETIC_PAGES = 200
MIN_LABEL = 0.6  # share of a block's words that must be in the annotated text
MAX_BLOCKS = 350  # of one page: a long page would dominate the training
DOUBLE_WEIGHT = "scrapinghub"  # few pages, carefully annotated
_SYNTHETIC_FOLD = -1  # synthetic pages are always trained on, never scored


@dataclass
class Sample:
    """One page: features and labels of its blocks, and what is needed to score it."""

    corpus: str
    site: str
    page: dict[str, Any]
    blocks: PageBlocks
    hints: HeadHints
    features: BaseFeatures
    labels: Floats


def main() -> None:
    """Cross-validate, and write the models unless only a report is requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where score.py and corpora/ are")
    parser.add_argument("--report", action="store_true", help="do not write the models")
    parser.add_argument("--write", action="store_true", help="do not cross-validate")
    options = parser.parse_args()
    sys.path.insert(0, str(options.directory.resolve()))
    scorer = importlib.import_module("score")
    samples = [*_corpus_samples(scorer, options.directory / "corpora"), *_synthetic_samples()]
    _print(f"{len(samples)} pages, {sum(len(s.labels) for s in samples)} blocks")
    training = _Training(samples)
    if not options.write:
        _report(scorer, samples, training.cross_validate(), "on sites not trained on")
    if not options.report:
        models, words, probabilities = training.train_on_all()
        _report(scorer, samples, probabilities, "on trained pages")
        _store(models.full, decision_trees.FULL_MODEL)
        _store(models.layout, decision_trees.LAYOUT_MODEL)
        _store(words, lexicon.MODEL)


def _store(model: decision_trees.DecisionTrees | lexicon.Lexicon, name: str) -> None:
    target = Path(decision_trees.__file__).with_name(name)
    with target.open("wb") as file:
        model.dump(file)
    _print(f"{target.name}: {target.stat().st_size} bytes")


def _corpus_samples(scorer: Any, corpora: Path) -> Iterator[Sample]:
    for name in CORPORA:
        for page in scorer.load_pages(corpora / name, "all", None):
            html = scorer.decode(scorer.read_html(corpora / name, page))
            site = registrable_domain(ascii_host(page.get("url") or "")) or page["id"]
            sample = _sample(name, site, page, html)
            if sample:
                yield sample


def _synthetic_samples() -> Iterator[Sample]:
    for number, (html, gold) in enumerate(synthetic_pages(SYNTHETIC_PAGES, seed=1)):
        page = {"id": f"made-{number}", "gold": gold, "type": "made"}
        sample = _sample("made", page["id"], page, html)
        if sample:
            yield sample


def _sample(corpus: str, site: str, page: dict[str, Any], html: str) -> Sample | None:
    root = parse_html(html)
    if root is None:
        return None
    hints = read_head_hints(root)
    remove_hidden(root)
    blocks = split_into_blocks(body_of(root))
    if not blocks.blocks:
        return None
    labels = _labels(page, list(blocks.texts))
    features = features_before_lexicon(blocks, hints)
    return Sample(corpus, site, page, blocks, hints, features, labels)


def _labels(page: dict[str, Any], texts: list[str]) -> Floats:
    if "gold" not in page:
        return labels_from_segments(page["with"], page["without"], texts)
    if page["gold"].strip():
        return labels_from_text(page["gold"], texts)
    # some annotators found nothing on a full page
    return np.full(len(texts), UNKNOWN, np.float32)


@dataclass(frozen=True)
class _Models:
    """The trees that decide by layout, and those for pages that stay unclear."""

    layout: decision_trees.DecisionTrees
    full: decision_trees.DecisionTrees

    def predict(self, sample: Sample, rows: Floats) -> Floats:
        """Return the probabilities of the blocks of a page, as `choose_blocks` does."""
        probability = self.layout.predict(rows)
        clear = is_clear(probability, sample.features.positions.size)
        return probability if clear else self.full.predict(rows)


class _Training:
    """All pages, and which of them each lexicon and each model may be trained on."""

    def __init__(self, samples: list[Sample]) -> None:
        self._samples = samples
        sites = sorted({sample.site for sample in samples if sample.corpus != "made"})
        folds = np.random.default_rng(0).integers(0, FOLDS, len(sites))
        fold_of = dict(zip(sites, folds.tolist(), strict=True))
        self._folds = [fold_of.get(sample.site, _SYNTHETIC_FOLD) for sample in samples]
        self._words = WordTable([_lexicon_page(sample) for sample in samples])
        self._weights: dict[frozenset[int], WordWeights] = {}

    def cross_validate(self) -> list[Floats | None]:
        """Return the probabilities of each page's blocks by models trained on other sites."""
        probabilities: list[Floats | None] = [None] * len(self._samples)
        for fold in range(FOLDS):
            models = _train(self._training_rows(without=fold))
            for index, page_fold in enumerate(self._folds):
                if page_fold == fold:
                    rows = self._rows(index, frozenset((fold,)))
                    probabilities[index] = models.predict(self._samples[index], rows)
            _print(f"fold {fold + 1} of {FOLDS}")
        return probabilities

    def train_on_all(self) -> tuple[_Models, lexicon.Lexicon, list[Floats | None]]:
        """Return the models trained on all pages, and the probabilities of their blocks."""
        models = _train(self._training_rows())
        probabilities: list[Floats | None] = [
            models.predict(sample, self._rows(index, frozenset()))
            for index, sample in enumerate(self._samples)
        ]
        return models, self._words.lexicon(self._weights_without(frozenset())), probabilities

    def _training_rows(self, without: int | None = None) -> Iterator[tuple[Sample, Floats]]:
        """Yield samples with their rows; the lexicon was not trained on their own fold."""
        excluded = set[int]() if without is None else {without}
        for index, (sample, fold) in enumerate(zip(self._samples, self._folds, strict=True)):
            if fold != without:
                folds = frozenset((excluded | {fold}) - {_SYNTHETIC_FOLD})
                yield sample, self._rows(index, folds)

    def _rows(self, index: int, excluded: frozenset[int]) -> Floats:
        scores = self._words.features(index, self._weights_without(excluded))
        return np.concatenate([self._samples[index].features.rows, scores], axis=1)

    def _weights_without(self, excluded: frozenset[int]) -> WordWeights:
        """Return the weights of a lexicon that was not trained on these folds."""
        if excluded not in self._weights:
            folds = {*excluded, _SYNTHETIC_FOLD}
            used = (index for index, fold in enumerate(self._folds) if fold not in folds)
            self._weights[excluded] = self._words.learn(used)
        return self._weights[excluded]


def _lexicon_page(sample: Sample) -> LexiconPage:
    """Return the page for training the lexicon: its labelled blocks weigh 1 together."""
    weights = np.where(sample.labels >= 0, _importance(sample), 0.0)
    weights *= _page_weight(sample) / max(1e-9, float(weights.sum()))
    site = sample.corpus if sample.corpus == "made" else sample.site
    labels = sample.labels >= MIN_LABEL
    return LexiconPage(site, sample.blocks, sample.features, labels, weights)


def _train(samples: Iterable[tuple[Sample, Floats]]) -> _Models:
    random = np.random.default_rng(0)
    parts = [_weighted(sample, rows, random) for sample, rows in samples]
    rows, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    pool = catboost.Pool(rows, labels, weight=weights, feature_names=list(FEATURES))
    del parts, rows
    return _Models(train_layout_model(pool), train_full_model(pool))


def _importance(sample: Sample) -> NDArray[np.float64]:
    """Return the weight of each block: longer ones more, but not in proportion."""
    return np.maximum(np.array(sample.blocks.sizes, np.float64), 4) ** 0.6


def _page_weight(sample: Sample) -> float:
    """Return the weight of a page: one with few labelled blocks counts less."""
    known = int((sample.labels >= 0).sum())
    return 1.0 if "gold" in sample.page else min(1.0, known / 8)


def _weighted(
    sample: Sample, rows: Floats, random: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return rows, labels and weights of the labelled blocks; every page weighs the same."""
    known = np.flatnonzero(sample.labels >= 0)
    if len(known) > MAX_BLOCKS:
        known = random.choice(known, MAX_BLOCKS, replace=False)
    weight = _importance(sample)[known]
    scale = _page_weight(sample) * (2 if sample.corpus == DOUBLE_WEIGHT else 1)
    weight *= 100 * scale / max(1e-9, float(weight.sum()))
    labels = (sample.labels[known] >= MIN_LABEL).astype(np.float32)
    return rows[known], labels, weight.astype(np.float32)


def _report(
    scorer: Any, samples: list[Sample], probabilities: list[Floats | None], title: str
) -> None:
    """Print the F1 of the text that the chosen blocks give."""
    metrics = {"scrapinghub": "shingle4", "wcxb": "words", "trafilatura": "segments"}
    for corpus, metric in metrics.items():
        rows: list[dict[str, Any]] = []
        for sample, probability in zip(samples, probabilities, strict=True):
            if sample.corpus == corpus and probability is not None:
                score = scorer.METRICS[metric](sample.page, _text(sample, probability))
                rows.append(score | {"type": sample.page["type"]})
        types = sorted({row["type"] for row in rows})
        _print(f"{corpus} {title}: {_scores(scorer.summarise(metric, rows))}, {len(rows)} pages")
        for name in types if len(types) > 1 else ():
            part = [row for row in rows if row["type"] == name]
            _print(f"    {name:<14} {_scores(scorer.summarise(metric, part))} ({len(part)})")


def _scores(total: dict[str, float]) -> str:
    return f"F1 {total['f1']:.4f}  P {total['precision']:.3f}  R {total['recall']:.3f}"


def _text(sample: Sample, probability: Floats) -> str:
    if is_tiny(sample.blocks):
        keep = choose_blocks(sample.blocks, sample.hints)
    else:
        keep = choose_by_probability(sample.blocks, probability, sample.hints)
    return "\n".join(compress(sample.blocks.texts, keep))


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
