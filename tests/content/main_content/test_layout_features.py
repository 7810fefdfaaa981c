"""The form of a page, which is what its features are before its words are read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.content.main_content.test_decision_trees import PAGES
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.html.head_hints import hints_of
from webquarry.content.main_content.blocks import outline_of
from webquarry.content.main_content.features import features_of
from webquarry.content.main_content.layout_features import FORM, LINES, form_of

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
def test_reading_a_page_changes_nothing_of_its_form(parts: list[str]) -> None:
    root = parse_html(f"<title>Owls</title><body>{''.join(parts)}</body>")
    assert root is not None
    outline, hints = outline_of(body_of(root)), hints_of(root)
    form = form_of(outline, hints)
    before = form.lines[list(FORM)].copy()

    rows = features_of(outline, hints, form)

    assert np.array_equal(rows.T[list(FORM)], before)
    assert np.array_equal(rows, features_of(outline, hints))


def test_every_block_has_all_lines() -> None:
    root = parse_html(PAGES["article"])
    assert root is not None
    outline = outline_of(body_of(root))

    assert form_of(outline, hints_of(root)).lines.shape == (LINES, len(outline.blocks))
