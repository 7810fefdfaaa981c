"""What single words of texts and names say about a block."""

from io import BytesIO

import numpy as np
import pytest

from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import hints_of
from webquarry.content.main_content.blocks import outline_of
from webquarry.content.main_content.features import features_of, plain_features
from webquarry.content.main_content.lexicon import (
    COLUMNS,
    BlockPositions,
    Lexicon,
    lexicon,
    names_around,
    opinion_rows,
    words_in,
)

SMALL = Lexicon(
    ({"cart": -2.0, "owl": 0.5}, {"owl": 1.0}, {}),
    {"article": (1.0, 2.0, 4.0), "menu": (-1.0, -2.0, -4.0)},
)


def test_a_word_weighs_what_it_weighs_in_blocks_of_that_size() -> None:
    told = ("cart", "owl", "unheard")

    assert [SMALL.of_text(told, size) for size in (10, 59, 60, 249, 250)] == [
        -1.5, -1.5, 1.0, 1.0, 0.0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("siteMenu main-menu", {"site", "menu", "main"}),
        ("NAV_top x 12", {"nav", "top"}),
        ("", set[str]()),
        ("a" * 400, {"a" * 300}),
    ],
)
def test_names_are_taken_apart_into_words(names: str, words: set[str]) -> None:
    assert words_in(names) == words


def test_names_of_several_known_words_add_up() -> None:
    assert SMALL.of_names("article-menu article") == (0.0, 0.0, 0.0)
    assert SMALL.of_names("article unheard") == (1.0, 2.0, 4.0)
    assert SMALL.of_names("") == (0.0, 0.0, 0.0)


def test_names_count_by_how_far_above_the_block_they_are() -> None:
    depth = 15
    parent = np.arange(-1, depth - 1)  # each element is in the one before it
    named = np.tile(np.array([[1.0, 10.0, 100.0]], np.float32), (depth, 1))
    node = np.array([0, 1, 3, 4, 12, 14])
    places = BlockPositions(node, np.zeros(6, np.int64), np.ones(6, np.float32), parent)

    assert names_around(named, places).tolist() == [1, 11, 31, 131, 931, 931]


def test_the_opinion_on_a_block_has_those_beside_it_and_the_means_around_it() -> None:
    parent = np.array([-1, 0, 0])
    places = BlockPositions(
        np.array([1, 1, 2]), np.array([0, 0, 1]), np.ones(3, np.float32), parent
    )
    words, names = np.array([1, 3, 8], np.float32), np.array([2, 2, 5], np.float32)

    rows = opinion_rows(words, names, places)

    assert rows.tolist() == [
        [1, 0, 0, 3, 8, 2, 0, 2, 2, 4, 4, 4, 4, 2, 3, 3, 3, 3],
        [3, 1, 0, 8, 0, 2, 2, 5, 2, 4, 4, 4, 4, 2, 3, 3, 3, 3],
        [8, 3, 1, 0, 0, 5, 2, 0, 8, 4, 4, 4, 4, 5, 3, 3, 3, 3],
    ]


def test_one_block_alone_has_an_opinion_too() -> None:
    places = BlockPositions(np.array([0]), np.array([0]), np.ones(1, np.float32), np.array([-1]))

    rows = opinion_rows(np.ones(1, np.float32), np.ones(1, np.float32), places)

    assert rows.shape == (1, COLUMNS)
    assert np.isfinite(rows).all()


def test_a_lexicon_is_read_as_it_was_written() -> None:
    file = BytesIO()
    SMALL.dump(file)

    again = Lexicon.load(file.getvalue())

    assert (again.texts, again.names) == (SMALL.texts, SMALL.names)


def test_the_stored_lexicon_knows_what_pages_are_made_of() -> None:
    stored = lexicon()

    assert stored.of_text(("add", "to", "cart"), 11) < 0
    assert stored.of_names("sidebar widget")[1] < 0 < stored.of_names("entry-content")[1]


def test_its_columns_are_the_last_of_each_row() -> None:
    root = parse_html("<body class='post'><p>Owls hunt.</p><p class='menu'>Log in</p></body>")
    assert root is not None
    outline, hints = outline_of(body_of(root)), hints_of(root)

    plain, rows = plain_features(outline, hints).rows, features_of(outline, hints)

    assert rows.shape == (2, plain.shape[1] + COLUMNS)
    assert np.array_equal(rows[:, :-COLUMNS], plain)
