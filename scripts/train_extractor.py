"""Trains the trees that tell main content from the rest of a page.

python scripts/train_extractor.py ../shared/bench/extract            report, then write the model
python scripts/train_extractor.py ../shared/bench/extract --report   only cross-validate
python scripts/train_extractor.py ../shared/bench/extract --write    only write the model

Corpora and their licences: scrapinghub/article-extraction-benchmark (MIT), adbar/trafilatura's
evaluation pages (Apache-2.0), Murrough-Foley/web-content-extraction-benchmark (CC-BY-4.0); see
corpus.json beside each. Only numbers and single common words derived from them are stored. Pages
of one site are never on both sides of a cross-validation fold; the lexicon, whose opinions are
columns of the trees, is for every page learned from the pages of other sites.
"""

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import catboost
import numpy as np
from grow_trees import glancers, judges
from labels import UNKNOWN, labels_from_segments, labels_from_text
from learn_words import Page, Weights, WordTable
from numpy.typing import NDArray
from synthetic_pages import pages as synthetic_pages

from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import HeadHints, hints_of
from webquarry.content.main_content import decision_trees, lexicon
from webquarry.content.main_content.blocks import PageBlocks, outline_of
from webquarry.content.main_content.choose import choice_from, choose, is_clear, is_tiny
from webquarry.content.main_content.features import BaseFeatures, plain_features
from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.content.visibility.hidden_text import remove_hidden

Floats = NDArray[np.float32]

CORPORA = ("scrapinghub", "wcxb", "trafilatura")
FOLDS = 5
SYNTHETIC = 200
POSITIVE = 0.6  # share of a block's words that must be in the annotated text
MOST_BLOCKS = 350  # of one page: longer pages would teach nothing but themselves
TWICE = "scrapinghub"  # few pages, carefully annotated
_MADE = -1  # the fold of pages that are made up: always trained on, never scored


@dataclass
class Sample:
    """One page: features and labels of its blocks, and what is needed to score it."""

    corpus: str
    site: str
    page: dict[str, Any]
    outline: PageBlocks
    hints: HeadHints
    plain: BaseFeatures
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
    _say(f"{len(samples)} pages, {sum(len(s.labels) for s in samples)} blocks")
    school = _School(samples)
    if not options.write:
        _report(scorer, samples, school.unseen(), "on sites not trained on")
    if not options.report:
        trees, words, chances = school.everything()
        _report(scorer, samples, chances, "on trained pages")
        _store(trees.judges, decision_trees.MODEL)
        _store(trees.glancers, decision_trees.GLANCE)
        _store(words, lexicon.MODEL)


def _store(model: decision_trees.DecisionTrees | lexicon.Lexicon, name: str) -> None:
    target = Path(decision_trees.__file__).with_name(name)
    with target.open("wb") as file:
        model.dump(file)
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
        known = bool(page["gold"].strip())  # some annotators found nothing on a full page
        labels = labels_from_text(page["gold"], texts) if known else np.full(len(texts), UNKNOWN)
    else:
        labels = labels_from_segments(page["with"], page["without"], texts)
    return Sample(corpus, site, page, outline, hints, plain_features(outline, hints), labels)


@dataclass(frozen=True)
class _Trees:
    """The forest that looks first, and the one that judges what stays unclear."""

    glancers: decision_trees.DecisionTrees
    judges: decision_trees.DecisionTrees

    def predict(self, sample: Sample, rows: Floats) -> Floats:
        """Return the chances of the blocks of a page, as `choose` finds them."""
        chances = self.glancers.predict(rows)
        clear = is_clear(chances, sample.plain.places.size)
        return chances if clear else self.judges.predict(rows)


class _School:
    """All pages, and which of them each lexicon and each forest may learn from."""

    def __init__(self, samples: list[Sample]) -> None:
        self._samples = samples
        sites = sorted({sample.site for sample in samples if sample.corpus != "made"})
        folds = np.random.default_rng(0).integers(0, FOLDS, len(sites))
        fold_of = dict(zip(sites, folds.tolist(), strict=True))
        self._folds = [fold_of.get(sample.site, _MADE) for sample in samples]
        self._table = WordTable([_lesson(sample) for sample in samples])
        self._lessons: dict[frozenset[int], Weights] = {}

    def unseen(self) -> list[Floats | None]:
        """Return the chances of each page's blocks by trees that saw no page of its site."""
        chances: list[Floats | None] = [None] * len(self._samples)
        for fold in range(FOLDS):
            trees = _fit(self._lines(without=fold))
            for place, home in enumerate(self._folds):
                if home == fold:
                    rows = self._rows(place, frozenset((fold,)))
                    chances[place] = trees.predict(self._samples[place], rows)
            _say(f"fold {fold + 1} of {FOLDS}")
        return chances

    def everything(self) -> tuple[_Trees, lexicon.Lexicon, list[Floats | None]]:
        """Return what all pages teach, and the chances of their blocks."""
        trees = _fit(self._lines())
        chances: list[Floats | None] = [
            trees.predict(sample, self._rows(place, frozenset()))
            for place, sample in enumerate(self._samples)
        ]
        return trees, self._table.lexicon(self._words(frozenset())), chances

    def _lines(self, without: int | None = None) -> Iterator[tuple[Sample, Floats]]:
        """Yield samples with their rows, in which the lexicon knows nothing of their own fold."""
        outside = set[int]() if without is None else {without}
        for place, (sample, fold) in enumerate(zip(self._samples, self._folds, strict=True)):
            if fold != without:
                yield sample, self._rows(place, frozenset((outside | {fold}) - {_MADE}))

    def _rows(self, place: int, unknown: frozenset[int]) -> Floats:
        opinions = self._table.rows(place, self._words(unknown))
        return np.concatenate([self._samples[place].plain.rows, opinions], axis=1)

    def _words(self, unknown: frozenset[int]) -> Weights:
        """Return the lexicon that knows nothing of these folds."""
        if unknown not in self._lessons:
            known = (p for p, fold in enumerate(self._folds) if fold not in {*unknown, _MADE})
            self._lessons[unknown] = self._table.learn(known)
        return self._lessons[unknown]


def _lesson(sample: Sample) -> Page:
    """Return the page as the lexicon learns from it: all of its labelled blocks weigh as one."""
    weights = np.where(sample.labels >= 0, _importance(sample), 0.0)
    weights *= _trust(sample) / max(1e-9, float(weights.sum()))
    site = sample.corpus if sample.corpus == "made" else sample.site
    return Page(site, sample.outline, sample.plain, sample.labels >= POSITIVE, weights)


def _fit(lines: Iterable[tuple[Sample, Floats]]) -> _Trees:
    dice = np.random.default_rng(0)
    parts = [_weighted(sample, rows, dice) for sample, rows in lines]
    rows, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    pool = catboost.Pool(rows, labels, weight=weights)
    del parts, rows
    return _Trees(glancers(pool), judges(pool))


def _importance(sample: Sample) -> NDArray[np.float64]:
    """Return how much each block matters: longer ones more, but not in proportion."""
    sizes = np.array([block.size for block in sample.outline.blocks], np.float64)
    return np.maximum(sizes, 4) ** 0.6


def _trust(sample: Sample) -> float:
    """Return the weight of a page: one with few labelled blocks says less."""
    known = int((sample.labels >= 0).sum())
    return 1.0 if "gold" in sample.page else min(1.0, known / 8)


def _weighted(
    sample: Sample, rows: Floats, dice: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return rows, labels and weights of the labelled blocks; every page weighs the same."""
    known = np.flatnonzero(sample.labels >= 0)
    if len(known) > MOST_BLOCKS:
        known = dice.choice(known, MOST_BLOCKS, replace=False)
    weight = _importance(sample)[known]
    scale = _trust(sample) * (2 if sample.corpus == TWICE else 1)
    weight *= 100 * scale / max(1e-9, float(weight.sum()))
    labels = (sample.labels[known] >= POSITIVE).astype(np.float32)
    return rows[known], labels, weight.astype(np.float32)


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
