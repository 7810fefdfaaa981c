"""The feature matrix of the block classifier: one row for each text block of a page."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.feature_table import COLUMN, columns
from webquarry.content.main_content.layout_features import LayoutFeatures, layout_features
from webquarry.content.main_content.lexicon import BlockPositions, stored_lexicon
from webquarry.content.main_content.text_features import MAX_WORD_MATCH, text_features

Floats = NDArray[np.float32]

_WORDS = re.compile(r"\w+")
_MAX_DECLARED = 40_000  # characters
_LEXICON = columns("lexicon")
_PAGE_TOTALS = {  # feature of the page -> feature of the block that it sums
    "page_dates": "has_date",
    "page_money": "has_money",
    "page_boilerplate": "boilerplate_words",
}


@dataclass(frozen=True, slots=True)
class BaseFeatures:
    """The features of each block without those of the lexicon, and what these are made of."""

    rows: Floats  # a view of `matrix`
    opening_words: list[frozenset[str]]  # at the beginning of each block
    positions: BlockPositions
    matrix: Floats  # with unset columns for the lexicon


def block_features(
    page: PageBlocks, hints: HeadHints, layout: LayoutFeatures | None = None
) -> Floats:
    """Return one row for each block; a given layout is completed in place."""
    base = features_before_lexicon(page, hints, layout)
    scores = stored_lexicon().scores(base.opening_words, page.names, base.positions)
    base.matrix[:, _LEXICON] = scores
    return base.matrix


def features_before_lexicon(
    page: PageBlocks, hints: HeadHints, layout: LayoutFeatures | None = None
) -> BaseFeatures:
    """Return the features that need no lexicon."""
    layout = layout or layout_features(page, hints)
    matrix = layout.matrix
    features = text_features(page.texts, page.sizes)
    packed = b"".join([packed for packed, _ in features])
    matrix[columns("text")] = np.frombuffer(packed, np.float32).reshape(len(features), -1).T
    opening_words = [words for _, words in features]
    _write_head_features(matrix, page, hints, opening_words)
    for total, feature in _PAGE_TOTALS.items():
        matrix[COLUMN[total]] = matrix[COLUMN[feature]].sum()
    rows = matrix[: _LEXICON.start].T
    return BaseFeatures(rows, opening_words, layout.positions, matrix.T)


def _write_head_features(
    matrix: Floats, page: PageBlocks, hints: HeadHints, opening_words: list[frozenset[str]]
) -> None:
    """Write the group "head": words that the block shares with title, description and JSON-LD."""
    title = frozenset(_WORDS.findall(hints.title.lower()))
    description = frozenset(_WORDS.findall(hints.description.lower()))
    title_size, head_words = len(title) or 1, title | description
    sizes = page.sizes
    shared: list[tuple[int, float, float, float]] = []
    for index, disjoint in enumerate(map(head_words.isdisjoint, opening_words)):
        if not disjoint and sizes[index] < MAX_WORD_MATCH:
            words = opening_words[index]
            in_title, count = len(title & words), len(words)
            described = len(description & words) / count
            shared.append((index, in_title / title_size, in_title / count, described))
    rows = matrix[columns("head")]
    rows[:-1] = 0
    if shared:
        indices, *shares = zip(*shared, strict=True)
        rows[:-1, indices] = shares
    declared = _word_triples(hints.declared_text[:_MAX_DECLARED])
    rows[-1] = [_declared_share(text, declared) for text in page.texts] if declared else -1.0


def _word_triples(text: str) -> set[int]:
    words = _WORDS.findall(text.lower())
    return {hash(triple) for triple in zip(words, words[1:], words[2:], strict=False)}


def _declared_share(text: str, declared: set[int]) -> float:
    triples = _word_triples(text)
    return len(triples & declared) / len(triples) if triples else -0.5
