"""Text of real pages that looks hidden in the page's own styles, and is not."""

import pytest

from webquarry.content.html.read_html import to_markdown

_BODY = "<p>An ordinary paragraph with enough words to be the main text of this small page.</p>"
_EXTERNAL = '<link rel="stylesheet" href="/site.css">'


def _markdown(head: str, body: str) -> str:
    return to_markdown(
        f"<html><head>{head}</head><body><article>{_BODY}{body}</article></body></html>"
    )


def test_a_tab_without_roles_stays_beside_the_open_one() -> None:
    style = "<style>.infotab{display:none}.infotab.on{display:block}</style>"
    tabs = "<p class='infotab on'>First</p><p class='infotab'>MARKER</p>"

    assert "MARKER" in _markdown(style, tabs)


def test_a_single_element_named_like_a_tab_is_removed() -> None:
    style = "<style>.infotab{display:none}</style>"

    assert "MARKER" not in _markdown(style, "<div><div class='infotab'><p>MARKER</p></div></div>")


@pytest.mark.parametrize(
    ("head", "count"),
    [(_EXTERNAL, 1), ("", 0), (f"{_EXTERNAL}<style>:root{{--shown:hidden}}</style>", 0)],
)
def test_the_fallback_of_a_variable_counts_only_if_no_other_sheet_can_set_it(
    head: str, count: int
) -> None:
    hidden = "<div style='visibility:var(--shown, hidden)'><p>MARKER</p></div>"

    assert _markdown(head, hidden).count("MARKER") == count


def test_white_text_over_the_picture_of_a_deeply_nested_card_stays() -> None:
    headline = "<div><div><div><h3><span style='color:#fff'>MARKER</span></h3></div></div></div>"
    card = f"<div><div><img src='a.jpg' alt=''></div>{headline}</div>"

    assert "MARKER" in _markdown("", card)
