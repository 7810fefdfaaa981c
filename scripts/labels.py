"""Labels for training: which blocks of a page are in its annotated main content."""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

UNKNOWN = -1.0
_WORD = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_MIN_WORDS = 4  # shorter blocks count only near longer ones that are in the text
_NEAR = 8  # blocks
_DECAY = 6.0  # blocks: how fast the influence of a block in the text falls off
_MIN_PART = 25  # characters of a block that may be part of an annotated segment
_UNCERTAIN = 0.4  # label of blocks whose words are in the text, but probably from elsewhere
_INSIDE = 0.6  # label from which a block is taken to be in the text

Indices = dict[str, list[int]]  # text -> indices of the blocks that have it


def labels_from_text(gold: str, texts: list[str]) -> Floats:
    """Return for each block the share of its word triples that the annotated text has."""
    gold_words = _words(gold)
    flat = f" {' '.join(gold_words)} "
    blocks = [_words(text) for text in texts]
    triples = set(_triples(gold_words))
    labels = np.zeros(len(texts), np.float32)
    for index, words in enumerate(blocks):
        if len(words) >= _MIN_WORDS:
            shared = sum(triple in triples for triple in _triples(words))
            labels[index] = shared / (len(words) - 2)
    short = _indices_by_text(blocks, [i for i, w in enumerate(blocks) if 0 < len(w) < _MIN_WORDS])
    lines: Counter[str] = Counter(" ".join(_words(line)) for line in gold.split("\n"))
    own_lines: Indices = {t: indices for t, indices in short.items() if lines[t] >= len(indices)}
    _label_lines(labels, own_lines)
    _label_short(labels, {t: indices for t, indices in short.items() if t not in own_lines}, flat)
    long = [i for i, w in enumerate(blocks) if len(w) >= _MIN_WORDS and labels[i] >= _INSIDE]
    _label_repeated(labels, _indices_by_text(blocks, long), flat)
    return labels


def _label_lines(labels: Floats, lines: Indices) -> None:
    """Label short blocks that are complete lines of the text, at least as often as on the page."""
    indices = [index for found in lines.values() for index in found]
    inside = np.union1d(_inside(labels), indices)
    for index in indices:
        others = inside[inside != index]
        labels[index] = 1.0 if _distance(others, index) <= _NEAR else _UNCERTAIN


def _label_short(labels: Floats, short: Indices, flat: str) -> None:
    """Label other short blocks whose words are somewhere in the annotated text."""
    inside = _inside(labels)
    for text, indices in short.items():
        times = flat.count(f" {text} ")
        # nearest to blocks that certainly are in the text first
        for rank, index in enumerate(sorted(indices, key=lambda i: _distance(inside, i))):
            if times:
                near = rank < times and _distance(inside, index) <= _NEAR
                labels[index] = 1.0 if near else _UNCERTAIN


def _label_repeated(labels: Floats, texts: Indices, flat: str) -> None:
    """Of a text that is more often on the page than in the annotation, keep the best copies."""
    single = np.array([indices[0] for indices in texts.values() if len(indices) == 1])
    long = [index for indices in texts.values() for index in indices]
    certain = np.union1d(single, np.setdiff1d(_inside(labels), long))
    for text, indices in texts.items():
        times = max(1, flat.count(f" {text} "))
        support = {i: np.exp(-np.abs(certain - i) / _DECAY).sum() for i in indices}
        for index in sorted(indices, key=lambda i: -support[i])[times:]:
            labels[index] = _UNCERTAIN


def _inside(labels: Floats) -> NDArray[np.int64]:
    return np.flatnonzero(labels >= _INSIDE)


def _distance(indices: NDArray[np.int64], index: int) -> int:
    return int(np.abs(indices - index).min()) if len(indices) else 10 * _NEAR


def _indices_by_text(blocks: list[list[str]], indices: list[int]) -> Indices:
    by_text: Indices = {}
    for index in indices:
        by_text.setdefault(" ".join(blocks[index]), []).append(index)
    return by_text


def labels_from_segments(inside: list[str], outside: list[str], texts: list[str]) -> Floats:
    """Return 1 for blocks of segments that must appear, 0 for those that must not, else unknown."""
    required, forbidden = list(map(_flat, inside)), list(map(_flat, outside))
    labels = np.full(len(texts), UNKNOWN, np.float32)
    for index, text in enumerate(map(_flat, texts)):
        if any(_overlap(text, segment) for segment in required):
            labels[index] = 1.0
        elif any(_overlap(text, segment) for segment in forbidden):
            labels[index] = 0.0
    return labels


def _overlap(text: str, segment: str) -> bool:
    return segment in text or (len(text) > _MIN_PART and text in segment)


def _triples(words: list[str]) -> Iterator[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _flat(text: str) -> str:
    return " ".join(text.split())
