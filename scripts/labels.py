"""Which blocks of a page are in the text that annotators took for its main content."""

import re

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

UNKNOWN = -1.0
_WORD = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_FEW = 4  # words: shorter blocks count only near longer ones that are in the text
_NEAR = 4
_LONG = 25  # characters of a block that may be part of an annotated segment


def labels_from_text(gold: str, texts: list[str]) -> Floats:
    """Return for each block the share of its word triples that the annotated text has."""
    words = _words(gold)
    triples = set(zip(words, words[1:], words[2:], strict=False))
    flat = f" {' '.join(words)} "
    labels = np.zeros(len(texts), np.float32)
    short: list[tuple[int, str]] = []
    for place, text in enumerate(texts):
        own = _words(text)
        if 0 < len(own) < _FEW:
            short.append((place, f" {' '.join(own)} "))
        elif own:
            found = sum(t in triples for t in zip(own, own[1:], own[2:], strict=False))
            labels[place] = found / (len(own) - 2)
    certain = np.flatnonzero(labels >= 0.6)
    for place, phrase in short:
        if phrase in flat:
            away = np.abs(certain - place).min() if len(certain) else _NEAR + 1
            labels[place] = 1.0 if away <= _NEAR else 0.4
    return labels


def labels_from_segments(inside: list[str], outside: list[str], texts: list[str]) -> Floats:
    """Return 1 for blocks of segments that must appear, 0 for those that must not, else unknown."""
    wanted, unwanted = [_flat(part) for part in inside], [_flat(part) for part in outside]
    labels = np.full(len(texts), UNKNOWN, np.float32)
    for place, text in enumerate(map(_flat, texts)):
        if any(_shares(text, segment) for segment in wanted):
            labels[place] = 1.0
        elif any(_shares(text, segment) for segment in unwanted):
            labels[place] = 0.0
    return labels


def _shares(text: str, segment: str) -> bool:
    return segment in text or (len(text) > _LONG and text in segment)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _flat(text: str) -> str:
    return " ".join(text.split())
