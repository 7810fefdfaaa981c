"""What the block classifier looks at: one row of numbers for each text block of a page."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.layout_features import (
    COUNTED,
    COUNTS,
    FORMAL,
    OWN,
    LayoutFeatures,
    form_of,
)
from webquarry.content.main_content.lexicon import COLUMNS, BlockPositions, lexicon
from webquarry.content.main_content.text_features import SIGNS, WORDY, signs_of_all

Floats = NDArray[np.float32]

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class BaseFeatures:
    """What is known of each block without the lexicon."""

    rows: Floats  # a part of `whole`
    told: list[frozenset[str]]  # the words at the beginning of each block
    places: BlockPositions
    whole: Floats  # with empty columns for the lexicon


def features_of(
    outline: PageBlocks, hints: HeadHints, form: LayoutFeatures | None = None
) -> Floats:
    """Return one row for each block; a form that is known already is filled in."""
    plain = plain_features(outline, hints, form)
    opinions = lexicon().opinions(plain.told, outline.names, plain.places)
    plain.whole[:, -COLUMNS:] = opinions
    return plain.whole


def plain_features(
    outline: PageBlocks, hints: HeadHints, form: LayoutFeatures | None = None
) -> BaseFeatures:
    """Return the columns that need no lexicon, and what those that do are made of."""
    form = form or form_of(outline, hints)
    lines = form.lines
    told = _write_words(lines[FORMAL - 1 : OWN], outline, hints)
    lines[COUNTED, :] = lines[COUNTS, :].sum(axis=1)[:, None]
    return BaseFeatures(lines[:-COLUMNS].T, told, form.places, lines.T)


def _write_words(lines: Floats, outline: PageBlocks, hints: HeadHints) -> list[frozenset[str]]:
    """Write what the text of each block tells; return the words at its beginning."""
    title = frozenset(_WORDS.findall(hints.title.lower()))
    description = frozenset(_WORDS.findall(hints.description.lower()))
    body = _triples(hints.body[:40_000])
    titled, head = len(title) or 1, title | description
    texts, sizes = outline.texts, outline.sizes
    signs = signs_of_all(texts, sizes)
    opening = [said for _, said in signs]
    told: list[tuple[int, float, float, float]] = []
    for place, apart in enumerate(map(head.isdisjoint, opening)):
        if not apart and sizes[place] < WORDY:
            said = opening[place]
            hinted, count = len(title & said), len(said)
            told.append((place, hinted / titled, hinted / count, len(description & said) / count))
    packed = b"".join([packed for packed, _ in signs])
    lines[:SIGNS] = np.frombuffer(packed, np.float32).reshape(len(signs), -1).T
    lines[SIGNS:-1] = 0
    if told:
        places, *shares = zip(*told, strict=True)
        lines[SIGNS:-1, places] = shares
    lines[-1] = [_share(text, body) for text in texts] if body else -1.0
    return opening


def _triples(text: str) -> set[int]:
    words = _WORDS.findall(text.lower())
    return {hash(triple) for triple in zip(words, words[1:], words[2:], strict=False)}


def _share(text: str, body: set[int]) -> float:
    triples = _triples(text)
    return len(triples & body) / len(triples) if triples else -0.5
