"""Which blocks of a page are in the text that annotators took for its main content."""

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
_FEW = 4  # words: shorter blocks count only near longer ones that are in the text
_NEAR = 8  # blocks
_REACH = 6.0  # blocks: how far a block of the text speaks for those around it
_LONG = 25  # characters of a block that may be part of an annotated segment
_PERHAPS = 0.4  # of blocks whose words are in the text, but hardly from there
_INSIDE = 0.6

Places = dict[str, list[int]]


def labels_from_text(gold: str, texts: list[str]) -> Floats:
    """Return for each block the share of its word triples that the annotated text has."""
    words = _words(gold)
    flat = f" {' '.join(words)} "
    blocks = [_words(text) for text in texts]
    triples = set(_triples(words))
    labels = np.zeros(len(texts), np.float32)
    for place, own in enumerate(blocks):
        if len(own) >= _FEW:
            labels[place] = sum(triple in triples for triple in _triples(own)) / (len(own) - 2)
    short = _places(blocks, [place for place, own in enumerate(blocks) if 0 < len(own) < _FEW])
    lines: Counter[str] = Counter(" ".join(_words(line)) for line in gold.split("\n"))
    alone: Places = {t: found for t, found in short.items() if lines[t] >= len(found)}
    _label_lines(labels, alone)
    _label_short(labels, {t: found for t, found in short.items() if t not in alone}, flat)
    long = [p for p, own in enumerate(blocks) if len(own) >= _FEW and labels[p] >= _INSIDE]
    _label_copies(labels, _places(blocks, long), flat)
    return labels


def _label_lines(labels: Floats, lines: Places) -> None:
    """Label short blocks that are whole lines of the annotated text and as often on the page."""
    places = [place for found in lines.values() for place in found]
    inside = np.union1d(_inside(labels), places)
    for place in places:
        others = inside[inside != place]
        labels[place] = 1.0 if _distance(others, place) <= _NEAR else _PERHAPS


def _label_short(labels: Floats, short: Places, flat: str) -> None:
    """Label other short blocks whose words are somewhere in the annotated text."""
    inside = _inside(labels)
    for text, places in short.items():
        times = flat.count(f" {text} ")
        # the closest to what surely is in the text first
        for rank, place in enumerate(sorted(places, key=lambda p: _distance(inside, p))):
            if times:
                near = rank < times and _distance(inside, place) <= _NEAR
                labels[place] = 1.0 if near else _PERHAPS


def _label_copies(labels: Floats, texts: Places, flat: str) -> None:
    """Take back what is more often on the page than in the text, where least of it is around."""
    single = np.array([found[0] for found in texts.values() if len(found) == 1])
    short = np.setdiff1d(_inside(labels), [place for found in texts.values() for place in found])
    certain = np.union1d(single, short)
    for text, places in texts.items():
        times = max(1, flat.count(f" {text} "))
        around = {place: np.exp(-np.abs(certain - place) / _REACH).sum() for place in places}
        for place in sorted(places, key=lambda p: -around[p])[times:]:
            labels[place] = _PERHAPS


def _inside(labels: Floats) -> NDArray[np.int64]:
    return np.flatnonzero(labels >= _INSIDE)


def _distance(places: NDArray[np.int64], place: int) -> int:
    return int(np.abs(places - place).min()) if len(places) else 10 * _NEAR


def _places(blocks: list[list[str]], places: list[int]) -> Places:
    """Return the places of each text."""
    found: Places = {}
    for place in places:
        found.setdefault(" ".join(blocks[place]), []).append(place)
    return found


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


def _triples(words: list[str]) -> Iterator[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _flat(text: str) -> str:
    return " ".join(text.split())
