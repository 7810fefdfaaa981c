"""Learns the weights of the lexicon: what single words of texts and names say about a block."""

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
    CLOSE,
    FAR,
    PLACES,
    SIZES,
    Lexicon,
    opinion_rows,
    size_class,
    words_in,
)

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# comes with catboost, and has no types
_optimize: Any = importlib.import_module("scipy.optimize")
_sparse: Any = importlib.import_module("scipy.sparse")

SITES = 6  # a word that fewer sites use is not learned
RIDGE = {"texts": 30.0, "names": 80.0}
STEPS = 60
LEAST = 0.04  # smaller weights are not worth their place


@dataclass(frozen=True)
class Page:
    """One page as the lexicon is learned from it; a weight of 0 leaves a block out."""

    site: str
    outline: PageBlocks
    plain: BaseFeatures
    labels: NDArray[np.bool_]
    weights: Doubles


@dataclass(frozen=True)
class Weights:
    """What was learned, rounded as it is stored."""

    texts: Doubles
    names: Doubles


class WordTable:
    """Which words each block of all pages has, so that weights can be learned of some of them."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self._start = np.cumsum([0, *(len(page.labels) for page in pages)])
        self.text_words = _common((p.site, (w for t in p.plain.told for w in t)) for p in pages)
        self.name_words = _common(
            (p.site, (w for names in set(p.outline.names) for w in words_in(names))) for p in pages
        )
        self._texts = self._text_matrix()
        self._names = self._name_matrix()
        self._labels = np.concatenate([page.labels for page in pages]).astype(np.float64)
        self._weights = np.concatenate([page.weights for page in pages])

    def _text_matrix(self) -> Any:
        number, count = _numbers(self.text_words), len(self.text_words)
        rows: list[list[int]] = []
        for page in self._pages:
            for told, block in zip(page.plain.told, page.outline.blocks, strict=True):
                first = size_class(block.size) * count
                rows.append(sorted(first + number[word] for word in told if word in number))
        return _matrix(rows, SIZES * count)

    def _name_matrix(self) -> Any:
        number, count = _numbers(self.name_words), len(self.name_words)
        rows: list[list[int]] = []
        for page in self._pages:
            own = [[number[w] for w in words_in(n) if w in number] for n in page.outline.names]
            known: dict[int, list[int]] = {}
            for node in page.plain.places.node.tolist():
                if node not in known:
                    known[node] = _named(own, page.outline.parent, node, count)
                rows.append(known[node])
        return _matrix(rows, PLACES * count)

    def learn(self, places: Iterable[int]) -> Weights:
        """Return the weights that the pages at these places teach."""
        chosen = np.zeros(len(self._labels), np.bool_)
        for place in places:
            chosen[self._start[place] : self._start[place + 1]] = True
        chosen &= self._weights > 0
        weights = self._weights[chosen] / self._weights[chosen].mean()
        given = (self._labels[chosen], weights)
        return Weights(
            _fitted(self._texts[chosen], *given, RIDGE["texts"]),
            _fitted(self._names[chosen], *given, RIDGE["names"]),
        )

    def rows(self, place: int, weights: Weights) -> Floats:
        """Return the columns that these weights give the blocks of one page."""
        part = slice(self._start[place], self._start[place + 1])
        words = (self._texts[part] @ weights.texts).astype(np.float32)
        names = (self._names[part] @ weights.names).astype(np.float32)
        return opinion_rows(words, names, self._pages[place].plain.places)

    def lexicon(self, weights: Weights) -> Lexicon:
        """Return the weights by word."""
        texts = weights.texts.reshape(SIZES, -1)
        names = weights.names.reshape(PLACES, -1).T
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


def _common(sites: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return the words that enough sites use."""
    used: dict[str, set[str]] = defaultdict(set)
    for site, words in sites:
        for word in set(words):
            used[word].add(site)
    return sorted(word for word, known in used.items() if len(known) >= SITES)


def _numbers(words: list[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}


def _named(own: list[list[int]], parent: list[int], node: int, count: int) -> list[int]:
    """Return the words in the names of an element and of those around it, by distance."""
    found = list(own[node])
    for step in range(1, FAR + 1):
        node = parent[node]
        if node < 0:
            break
        found += [word + (count if step <= CLOSE else 2 * count) for word in own[node]]
    return sorted(found)


def _matrix(rows: list[list[int]], width: int) -> Any:
    ends = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((column for row in rows for column in row), np.int32, int(ends[-1]))
    matrix = _sparse.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), width))
    matrix.sum_duplicates()
    return matrix


def _fitted(rows: Any, labels: Doubles, weights: Doubles, ridge: float) -> Doubles:
    """Return the weights of a logistic regression, rounded as they will be stored."""
    count = rows.shape[1]
    columns = rows.T.tocsr()

    def loss(guess: Doubles) -> tuple[float, Doubles]:
        score = rows @ guess[:count] + guess[count]
        value = (weights * (np.logaddexp(0, score) - labels * score)).sum()
        value += ridge / 2 * (guess[:count] ** 2).sum()
        off = weights * (1 / (1 + np.exp(-score)) - labels)
        return float(value), np.append(columns @ off + ridge * guess[:count], off.sum())

    options = {"maxiter": STEPS}
    found = _optimize.minimize(
        loss, np.zeros(count + 1), jac=True, method="L-BFGS-B", options=options
    )
    learned: Doubles = found.x[:count]
    learned[np.abs(learned) < LEAST] = 0
    return learned.astype(np.float16).astype(np.float64)
