"""The corpus without a browser."""

import pytest

from tests.hidden_text import TECHNIQUES, VISIBLE
from tests.hidden_text.technique import MARKER, NEEDS_LAYOUT, SEEN, Technique
from webquarry.content.html.read_html import read_html


def _markdown(technique: Technique) -> str:
    return read_html(technique.page, url="https://quarry.example/a").markdown


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda technique: technique.id)
def test_hidden_text_is_removed(technique: Technique) -> None:
    text = _markdown(technique)

    assert (MARKER in text) is (technique.id in NEEDS_LAYOUT)
    assert [words for words in SEEN if words not in text] == []


@pytest.mark.parametrize("technique", VISIBLE, ids=lambda technique: technique.id)
def test_visible_text_stays(technique: Technique) -> None:
    assert [words for words in (MARKER, *SEEN) if words not in _markdown(technique)] == []


def test_the_corpus_has_as_many_techniques_as_the_goal() -> None:
    assert len({technique.id for technique in TECHNIQUES}) == len(TECHNIQUES) >= 141
    assert len(NEEDS_LAYOUT) <= 16
