"""Learns the weights of the lexicon: logistic regressions over words of texts and of names."""

import importlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.features import BaseFeatures
from webquarry.content.main_content.lexicon import (
    DISTANCES,
    MAX_STEPS,
    NEAR_STEPS,
    SIZE_CLASSES,
    Lexicon,
    lexicon_features,
    name_words,
    size_class,
)

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# scipy comes with catboost and has no types
_optimize: Any = importlib.import_module("scipy.optimize")
_sparse: Any = importlib.import_module("scipy.sparse")

MIN_SITES = 6  # a word that fewer sites use is not learned
RIDGE = {"texts": 30.0, "names": 80.0}  # L2 penalty
MAX_ITERATIONS = 60
MIN_WEIGHT = 0.04  # smaller weights are stored as 0


@dataclass(frozen=True)
class LexiconPage:
    """One page for training the lexicon; a block of weight 0 is left out."""

    site: str
    blocks: PageBlocks
    features: BaseFeatures
    labels: NDArray[np.bool_]
    weights: Doubles


@dataclass(frozen=True)
class WordWeights:
    """The learned weights, rounded as they are stored."""

    texts: Doubles
    names: Doubles


class WordTable:
    """The words of every block of all pages, to train a lexicon on any subset of the pages."""

    def __init__(self, pages: Sequence[LexiconPage]) -> None:
        self._pages = pages
        self._starts = np.cumsum([0, *(len(page.labels) for page in pages)])
        self.text_words = _common_words(
            (page.site, (word for words in page.features.opening_words for word in words))
            for page in pages
        )
        self.name_words = _common_words(
            (page.site, (word for names in set(page.blocks.names) for word in name_words(names)))
            for page in pages
        )
        self._texts = self._text_matrix()
        self._names = self._name_matrix()
        self._labels = np.concatenate([page.labels for page in pages]).astype(np.float64)
        self._weights = np.concatenate([page.weights for page in pages])

    def _text_matrix(self) -> Any:
        column_of, count = _columns(self.text_words), len(self.text_words)
        rows: list[list[int]] = []
        for page in self._pages:
            for words, size in zip(page.features.opening_words, page.blocks.sizes, strict=True):
                first = size_class(size) * count
                rows.append(sorted(first + column_of[word] for word in words if word in column_of))
        return _matrix(rows, SIZE_CLASSES * count)

    def _name_matrix(self) -> Any:
        column_of, count = _columns(self.name_words), len(self.name_words)
        rows: list[list[int]] = []
        for page in self._pages:
            own = [
                [column_of[word] for word in name_words(names) if word in column_of]
                for names in page.blocks.names
            ]
            known: dict[int, list[int]] = {}
            for node in page.features.positions.node.tolist():
                if node not in known:
                    known[node] = _name_columns(own, page.blocks.parent, node, count)
                rows.append(known[node])
        return _matrix(rows, DISTANCES * count)

    def learn(self, indices: Iterable[int]) -> WordWeights:
        """Return the weights learned from these pages."""
        chosen = np.zeros(len(self._labels), np.bool_)
        for index in indices:
            chosen[self._starts[index] : self._starts[index + 1]] = True
        chosen &= self._weights > 0
        labels = self._labels[chosen]
        weights = self._weights[chosen] / self._weights[chosen].mean()
        return WordWeights(
            _fit(self._texts[chosen], labels, weights, RIDGE["texts"]),
            _fit(self._names[chosen], labels, weights, RIDGE["names"]),
        )

    def features(self, index: int, weights: WordWeights) -> Floats:
        """Return the lexicon features that these weights give the blocks of one page."""
        part = slice(self._starts[index], self._starts[index + 1])
        words = (self._texts[part] @ weights.texts).astype(np.float32)
        names = (self._names[part] @ weights.names).astype(np.float32)
        return lexicon_features(words, names, self._pages[index].features.positions)

    def lexicon(self, weights: WordWeights) -> Lexicon:
        """Return the weights by word."""
        texts = weights.texts.reshape(SIZE_CLASSES, -1)
        names = weights.names.reshape(DISTANCES, -1).T
        return Lexicon(
            tuple(
                {word: float(w) for word, w in zip(self.text_words, part, strict=True) if w}
                for part in texts
            ),
            {
                word: tuple(part.tolist())
                for word, part in zip(self.name_words, names, strict=True)
                if part.any()
            },
        )


def _common_words(sites: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return the words that enough sites use."""
    used_by: dict[str, set[str]] = defaultdict(set)
    for site, words in sites:
        for word in set(words):
            used_by[word].add(site)
    return sorted(word for word, users in used_by.items() if len(users) >= MIN_SITES)


def _columns(words: list[str]) -> dict[str, int]:
    return {word: column for column, word in enumerate(words)}


def _name_columns(own: list[list[int]], parent: list[int], node: int, count: int) -> list[int]:
    """Return the columns of the names of an element and of its ancestors, by distance."""
    columns = list(own[node])
    for step in range(1, MAX_STEPS + 1):
        node = parent[node]
        if node < 0:
            break
        offset = count if step <= NEAR_STEPS else 2 * count
        columns += [column + offset for column in own[node]]
    return sorted(columns)


def _matrix(rows: list[list[int]], width: int) -> Any:
    """Return a sparse matrix with the number of times that each row has each column."""
    ends = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((column for row in rows for column in row), np.int32, int(ends[-1]))
    matrix = _sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), width))
    matrix.sum_duplicates()
    return matrix


def _fit(rows: Any, labels: Doubles, weights: Doubles, ridge: float) -> Doubles:
    """Return the weights of a logistic regression, rounded as they will be stored."""
    count = rows.shape[1]
    columns = rows.T.tocsr()

    def loss(parameters: Doubles) -> tuple[float, Doubles]:
        score = rows @ parameters[:count] + parameters[count]
        value = (weights * (np.logaddexp(0, score) - labels * score)).sum()
        value += ridge / 2 * (parameters[:count] ** 2).sum()
        error = weights * (1 / (1 + np.exp(-score)) - labels)
        gradient = columns @ error + ridge * parameters[:count]
        return float(value), np.append(gradient, error.sum())

    options = {"maxiter": MAX_ITERATIONS}
    result = _optimize.minimize(
        loss, np.zeros(count + 1), jac=True, method="L-BFGS-B", options=options
    )
    learned: Doubles = result.x[:count]
    learned[np.abs(learned) < MIN_WEIGHT] = 0
    return learned.astype(np.float16).astype(np.float64)
