"""The stored trees: what they are, how they are evaluated, what they decide."""

import math
from importlib.resources import files
from itertools import compress

import numpy as np
import pytest

from tests.content.traps.base import prose
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import read_head_hints
from webquarry.content.main_content.blocks import split_into_blocks
from webquarry.content.main_content.choose import choose_blocks
from webquarry.content.main_content.decision_trees import (
    FULL_MODEL,
    LAYOUT_MODEL,
    DecisionTrees,
    stored_trees,
)
from webquarry.content.main_content.feature_table import LAYOUT_COLUMNS

_SHARE = "<div class='social-share'><a href='/fb'>Share</a> <a href='/tw'>Tweet</a></div>"
_RELATED = (
    "<div class='related'><h3>Related stories</h3><ul>"
    + "".join(f"<li><a href='/r{n}'>Another story number {n}</a></li>" for n in range(6))
    + "</ul></div>"
)
_ANSWERS = "".join(
    f"<div class='post'><div class='author'>Reader {n}</div><div class='message'>"
    f"{prose(2, start=n)}</div></div>"
    for n in range(4)
)
_CARDS = "".join(
    f"<li class='product'><h3><a href='/p{n}'>Crane number {n}</a></h3><p>Lifts {n} tons, price "
    f"${n}00.</p></li>"
    for n in range(1, 30)
)
PAGES = {
    "article": (
        "<html><head><title>Fence - Notes</title><meta property='og:type' content='article'></head>"
        "<body><div class='menu'><a href='/'>Home</a><a href='/n'>News</a></div>"
        f"<div class='story'><h1>Fence</h1>{_SHARE}{prose(6)}{_RELATED}</div>"
        "<div id='footer'>© 2026 Notes. All rights reserved.</div></body></html>"
    ),
    "forum": (
        "<html><head><title>Fence? - Quarry forum</title></head><body><div class='nav'>"
        "<a href='/'>Index</a></div><div class='thread'><h1>Fence?</h1>"
        f"{_ANSWERS}</div><div class='login'><a href='/login'>Log in to reply</a></div></body>"
    ),
    "products": (
        "<html><head><title>Cranes</title></head><body><nav><a href='/'>Home</a></nav><main>"
        f"<h1>Cranes</h1><p>{prose(1)[3:-5]}</p><ul class='products'>{_CARDS}</ul></main>"
        "<footer><a href='/terms'>Terms</a> <a href='/privacy'>Privacy</a></footer></body></html>"
    ),
}

_PROSE = ("The old quarry", "Visitors who", "By the end", "In the meantime", "What remains")
_CRANES = tuple(
    line for n in range(1, 30) for line in (f"Crane number {n}", f"Lifts {n} tons, price ${n}00.")
)
_DECISIONS = {
    "article": _PROSE,
    "forum": _PROSE,
    "products": ("The old quarry", *_CRANES),
}


@pytest.mark.parametrize("clear", [0.9, 1.1], ids=["by layout", "by words"])
@pytest.mark.parametrize("name", PAGES)
def test_the_stored_trees_decide_as_recorded(
    monkeypatch: pytest.MonkeyPatch, name: str, clear: float
) -> None:
    monkeypatch.setattr("webquarry.content.main_content.choose._CLEAR_F1", clear)
    root = parse_html(PAGES[name])
    assert root is not None
    page = split_into_blocks(body_of(root))

    keep = choose_blocks(page, read_head_hints(root, f"https://quarry.example/{name}"))

    kept = list(compress(page.texts, keep))
    # the author above a post may be kept
    kept = [text for text in kept if not text.startswith("Reader ")]
    expected = _DECISIONS[name]
    assert [text[: len(start)] for text, start in zip(kept, expected, strict=True)] == list(
        expected
    )


@pytest.mark.parametrize("name", [FULL_MODEL, LAYOUT_MODEL])
def test_the_stored_trees_are_small_and_well_formed(name: str) -> None:
    stored = files("webquarry.content.main_content").joinpath(name).read_bytes()
    trees = DecisionTrees.load(stored)
    count, leaves = trees.leaves.shape
    depth = leaves.bit_length() - 1
    assert len(stored) < 1_000_000
    assert (len(trees.features), len(trees.borders)) == (count * depth, count * depth)
    assert np.isfinite(trees.leaves).all()


def test_the_layout_model_uses_layout_features_only() -> None:
    assert set(stored_trees(LAYOUT_MODEL).features.tolist()) <= set(LAYOUT_COLUMNS)


def test_trees_are_evaluated_as_one_would_by_hand() -> None:
    trees = stored_trees(FULL_MODEL)
    rows = np.random.default_rng(7).uniform(-5, 60, (40, int(trees.features.max()) + 1))
    rows = rows.astype(np.float32)

    by_hand = [_by_hand(trees, row.tolist()) for row in rows]

    assert np.allclose(trees.predict(rows), by_hand, atol=1e-4)


def test_no_rows_have_no_probabilities() -> None:
    assert stored_trees(FULL_MODEL).predict(np.zeros((0, 300), np.float32)).tolist() == []


def _by_hand(trees: DecisionTrees, row: list[float]) -> float:
    depth = trees.leaves.shape[1].bit_length() - 1
    total = trees.bias
    for number, leaves in enumerate(trees.leaves):
        leaf = 0
        for level in range(depth):
            at = number * depth + level
            leaf += (row[trees.features[at]] > trees.borders[at]) << level
        total += float(leaves[leaf])
    return 1 / (1 + math.exp(-total))
