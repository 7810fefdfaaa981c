"""How the words of texts and the names of elements score a block."""

from io import BytesIO

import numpy as np
import pytest

from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import read_head_hints
from webquarry.content.main_content.blocks import split_into_blocks
from webquarry.content.main_content.feature_table import COLUMN, FEATURE_GROUPS, columns
from webquarry.content.main_content.features import block_features, features_before_lexicon
from webquarry.content.main_content.lexicon import (
    BlockPositions,
    Lexicon,
    ancestor_name_scores,
    lexicon_features,
    name_words,
    stored_lexicon,
)

SMALL = Lexicon(
    ({"cart": -2.0, "owl": 0.5}, {"owl": 1.0}, {}),
    {"article": (1.0, 2.0, 4.0), "menu": (-1.0, -2.0, -4.0)},
)


def _text_scores(lexicon: Lexicon, words: frozenset[str], sizes: list[int]) -> list[float]:
    """Return the scores of blocks of these sizes that all have these words."""
    count = len(sizes)
    nodes = np.zeros(count, np.int64)
    positions = BlockPositions(nodes, nodes, np.array(sizes, np.float32), np.array([-1]))
    features = lexicon.scores([words] * count, [""], positions)
    return features[:, COLUMN["word_score"] - columns("lexicon").start].tolist()


def test_the_weight_of_a_word_depends_on_the_size_of_the_block() -> None:
    words = frozenset(("cart", "owl", "unheard"))

    assert _text_scores(SMALL, words, [10, 59, 60, 249, 250]) == [-1.5, -1.5, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("siteMenu main-menu", {"site", "menu", "main"}),
        ("NAV_top x 12", {"nav", "top"}),
        ("", set[str]()),
        ("a" * 400, {"a" * 300}),
    ],
)
def test_names_are_split_into_words(names: str, words: set[str]) -> None:
    assert name_words(names) == words


def test_names_of_several_known_words_add_up() -> None:
    assert SMALL.name_scores("article-menu article") == (0.0, 0.0, 0.0)
    assert SMALL.name_scores("article unheard") == (1.0, 2.0, 4.0)
    assert SMALL.name_scores("") == (0.0, 0.0, 0.0)


def test_names_count_by_how_far_above_the_block_they_are() -> None:
    depth = 15
    parent = np.arange(-1, depth - 1)  # each element is in the one before it
    named = np.tile(np.array([[1.0, 10.0, 100.0]], np.float32), (depth, 1))
    node = np.array([0, 1, 3, 4, 12, 14])
    positions = BlockPositions(node, np.zeros(6, np.int64), np.ones(6, np.float32), parent)

    assert ancestor_name_scores(named, positions).tolist() == [1, 11, 31, 131, 931, 931]


def test_a_block_has_the_scores_of_its_neighbours_and_the_means_around_it() -> None:
    parent = np.array([-1, 0, 0])
    positions = BlockPositions(
        np.array([1, 1, 2]), np.array([0, 0, 1]), np.ones(3, np.float32), parent
    )
    words, names = np.array([1, 3, 8], np.float32), np.array([2, 2, 5], np.float32)

    rows = lexicon_features(words, names, positions)

    assert rows.tolist() == [
        [1, 0, 0, 3, 8, 2, 0, 2, 2, 4, 4, 4, 4, 2, 3, 3, 3, 3],
        [3, 1, 0, 8, 0, 2, 2, 5, 2, 4, 4, 4, 4, 2, 3, 3, 3, 3],
        [8, 3, 1, 0, 0, 5, 2, 0, 8, 4, 4, 4, 4, 5, 3, 3, 3, 3],
    ]


def test_a_single_block_has_scores_too() -> None:
    positions = BlockPositions(np.array([0]), np.array([0]), np.ones(1, np.float32), np.array([-1]))

    rows = lexicon_features(np.ones(1, np.float32), np.ones(1, np.float32), positions)

    assert rows.shape == (1, len(FEATURE_GROUPS["lexicon"]))
    assert np.isfinite(rows).all()


def test_a_lexicon_is_read_as_it_was_written() -> None:
    file = BytesIO()
    SMALL.dump(file)

    loaded = Lexicon.load(file.getvalue())

    assert (loaded.texts, loaded.names) == (SMALL.texts, SMALL.names)


def test_the_stored_lexicon_knows_what_pages_are_made_of() -> None:
    stored = stored_lexicon()

    assert _text_scores(stored, frozenset(("add", "to", "cart")), [11])[0] < 0
    assert stored.name_scores("sidebar widget")[1] < 0 < stored.name_scores("entry-content")[1]


def test_the_lexicon_features_are_the_last_of_each_row() -> None:
    root = parse_html("<body class='post'><p>Owls hunt.</p><p class='menu'>Log in</p></body>")
    assert root is not None
    page, hints = split_into_blocks(body_of(root)), read_head_hints(root)

    before, rows = features_before_lexicon(page, hints).rows, block_features(page, hints)

    start = columns("lexicon").start
    assert (before.shape, rows.shape) == ((2, start), (2, columns("lexicon").stop))
    assert np.array_equal(rows[:, :start], before)
