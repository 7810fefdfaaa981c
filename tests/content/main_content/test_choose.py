"""Which pages the layout features decide, and of which the words are read."""

from itertools import compress

import numpy as np
import pytest

from tests.content.main_content.test_decision_trees import PAGES
from tests.content.traps.base import prose
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import HeadHints, read_head_hints
from webquarry.content.main_content import choose as choosing
from webquarry.content.main_content.blocks import PageBlocks, split_into_blocks
from webquarry.content.main_content.choose import best_threshold, choose_blocks
from webquarry.content.main_content.features import block_features
from webquarry.content.main_content.layout_features import LayoutFeatures

_MENU = "".join(f"<li><a href='/{n}'>Part {n}</a></li>" for n in range(30))
_STORY = "".join(f"<p>In year {n}, {prose(1, start=n)[3:-4]}</p>" for n in range(40))
_CLEAR = (
    "<html><head><title>Quarries - Notes</title></head><body>"
    f"<nav><ul>{_MENU}</ul></nav><article><h1>Quarries</h1>{_STORY}</article>"
    f"<footer><ul>{_MENU}</ul></footer></body></html>"
)


def _chosen(
    monkeypatch: pytest.MonkeyPatch, source: str
) -> tuple[list[str], list[LayoutFeatures | None]]:
    """Return the texts that were kept, and the layouts whose words were read."""
    layouts: list[LayoutFeatures | None] = []

    def recorded(
        page: PageBlocks, hints: HeadHints, layout: LayoutFeatures | None = None
    ) -> object:
        layouts.append(layout)
        return block_features(page, hints, layout)

    monkeypatch.setattr(choosing, "block_features", recorded)
    root = parse_html(source)
    assert root is not None
    page = split_into_blocks(body_of(root))
    return list(compress(page.texts, choose_blocks(page, read_head_hints(root)))), layouts


def test_the_words_of_a_clear_page_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, layouts = _chosen(monkeypatch, _CLEAR)

    assert ([text[:7] for text in kept], layouts) == (["In year"] * 40, [])


def test_the_words_of_other_pages_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, layouts = _chosen(monkeypatch, PAGES["products"])

    assert [isinstance(layout, LayoutFeatures) for layout in layouts] == [True]
    assert kept


def test_the_best_threshold_has_the_highest_expected_f1() -> None:
    probability = np.array([0.9, 0.2, 0.8, 0.1], np.float32)

    threshold, expected_f1 = best_threshold(probability, np.ones(4, np.float32))

    # of two blocks kept 1.7 are right, and 2.0 are in the content
    assert (threshold, expected_f1) == (pytest.approx(0.8), pytest.approx(2 * 1.7 / (2 + 2.0)))
