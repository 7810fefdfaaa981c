"""Repeated blocks of a page are judged together."""

import numpy as np
import pytest

from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks, split_into_blocks
from webquarry.content.main_content.choose import choose_by_probability
from webquarry.content.main_content.repeated_blocks import smooth_by_path

_CARD = "A crane that lifts whatever the quarry sends up, number {}, in stock since the autumn."
_LEGAL = "All prices are without tax and may change at any time without further notice to anybody."


def _page(cards: int) -> PageBlocks:
    items = "".join(f"<li class='card'>{_CARD.format(n)}</li>" for n in range(cards))
    root = parse_html(f"<body><ul>{items}</ul><p class='legal'>{_LEGAL}</p></body>")
    assert root is not None
    return split_into_blocks(body_of(root))


def _smoothed(page: PageBlocks, probability: list[float]) -> list[float]:
    size = np.array([block.size for block in page.blocks], np.float32)
    smoothed = smooth_by_path(page, np.array(probability, np.float32), size)
    assert smoothed.dtype == np.float32
    return smoothed.tolist()


def test_a_block_follows_the_others_of_its_kind() -> None:
    *cards, legal = _smoothed(_page(4), [0.6, 0.6, 0.6, 0.3, 0.2])

    assert cards[:3] == pytest.approx([cards[0]] * 3, abs=1e-3)
    assert 0.3 < cards[3] < cards[0] < 0.6
    assert cards[3] > 0.45
    assert legal == pytest.approx(0.2)


def test_equal_probabilities_do_not_change() -> None:
    assert _smoothed(_page(5), [0.7] * 6) == pytest.approx([0.7] * 6)


def test_two_of_a_kind_are_judged_by_themselves() -> None:
    assert _smoothed(_page(2), [0.6, 0.3, 0.2]) == pytest.approx([0.6, 0.3, 0.2])


def test_certainty_stays_finite() -> None:
    first, *others = _smoothed(_page(4), [0.0, 1.0, 1.0, 1.0, 0.0])

    assert 0 < first < min(others[:3]) < 1


def test_on_an_unclear_page_a_card_is_not_left_out_of_the_list() -> None:
    page = _page(12)
    probability = np.array([0.6] * 11 + [0.25, 0.1], np.float32)

    assert choose_by_probability(page, probability, HeadHints()) == [True] * 12 + [False]


def test_on_a_clear_page_every_block_is_judged_by_itself() -> None:
    page = _page(12)
    probability = np.array([0.99] * 8 + [0.01] * 5, np.float32)

    assert choose_by_probability(page, probability, HeadHints()) == [True] * 8 + [False] * 5
