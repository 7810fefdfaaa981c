"""Layout features: those of a page before its words are read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.content.main_content.test_decision_trees import PAGES
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import read_head_hints
from webquarry.content.main_content.blocks import split_into_blocks
from webquarry.content.main_content.feature_table import FEATURES, LAYOUT_COLUMNS
from webquarry.content.main_content.features import block_features
from webquarry.content.main_content.layout_features import layout_features

_PARTS = st.lists(
    st.sampled_from(
        [
            "<p>Owls hunt at night, and few see them.</p>",
            "<h2>By night</h2>",
            "<ul><li><a href='/a'>Part</a></li><li>12 March</li></ul>",
            "<p>$12 | Subscribe now?</p>",
            "<div class='comment'><p>フクロウは夜に狩りをする。</p></div>",
            "<table><tr><td>1</td><td>2</td></tr></table>",
        ]
    ),
    min_size=1,
    max_size=12,
)


@given(_PARTS)
def test_reading_the_words_of_a_page_changes_no_layout_feature(parts: list[str]) -> None:
    root = parse_html(f"<title>Owls</title><body>{''.join(parts)}</body>")
    assert root is not None
    page, hints = split_into_blocks(body_of(root)), read_head_hints(root)
    layout = layout_features(page, hints)
    before = layout.matrix[list(LAYOUT_COLUMNS)].copy()

    rows = block_features(page, hints, layout)

    assert np.array_equal(rows.T[list(LAYOUT_COLUMNS)], before)
    assert np.array_equal(rows, block_features(page, hints))


def test_every_block_has_all_features() -> None:
    root = parse_html(PAGES["article"])
    assert root is not None
    page = split_into_blocks(body_of(root))

    matrix = layout_features(page, read_head_hints(root)).matrix

    assert matrix.shape == (len(FEATURES), len(page.blocks))
