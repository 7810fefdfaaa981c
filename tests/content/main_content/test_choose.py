"""Which pages take a glance at their form, and which have to be read."""

import pytest

from tests.content.main_content.test_decision_trees import PAGES
from tests.content.traps.base import prose
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import HeadHints, hints_of
from webquarry.content.main_content import choose as choosing
from webquarry.content.main_content.blocks import PageBlocks, outline_of
from webquarry.content.main_content.choose import BlockChoice, choose
from webquarry.content.main_content.features import features_of
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
) -> tuple[PageBlocks, BlockChoice, list[LayoutFeatures | None]]:
    read: list[LayoutFeatures | None] = []

    def noted(outline: PageBlocks, hints: HeadHints, form: LayoutFeatures | None = None) -> object:
        read.append(form)
        return features_of(outline, hints, form)

    monkeypatch.setattr(choosing, "features_of", noted)
    root = parse_html(source)
    assert root is not None
    outline = outline_of(body_of(root))
    return outline, choose(outline, hints_of(root)), read


def test_the_words_of_a_clear_page_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    outline, choice, read = _chosen(monkeypatch, _CLEAR)

    kept = [b.text[:7] for b, keep in zip(outline.blocks, choice.keep, strict=True) if keep]
    assert (kept, read) == (["In year"] * 40, [])
    assert choice.confidence >= 0.97


def test_the_words_of_other_pages_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _, choice, read = _chosen(monkeypatch, PAGES["products"])

    assert [isinstance(form, LayoutFeatures) for form in read] == [True]
    assert 0 < choice.confidence < 1
